/** What the engine says about its operators, as it says it, and in German. */
import { defineWords } from '../../ui/words.js'

export const operatorWords = defineWords({
  eq: [
    'The attribute equals the value: scalars by value or by text, case-sensitively; lists and objects deeply. `null` stands for absent.',
    'Die Eigenschaft ist gleich dem Wert: Einzelwerte als Wert oder als Text, mit Groß- und Kleinschreibung; Listen und Objekte in der Tiefe. `null` steht für fehlend.',
  ],
  neq: [
    'The attribute does not equal the value; absent satisfies it unless the value is `null`. A scalar against a list or an object satisfies neither `eq` nor `neq`.',
    'Die Eigenschaft ist ungleich dem Wert; eine fehlende erfüllt das, außer der Wert ist `null`. Ein Einzelwert gegen eine Liste oder ein Objekt erfüllt weder `eq` noch `neq`.',
  ],
  gt: [
    'The attribute is a number, or text of one, greater than the value.',
    'Die Eigenschaft ist eine Zahl, oder der Text einer Zahl, größer als der Wert.',
  ],
  gte: [
    'The attribute is a number, or text of one, at least the value.',
    'Die Eigenschaft ist eine Zahl, oder der Text einer Zahl, mindestens so groß wie der Wert.',
  ],
  lt: [
    'The attribute is a number, or text of one, less than the value.',
    'Die Eigenschaft ist eine Zahl, oder der Text einer Zahl, kleiner als der Wert.',
  ],
  lte: [
    'The attribute is a number, or text of one, at most the value.',
    'Die Eigenschaft ist eine Zahl, oder der Text einer Zahl, höchstens so groß wie der Wert.',
  ],
  contains: [
    'A text contains the value, or a list has an element of that text; case is ignored.',
    'Ein Text enthält den Wert, oder eine Liste hat ein Element mit diesem Text; Groß- und Kleinschreibung zählt nicht.',
  ],
  notContains: [
    'A text does not contain the value, or a list has no element of that text and no nested list or object; absent satisfies it.',
    'Ein Text enthält den Wert nicht, oder eine Liste hat kein Element mit diesem Text und keine Liste oder kein Objekt in sich; eine fehlende Eigenschaft erfüllt das.',
  ],
  in: [
    'The attribute is one of the values; a list is not empty and consists of them. `null` in the list stands for absent.',
    'Die Eigenschaft ist einer der Werte; eine Liste ist nicht leer und besteht aus ihnen. `null` in der Liste steht für fehlend.',
  ],
  notIn: [
    'The attribute is none of the values; a list has none of them and no nested list or object. Absent satisfies it unless the list has `null`.',
    'Die Eigenschaft ist keiner der Werte; eine Liste hat keinen von ihnen und keine Liste oder kein Objekt in sich. Eine fehlende erfüllt das, außer die Liste hat `null`.',
  ],
  regex: [
    'The pattern is found anywhere in the text of a scalar: ECMAScript syntax, no flags, linear time.',
    'Das Muster kommt irgendwo im Text eines Einzelwerts vor: Syntax von ECMAScript, ohne Flags, in linearer Zeit.',
  ],
  exists: [
    'The attribute is present, whatever its value; `null` is absent.',
    'Die Eigenschaft ist da, gleich mit welchem Wert; `null` zählt als fehlend.',
  ],
  notExists: ['The attribute is absent.', 'Die Eigenschaft fehlt.'],
  notEmpty: [
    'The attribute is present and is not an empty text, 0, false, an empty list or an empty object.',
    'Die Eigenschaft ist da und weder ein leerer Text noch 0, false, eine leere Liste oder ein leeres Objekt.',
  ],
  countGt: [
    'A list has more elements, or an object more keys, than the value; a number is compared as it is.',
    'Eine Liste hat mehr Elemente, oder ein Objekt mehr Schlüssel, als der Wert; eine Zahl wird selbst verglichen.',
  ],
  countLt: [
    'A list has fewer elements, or an object fewer keys, than the value; a number is compared as it is.',
    'Eine Liste hat weniger Elemente, oder ein Objekt weniger Schlüssel, als der Wert; eine Zahl wird selbst verglichen.',
  ],
  lengthGt: [
    'A text is longer than the value, in UTF-16 units; a number is compared as it is.',
    'Ein Text ist länger als der Wert, in Einheiten von UTF-16; eine Zahl wird selbst verglichen.',
  ],
  lengthLt: [
    'A text is shorter than the value, in UTF-16 units; a number is compared as it is.',
    'Ein Text ist kürzer als der Wert, in Einheiten von UTF-16; eine Zahl wird selbst verglichen.',
  ],
})

/** What operators take, by what the engine says. */
export const takesWords = defineWords({
  'no value': ['no value', 'keinen Wert'],
  'any JSON value, null included': ['any JSON value, null included', 'jeden Wert von JSON, auch null'],
  'a finite number, or the text of one': [
    'a finite number, or the text of one',
    'eine endliche Zahl oder den Text einer Zahl',
  ],
  'a text that is not empty, a number or a boolean': [
    'a text that is not empty, a number or a boolean',
    'einen nicht leeren Text, eine Zahl oder einen Wahrheitswert',
  ],
  'a list of 1 to 1,000 texts, numbers, booleans or null': [
    'a list of 1 to 1,000 texts, numbers, booleans or null',
    'eine Liste von 1 bis 1.000 Texten, Zahlen, Wahrheitswerten oder null',
  ],
  'a regular expression of 1 to 100 characters': [
    'a regular expression of 1 to 100 characters',
    'einen regulären Ausdruck von 1 bis 100 Zeichen',
  ],
  'an integer from -1 to 1,000,000,000, or the text of one': [
    'an integer from -1 to 1,000,000,000, or the text of one',
    'eine ganze Zahl von -1 bis 1.000.000.000 oder den Text einer solchen',
  ],
})
