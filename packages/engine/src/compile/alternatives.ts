/**
 * The message of a rule with `conditionMode: any` of which no entry holds: the consequence, where one negated entry is its
 * precondition ("if A then B" is written as "not A, or B"); else what would have to hold.
 *
 * INVARIANT: values are shown as the failures have them, redacted and bounded, and cut once more.
 */
import type { Failure, JsonValue, OperatorName, Violation } from '../types.js'
import { valueText, violationMessage } from './message.js'

/** Entries that a violation shows. */
export const MAX_FAILURES = 10

/** A failure with what its entry demands, as `violationMessage` has it. */
export interface FailedEntry extends Failure {
  readonly message: string
}

/** @param count How many entries failed: more than `failed` holds, where they are beyond `MAX_FAILURES`. */
export const alternativesMessage = (failed: readonly FailedEntry[], count: number): string => {
  const [only] = failed
  if (only !== undefined && count === 1) return demandText(only)
  const preconditions = failed.filter(({ operator }) => negations[operator] !== undefined)
  const [precondition] = preconditions
  if (precondition !== undefined && preconditions.length === 1 && count === failed.length) {
    const consequences = failed.filter((entry) => entry !== precondition)
    return `because ${conditionText(precondition)}, ${consequences.map(demandText).join(' or ')}`
  }
  const more = count > failed.length ? `; and ${count - failed.length} more` : ''
  return `none of these holds: ${failed.map(demandText).join('; ')}${more}`
}

/** The demands of a violation without any value of the entity: for what leaves for people who must not see them. */
export const messageWithoutValues = ({ message, failures = [] }: Violation): string =>
  failures.length === 0
    ? message
    : failures.map(({ field, operator, expected }) => violationMessage(field, operator, expected)).join(' or ')

const demandText = ({ message, operator, actual }: FailedEntry): string =>
  operator === 'exists' ? message : `${message} (found ${actual === null ? 'nothing' : valueText(actual)})`

/** What is so when an entry with this operator fails. */
const negations: { readonly [name in OperatorName]?: (failure: Failure) => string } = {
  neq: ({ actual }) => isText(actual),
  notIn: ({ actual }) => isText(actual),
  notExists: () => 'is present',
  notContains: ({ expected, actual }) => (isSearchable(actual) ? `contains ${valueText(expected)}` : isText(actual)),
}

const isText = (actual: JsonValue): string => (actual === null ? 'is absent' : `is ${valueText(actual)}`)

const conditionText = (failure: Failure): string => `\`${failure.field}\` ${negations[failure.operator]?.(failure)}`

/** `notContains` fails on an object, and on a list that holds more than scalars, whatever they contain. */
const isSearchable = (actual: JsonValue): boolean =>
  typeof actual === 'string' ||
  (Array.isArray(actual) && actual.every((element) => typeof element !== 'object' || element === null))
