/**
 * What the engine writes about a rule: what is wrong with it, and what its author can do. A placeholder stands for
 * a name, a value, or for another of these texts. `data/engine-text.ts` finds the sentence.
 */
import { defineWords } from '../../ui/words.js'
import { analysisWords } from './words-analysis.js'

/** Why a rule is refused, and how to repair it. */
const issueWords = defineWords({
  notObject: ['the rule is not an object', 'die Regel ist kein Objekt'],
  asObject: ['write the rule as an object', 'die Regel als Objekt schreiben'],
  unknownKey: ['`{key}` is not known', '`{key}` ist nicht bekannt'],
  removeOr: ['remove it, or did you mean `{near}`', 'entfernen, oder ist `{near}` gemeint?'],
  removeIt: ['remove it', 'entfernen'],
  noName: ['the rule has no name', 'die Regel hat keinen Namen'],
  emptyName: ['the name is empty', 'der Name ist leer'],
  giveName: ['give the rule a name', 'der Regel einen Namen geben'],
  noTarget: ['the rule has no target', 'die Regel hat kein Ziel'],
  giveTarget: ['give `plugin` or `pipeline`', '`plugin` oder `pipeline` angeben'],
  null: ['`{key}` cannot be null', '`{key}` kann nicht null sein'],
  leaveOut: ['leave `{key}` out or give a value', '`{key}` weglassen oder einen Wert angeben'],
  notBoolean: ['`{key}` is not a boolean', '`{key}` ist kein Wahrheitswert'],
  giveBoolean: ['give true or false', 'true oder false angeben'],
  notAValue: ['`{key}` is not one of its values', '`{key}` ist keiner der möglichen Werte'],
  notInstant: ['`{key}` is not an instant', '`{key}` ist kein Zeitpunkt'],
  giveInstant: [
    'give ISO 8601 with Z or an offset, like {example}',
    'nach ISO 8601 mit Z oder Abstand zu UTC schreiben, etwa {example}',
  ],
  notText: ['`{key}` is not a text', '`{key}` ist kein Text'],
  giveText: ['give a text', 'einen Text angeben'],
  empty: ['`{key}` is empty', '`{key}` ist leer'],
  invisible: [
    'the name holds a line break, a control character or one that is not shown',
    'der Name enthält einen Zeilenumbruch, ein Steuerzeichen oder eines, das nicht zu sehen ist',
  ],
  oneLine: ['write it as one line of visible characters', 'als eine Zeile aus sichtbaren Zeichen schreiben'],
  tooLong: ['`{key}` has {count} characters', '`{key}` hat {count} Zeichen'],
  mostCharacters: ['use at most {most} characters', 'höchstens {most} Zeichen verwenden'],
  notInteger: ['`{key}` is not an integer', '`{key}` ist keine ganze Zahl'],
  giveInteger: ['give a whole number', 'eine ganze Zahl angeben'],
  outOfRange: ['`{key}` is out of range', '`{key}` ist außerhalb des Bereichs'],
  notList: ['`{key}` is not a list', '`{key}` ist keine Liste'],
  listOfTexts: ['give a list of texts', 'eine Liste von Texten angeben'],
  tooManyEntries: ['`{key}` has {count} entries', '`{key}` hat {count} Einträge'],
  tooManyConditions: ['the rule has {count} conditions', 'die Regel hat {count} Bedingungen'],
  mostOrSplit: ['use at most {most}, or split the rule', 'höchstens {most} verwenden, oder die Regel aufteilen'],
  mostBytes: ['use at most {most} bytes of JSON', 'höchstens {most} Bytes JSON verwenden'],
  most: ['use at most {most}', 'höchstens {most} verwenden'],
  conditionNotObject: ['the condition is not an object', 'die Bedingung ist kein Objekt'],
  conditionAsObject: ['write the condition as an object', 'die Bedingung als Objekt schreiben'],
  noCheck: ['no condition checks a field', 'keine Bedingung prüft ein Feld'],
  addCheck: ['add a condition with `field` and `operator`', 'eine Bedingung mit `field` und `operator` hinzufügen'],
  itself: ['the rule depends on itself', 'die Regel hängt von sich selbst ab'],
  otherRule: ['name another rule', 'eine andere Regel nennen'],
  neither: [
    'the condition is neither a check nor a gate',
    'die Bedingung prüft weder ein Feld noch hängt sie von einer Regel ab',
  ],
  giveEither: [
    'give `field` and `operator`, or `dependsOnRule` alone',
    '`field` und `operator` angeben, oder nur `dependsOnRule`',
  ],
  unknownOperator: ['the operator is unknown', 'der Operator ist nicht bekannt'],
  useOneOf: ['use one of {names}', 'einen von diesen verwenden: {names}'],
  didYouMean: ['did you mean `{near}`', 'ist `{near}` gemeint?'],
  tooLarge: ['the value is too large', 'der Wert ist zu groß'],
  tooDeep: ['the value is nested too deeply', 'der Wert ist zu tief verschachtelt'],
  flatter: ['give a flatter value', 'einen flacheren Wert angeben'],
  endsFirst: ['the rule ends before it begins', 'die Regel endet, bevor sie beginnt'],
  laterEnd: ['give a later `effectiveUntil`', 'ein späteres `effectiveUntil` angeben'],
  noTemplate: ['a published rule cannot be a template', 'eine veröffentlichte Regel kann keine Vorlage sein'],
  noPropagation: [
    'a published rule cannot propagate',
    'eine veröffentlichte Regel kann nicht an Teams weitergegeben werden',
  ],
  removeOrOrg: ['remove `{key}`, or use scope `org`', '`{key}` entfernen, oder die Reichweite `org` verwenden'],
  nameTaken: ['another rule has the name `{name}`', 'eine andere Regel hat den Namen `{name}`'],
  otherName: ['choose another name', 'einen anderen Namen wählen'],
  cycle: ['the rule would depend on itself through {cycle}', 'die Regel würde über {cycle} von sich selbst abhängen'],
  breakCycle: ['remove one `dependsOnRule` of the cycle', 'ein `dependsOnRule` aus dem Kreis entfernen'],
  ambiguous: ['{count} rules have the name `{name}`', '{count} Regeln haben den Namen `{name}`'],
  giveId: ['give the id of the rule', 'die ID der Regel angeben'],
  otherTarget: ['`{name}` is not a {target} rule', '`{name}` ist keine Regel für `{target}`'],
  sameTarget: ['depend on a rule of the same target', 'von einer Regel mit demselben Ziel abhängen'],
  idTaken: ['another rule before this one has the id `{id}`', 'eine andere Regel davor hat die ID `{id}`'],
  unknownTarget: ['the target is unknown', 'das Ziel ist nicht bekannt'],
  isOtherTarget: ['`{name}` is a rule of the other target', '`{name}` ist eine Regel mit dem anderen Ziel'],
  throughItself: ['the rule depends on itself through {cycle}', 'die Regel hängt über {cycle} von sich selbst ab'],
  giveCheckOrConditions: [
    'give `field` and `operator`, or `conditions`',
    '`field` und `operator` angeben, oder `conditions`',
  ],
  ownId: ['give each rule its own id or name', 'jeder Regel eine eigene ID oder einen eigenen Namen geben'],
  listOfConditions: ['give a list of conditions', 'eine Liste von Bedingungen angeben'],
  noCheckAtAll: ['the rule has no check', 'die Regel prüft nichts'],
  gateNamesNone: ['the gate names no rule', 'die Bedingung nennt keine Regel, von der sie abhängt'],
  idOrName: ['give the id or name of a rule', 'die ID oder den Namen einer Regel angeben'],
  changeNotObject: ['the change is not an object', 'die Änderung ist kein Objekt'],
  unchangeable: ['`{key}` cannot be changed', '`{key}` kann nicht geändert werden'],
  leaveKeyOut: ['leave `{key}` out', '`{key}` weglassen'],
  noSuchRule: ['there is no rule `{name}`', 'es gibt keine Regel `{name}`'],
  liveRule: [
    'give the id or the name of a live rule that the organization can enforce',
    'die ID oder den Namen einer Regel angeben, die nicht gelöscht ist und die die Organisation durchsetzen kann',
  ],
  giveKey: ['give `{key}`', '`{key}` angeben'],
  giveRange: ['give {from} to {to}', '{from} bis {to} angeben'],
  giveOneOf3: ['give {a} or {b} or {c}', '{a}, {b} oder {c} angeben'],
  giveOneOf2: ['give {a} or {b}', '{a} oder {b} angeben'],
})

