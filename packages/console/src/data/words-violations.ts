/**
 * What the engine writes about a violation. A placeholder stands for a name, a value, or for another of these texts.
 * The engine has no languages: the console finds the sentence in this list and says it in the person's language.
 */
import { defineWords } from '../ui/words.js'

/** What a rule requires. `{value}` is JSON, or a pattern in backticks. */
export const demandWords = defineWords({
  neq: ['`{field}` must not equal {value}', '`{field}` darf nicht gleich {value} sein'],
  eq: ['`{field}` must equal {value}', '`{field}` muss gleich {value} sein'],
  gt: ['`{field}` must be greater than {value}', '`{field}` muss größer als {value} sein'],
  gte: ['`{field}` must be at least {value}', '`{field}` muss mindestens {value} sein'],
  lt: ['`{field}` must be less than {value}', '`{field}` muss kleiner als {value} sein'],
  lte: ['`{field}` must be at most {value}', '`{field}` darf höchstens {value} sein'],
  notContains: ['`{field}` must not contain {value}', '`{field}` darf {value} nicht enthalten'],
  contains: ['`{field}` must contain {value}', '`{field}` muss {value} enthalten'],
  notIn: ['`{field}` must not be one of {value}', '`{field}` darf keiner der Werte {value} sein'],
  in: ['`{field}` must be one of {value}', '`{field}` muss einer der Werte {value} sein'],
  regex: ['`{field}` must match {value}', '`{field}` muss auf {value} passen'],
  exists: ['`{field}` must be present', '`{field}` muss vorhanden sein'],
  notExists: ['`{field}` must be absent', '`{field}` darf nicht vorhanden sein'],
  notEmpty: ['`{field}` must not be empty', '`{field}` darf nicht leer sein'],
  countGt: ['`{field}` must have a count greater than {value}', '`{field}` muss eine Anzahl über {value} haben'],
  countLt: ['`{field}` must have a count less than {value}', '`{field}` muss eine Anzahl unter {value} haben'],
  lengthGt: ['`{field}` must have a length greater than {value}', '`{field}` muss eine Länge über {value} haben'],
  lengthLt: ['`{field}` must have a length less than {value}', '`{field}` muss eine Länge unter {value} haben'],
})

/** What the engine says of a violation instead of a single demand, or around demands. */
export const violationWords = defineWords({
  found: ['{demand} (found {value})', '{demand} (gefunden: {value})'],
  foundNothing: ['{demand} (found nothing)', '{demand} (nicht gefunden)'],
  because: ['because {condition}, {demand}', 'weil {condition}: {demand}'],
  isPresent: ['`{field}` is present', '`{field}` vorhanden ist'],
  isAbsent: ['`{field}` is absent', '`{field}` nicht vorhanden ist'],
  is: ['`{field}` is {value}', '`{field}` gleich {value} ist'],
  has: ['`{field}` contains {value}', '`{field}` {value} enthält'],
  noneHolds: ['none of these holds: {demands}', 'nichts davon trifft zu: {demands}'],
  more: ['and {count} more', 'und {count} weitere'],
  misconfigured: ['the rule cannot be evaluated: {code}', 'die Regel kann nicht ausgewertet werden: {code}'],
  tooLarge: [
    'the attributes exceed the limit `{limit}`: {actual}, at most {max}',
    'die Attribute überschreiten die Grenze `{limit}`: {actual}, höchstens {max}',
  ],
})
