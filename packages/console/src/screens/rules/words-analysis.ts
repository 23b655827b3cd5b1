/** What the static analysis of the engine writes about rules. `data/engine-text.ts` finds the sentence. */
import { defineWords } from '../../ui/words.js'

export const analysisWords = defineWords({
  unreachable: [
    '`{rule}` never applies: its gates cannot all be open',
    '`{rule}` gilt nie: die Regeln, von denen sie abhängt, können nicht zusammen bestanden sein',
  ],
  removeOrGate: [
    'remove the rule, or the `dependsOnRule` that can never have passed',
    'die Regel entfernen, oder das `dependsOnRule`, das nie bestanden sein kann',
  ],
  unsatisfiable: [
    '`{rule}` cannot be passed by any entity to which it applies',
    'nichts, wofür `{rule}` gilt, kann sie bestehen',
  ],
  correct: ['correct the value or the conditions', 'den Wert oder die Bedingungen berichtigen'],
  neverViolated: ['`{rule}` cannot be violated by any entity', 'nichts kann gegen `{rule}` verstoßen'],
  correctOrRemove: [
    'correct the value or the conditions, or remove the rule',
    'den Wert oder die Bedingungen berichtigen, oder die Regel entfernen',
  ],
  redundant: [
    'a condition on `{field}` does not change the verdict of `{rule}`',
    'eine Bedingung auf `{field}` ändert das Ergebnis von `{rule}` nicht',
  ],
  removeCondition: ['remove the condition', 'die Bedingung entfernen'],
  removeConditionOn: ['remove the condition on `{field}`', 'die Bedingung auf `{field}` entfernen'],
  dangling: [
    '`{rule}` depends on `{name}`, and {why}: its gate is closed for every entity',
    '`{rule}` hängt von `{name}` ab, und {why}: die Regel gilt deshalb nie',
  ],
  noSuchRule: ['no rule of this set has that id or name', 'keine dieser Regeln hat diese ID oder diesen Namen'],
  dormant: ['that rule is inactive, deleted or a template', 'jene Regel ist inaktiv, gelöscht oder eine Vorlage'],
  ambiguous: ['several rules have that name', 'mehrere Regeln haben diesen Namen'],
  nameById: ['name the rule by its id', 'die Regel mit ihrer ID nennen'],
  nameLive: [
    'name a live rule of the same target, or remove the condition',
    'eine nicht gelöschte Regel mit demselben Ziel nennen, oder die Bedingung entfernen',
  ],
  removeTag: ['remove the tag `{tag}`', 'den Tag `{tag}` entfernen'],
  tagTwice: ['`{rule}` has the tag `{tag}` twice', '`{rule}` hat den Tag `{tag}` zweimal'],
  removeOne: ['remove one of the two', 'einen der beiden entfernen'],
  noSet: ['`{tag}` names no set', '`{tag}` nennt keinen Satz von Regeln'],
  useSet: [
    'use `set:standard` or `set:advanced`, or remove the tag',
    '`set:standard` oder `set:advanced` verwenden, oder den Tag entfernen',
  ],
  noEffect: [
    '`{tag}` has no effect: `{rule}` is not published',
    '`{tag}` hat keine Wirkung: `{rule}` ist nicht veröffentlicht',
  ],
  removeOrPublish: ['remove the tag, or publish the rule', 'den Tag entfernen, oder die Regel veröffentlichen'],
  untrimmed: [
    'the name {name} begins or ends with a space',
    'der Name {name} beginnt oder endet mit einem Leerzeichen',
  ],
  trim: ['trim the name', 'die Leerzeichen entfernen'],
  sameName: ['two rules have the name `{name}`', 'zwei Regeln haben den Namen `{name}`'],
  ownName: ['give each rule a name of its own', 'jeder Regel einen eigenen Namen geben'],
  similar: [
    '`{rule}` and `{other}` differ in case only',
    '`{rule}` und `{other}` unterscheiden sich nur in der Groß- und Kleinschreibung',
  ],
  otherName: ['give one of them another name', 'einer von beiden einen anderen Namen geben'],
  boundText: [
    'the bound {value} is a text and is compared as the number {number}',
    'die Grenze {value} ist ein Text und wird als die Zahl {number} verglichen',
  ],
  writeBound: ['write the bound as the number {number}', 'die Grenze als die Zahl {number} schreiben'],
  textOnly: ['{value} equals that text only, not {meant}', '{value} ist nur diesem Text gleich, nicht: {meant}'],
  absent: ['null, which is an absent value', 'null, also ein fehlender Wert'],
  undefined: ['an absent value, which `notExists` tests', 'ein fehlender Wert, den `notExists` prüft'],
  emptyList: ['an empty list', 'eine leere Liste'],
  emptyObject: ['an empty object', 'ein leeres Objekt'],
  never: ['no value that an entity can have', 'kein Wert, den es geben kann'],
  withoutQuotes: [
    'write the value without quotes if it is meant',
    'den Wert ohne Anführungszeichen schreiben, wenn er gemeint ist',
  ],
  listTwice: [
    'the list names {value} twice: scalars are compared by their text',
    'die Liste nennt {value} zweimal: einfache Werte werden nach ihrem Text verglichen',
  ],
  removeEntry: ['remove the entry {value}', 'den Eintrag {value} entfernen'],
  oneText: ['the pattern {pattern} matches one text only', 'das Muster {pattern} passt nur auf einen Text'],
  useEq: ['use `eq` with {value}', '`eq` mit {value} verwenden'],
  replaceByEq: ['replace the pattern by `eq` {value}', 'das Muster durch `eq` {value} ersetzen'],
  listOfTexts: [
    'the pattern {pattern} is a list of {count} texts',
    'das Muster {pattern} ist eine Liste von {count} Texten',
  ],
  useIn: ['use `in` with {values}', '`in` mit {values} verwenden'],
  duplicate: [
    '`{rule}` is violated by the same entities as `{other}`',
    'gegen `{rule}` verstößt dasselbe wie gegen `{other}`',
  ],
  undecidedSubsumed: [
    'it is not decided whether whatever violates `{rule}` violates `{other}` too',
    'es ist nicht entschieden, ob alles, was gegen `{rule}` verstößt, auch gegen `{other}` verstößt',
  ],
  subsumed: [
    'whatever violates `{rule}` violates `{other}` too',
    'was gegen `{rule}` verstößt, verstößt auch gegen `{other}`',
  ],
  blocks: [
    '`{rule}` blocks where `{other}` only warns: keep both if that is meant, or raise `{same}`',
    '`{rule}` blockiert, wo `{other}` nur warnt: beide behalten, wenn das gemeint ist, oder `{same}` anheben',
  ],
  removeOrKeep: [
    'remove `{rule}`, or keep it for its own message',
    '`{rule}` entfernen, oder wegen ihrer eigenen Meldung behalten',
  ],
  undecidedContradictory: [
    'it is not decided whether an entity can pass both `{rule}` and `{other}`',
    'es ist nicht entschieden, ob etwas sowohl `{rule}` als auch `{other}` bestehen kann',
  ],
  contradictory: [
    'no entity can pass both `{rule}` and `{other}`',
    'nichts kann sowohl `{rule}` als auch `{other}` bestehen',
  ],
  tellApart: [
    'correct one of the two, or let one depend on what sets their entities apart',
    'eine von beiden berichtigen, oder eine von dem abhängen lassen, was die Fälle unterscheidet',
  ],
  byEye: [
    'compare the two rules by eye, or simplify them',
    'die beiden Regeln selbst vergleichen, oder sie vereinfachen',
  ],
  writeNumber: ['write {number}', '{number} schreiben'],
  ofRule: ['`{rule}`: {issue}', '`{rule}`: {issue}'],
})