/** What is wrong with the value of a check. */
const valueWords = defineWords({
  noValue: ['`{operator}` takes no value', '`{operator}` nimmt keinen Wert'],
  removeValue: ['remove `value`', '`value` entfernen'],
  needsValue: ['`{operator}` needs a value', '`{operator}` braucht einen Wert'],
  notNumber: ['the value is not a number', 'der Wert ist keine Zahl'],
  giveNumber: [
    'give a finite number or a decimal text',
    'eine endliche Zahl oder einen Text mit einer Dezimalzahl angeben',
  ],
  notSize: ['the value is not a size', 'der Wert ist keine Größe'],
  giveSize: ['give an integer from -1 to {most}', 'eine ganze Zahl von -1 bis {most} angeben'],
  notScalar: ['the value is not a text, number or boolean', 'der Wert ist weder Text noch Zahl noch Wahrheitswert'],
  giveWordNotEmpty: [
    'give the one text to look for, not empty',
    'den einen Text angeben, der gesucht wird, und nicht den leeren',
  ],
  giveWord: ['give the one text to look for', 'den einen Text angeben, der gesucht wird'],
  notListOfValues: ['the value is not a list of values', 'der Wert ist keine Liste von Werten'],
  giveListOf: ['give a list of 1 to {most} values', 'eine Liste von 1 bis {most} Werten angeben'],
  nested: ['the list holds a list or an object', 'die Liste enthält eine Liste oder ein Objekt'],
  listScalars: ['list texts, numbers, booleans or null', 'Texte, Zahlen, Wahrheitswerte oder null auflisten'],
  valueNotList: ['the value is not a list', 'der Wert ist keine Liste'],
  giveList: ['give a list of values', 'eine Liste von Werten angeben'],
  notPattern: ['the value is not a pattern', 'der Wert ist kein Muster'],
  givePattern: ['give the regular expression as text', 'den regulären Ausdruck als Text angeben'],
})

