/**
 * The message of a violation with `conditionMode: any`, where no entry holds.
 *
 * "If A then B" is written as "not A, or B". When exactly one of the failed entries is negated, the message names it as
 * the precondition: "because A, B". Otherwise the message lists what each entry demands.
 *
 * INVARIANT: values are shown as the failures hold them, redacted and bounded, and are shortened once more.
 */
import type { Failure, JsonValue, OperatorName, Violation } from '../types.js'
import { valueText, violationMessage } from './message.js'

/** The most failed entries that a violation lists. */
export const MAX_FAILURES = 10

/** A failure with the message of what its entry demands, as `violationMessage` writes it. */
export interface FailedEntry extends Failure {
  readonly message: string
}

/** @param count How many entries failed. It exceeds `failed.length` when more than `MAX_FAILURES` entries failed. */
export const alternativesMessage = (failed: readonly FailedEntry[], count: number): string => {
  const [precondition, other] = failed.filter(({ operator }) => negations[operator])
  const isConditional = count > 1 && count === failed.length && precondition && !other
  let text = ''
  for (const entry of failed) {
    if (!isConditional || entry !== precondition) text += (text && (isConditional ? ' or ' : '; ')) + demandText(entry)
  }
  if (count === 1) return text
  if (isConditional) return `because ${conditionText(precondition)}, ${text}`
  return `none of these holds: ${text}${count > failed.length ? `; and ${count - failed.length} more` : ''}`
}

/**
 * Returns what a violation demands, without any value of the entity. Use it for readers who must not see those values.
 */
export const messageWithoutValues = ({ message, failures = [] }: Violation): string =>
  failures.length === 0
    ? message
    : failures.map(({ field, operator, expected }) => violationMessage(field, operator, expected)).join(' or ')

const demandText = ({ message, operator, actual }: FailedEntry): string =>
  operator === 'exists' ? message : `${message} (found ${actual === null ? 'nothing' : valueText(actual)})`

/** For an operator with a negative meaning: words for what is true of the value when its entry fails. */
const negations: { readonly [name in OperatorName]?: (failure: Failure) => string } = {
  neq: ({ actual }) => isText(actual),
  notIn: ({ actual }) => isText(actual),
  notExists: () => 'is present',
  notContains: ({ expected, actual }) => (isSearchable(actual) ? `contains ${valueText(expected)}` : isText(actual)),
}

const isText = (actual: JsonValue): string => (actual === null ? 'is absent' : `is ${valueText(actual)}`)

const conditionText = (failure: Failure): string => `\`${failure.field}\` ${negations[failure.operator]?.(failure)}`

/** `notContains` fails on an object, and on a list that contains anything but scalars, whatever the operand is. */
const isSearchable = (actual: JsonValue): boolean =>
  typeof actual === 'string' ||
  (Array.isArray(actual) && actual.every((element) => typeof element !== 'object' || element === null))