/** What is wrong with the path of a field. */
const pathWords = defineWords({
  emptyPath: ['the field path is empty', 'der Pfad des Feldes ist leer'],
  notText: ['the field is not a text', 'das Feld ist kein Text'],
  nameAttribute: ['name an attribute, for example `version`', 'ein Attribut nennen, zum Beispiel `version`'],
  longPath: ['the field path has {count} characters', 'der Pfad des Feldes hat {count} Zeichen'],
  noFunction: ['`{name}` is not a computed function', '`{name}` ist keine berechnete Funktion'],
  functions: ['use $count, $length, $keys or $lines', '$count, $length, $keys oder $lines verwenden'],
  notClosed: ['`{name}(` is not closed at the end of the path', '`{name}(` ist am Ende des Pfads nicht geschlossen'],
  close: ['end the path with `)`', 'den Pfad mit `)` beenden'],
  nestedCalls: [
    'more than {most} computed functions are nested',
    'mehr als {most} berechnete Funktionen sind verschachtelt',
  ],
  segments: ['the field path has {count} segments', 'der Pfad des Feldes hat {count} Teile'],
  emptySegment: ['the field path has an empty segment', 'der Pfad des Feldes hat einen leeren Teil'],
  betweenDots: ['name a key between the dots', 'zwischen den Punkten einen Schlüssel nennen'],
  brackets: [
    'brackets hold digits or a quoted key',
    'in Klammern stehen Ziffern oder ein Schlüssel in Anführungszeichen',
  ],
  bracketOpen: ['the bracket is not closed', 'die Klammer ist nicht geschlossen'],
  writeBracket: ['write `[0]` or `["key"]`', '`[0]` oder `["key"]` schreiben'],
  strange: ['`{character}` cannot stand here', '`{character}` kann hier nicht stehen'],
  quote: [
    'quote keys with special characters: `{example}`',
    'Schlüssel mit Sonderzeichen in Anführungszeichen setzen: `{example}`',
  ],
})

/** What is wrong with a regular expression. */
const patternWords = defineWords({
  empty: ['the pattern is empty', 'das Muster ist leer'],
  giveOrExists: ['give a pattern, or use `exists`', 'ein Muster angeben, oder `exists` verwenden'],
  long: ['the pattern has {count} characters, more than {most}', 'das Muster hat {count} Zeichen, mehr als {most}'],
  shorten: ['shorten the pattern or split the rule', 'das Muster kürzen oder die Regel aufteilen'],
  correct: ['correct the pattern', 'das Muster berichtigen'],
  fewerPatterns: ['use fewer or simpler patterns', 'weniger oder einfachere Muster verwenden'],
  tooManyPatterns: ['more than {most} distinct patterns', 'mehr als {most} verschiedene Muster'],
  patternsOfSet: [
    'more than {most} distinct patterns or {instructions} instructions in the rule set',
    'mehr als {most} verschiedene Muster oder {instructions} Anweisungen in den Regeln zusammen',
  ],
  noRepeat: ['remove the repetition inside a repetition', 'die Wiederholung in einer Wiederholung entfernen'],
  removeUnsupported: [
    'remove look-around, back-references and inline flags',
    'Vor- und Rückschau, Rückverweise und Schalter im Muster entfernen',
  ],
  unmatched: ['unmatched )', ') ohne ('],
  nothing: ['nothing to repeat', 'nichts zu wiederholen'],
  bound: ['a repeat bound is over {most}', 'eine Zahl von Wiederholungen ist über {most}'],
  order: ['repeat bounds are out of order', 'die Grenzen der Wiederholung sind vertauscht'],
  unbounded: [
    'an unbounded repeat holds another unbounded repeat',
    'eine unbegrenzte Wiederholung enthält eine weitere',
  ],
  multiply: [
    'nested repeat bounds multiply to over {most}',
    'verschachtelte Wiederholungen ergeben zusammen mehr als {most}',
  ],
  deep: ['groups nest deeper than {most}', 'Gruppen sind tiefer als {most} verschachtelt'],
  group: ['unterminated group', 'die Gruppe ist nicht geschlossen'],
  lookAround: ['look-around is not supported', 'Vor- und Rückschau wird nicht unterstützt'],
  flags: ['inline flags are not supported', 'Schalter im Muster werden nicht unterstützt'],
  invalidGroup: ['invalid group', 'ungültige Gruppe'],
  groupName: [
    'a group name must be a plain ASCII identifier',
    'der Name einer Gruppe darf nur Buchstaben und Ziffern aus ASCII und `_` haben',
  ],
  groupTwice: ['two groups have the same name', 'zwei Gruppen haben denselben Namen'],
  characterClass: ['unterminated character class', 'die Zeichenklasse ist nicht geschlossen'],
  range: ['range out of order in character class', 'ein Bereich in der Zeichenklasse ist vertauscht'],
  backslash: ['the pattern ends in a backslash', 'das Muster endet mit einem Backslash'],
  backReference: ['back-references are not supported', 'Rückverweise werden nicht unterstützt'],
  escape: ['the escape {escape} is not supported', 'die Maskierung {escape} wird nicht unterstützt'],
  letter: ['\\c needs a letter', '\\c braucht einen Buchstaben'],
  digits: ['{escape} needs {count} hexadecimal digits', '{escape} braucht {count} hexadezimale Ziffern'],
  surrogate: ['surrogate escapes are not supported', 'maskierte Surrogate werden nicht unterstützt'],
  octal: ['octal escapes are not supported', 'oktale Maskierungen werden nicht unterstützt'],
  overlapping: [
    'the pattern compiles to {size} instructions, more than {most} where its choices overlap',
    'das Muster ergibt {size} Anweisungen, mehr als {most}, wo sich seine Möglichkeiten überschneiden',
  ],
  perCharacter: [
    'the pattern compiles to {size} instructions, more than {most} for one character',
    'das Muster ergibt {size} Anweisungen, mehr als {most}, für ein Zeichen',
  ],
  instructions: [
    'the pattern compiles to {size} instructions, more than {most}',
    'das Muster ergibt {size} Anweisungen, mehr als {most}',
  ],
})

const groups = { issueWords, valueWords, pathWords, patternWords, analysisWords }

/** All sentences about rules. Their names are unique: each has that of its group. */
export const ruleTextWords = Object.fromEntries(
  Object.entries(groups).flatMap(([group, words]) =>
    Object.entries(words).map(([name, pair]) => [`${group}.${name}`, pair] as const),
  ),
)
