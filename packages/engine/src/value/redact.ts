/**
 * What a result may show of a value: redacted, bounded, and never the value's own container.
 *
 * Source: rulings, `actualValue`. The same functions treat `expectedValue` by the rule's path.
 */
import type { JsonValue } from '../types.js'
import { jsonBytes } from './json-bytes.js'
import { memberKeys, own, readValue } from './own.js'

export const REDACTED = '[REDACTED]'
const ELLIPSIS = '…'
const MAX_STRING_UNITS = 1_024
const MAX_JSON_BYTES = 1_024

const SENSITIVE_NAMES = [
  'token',
  'secret',
  'password',
  'passphrase',
  'credential',
  'apikey',
  'accesskey',
  'privatekey',
] as const

/** `none`: show. `strings`: the nearest key is sensitive by name. `all`: reached through `env` or `buildArgs`. */
export type Sensitivity = 'none' | 'strings' | 'all'

/** These keys hold declarations of secrets, not secrets. */
const isDeclaration = (key: string): boolean => key === 'secrets' || key === 'requiredSecrets'

const isSensitiveMap = (key: string): boolean => key === 'env' || key === 'buildArgs'

const keySensitivity = (key: string): Sensitivity => {
  if (isSensitiveMap(key)) return 'all'
  if (isDeclaration(key)) return 'none'
  const lower = key.toLowerCase()
  return SENSITIVE_NAMES.some((name) => lower.includes(name)) ? 'strings' : 'none'
}

/** Of the value one segment further on. Index segments take the sensitivity of the key before them. */
export const stepSensitivity = (before: Sensitivity, segment: string): Sensitivity =>
  before === 'all' || /^\d+$/.test(segment) ? before : keySensitivity(segment)

/** Of the value that a path reaches. */
export const pathSensitivity = (segments: readonly string[]): Sensitivity =>
  segments.reduce<Sensitivity>(stepSensitivity, 'none')

/** The value as a result may carry it; absent is null. */
export const presentable = (value: unknown, sensitivity: Sensitivity, redact: boolean): JsonValue => {
  const read = readValue(value)
  if (read === undefined) return null
  const shown = redact ? sensitivity : 'none'
  if (shown === 'all') return REDACTED
  if (typeof read === 'string') return shown === 'strings' ? REDACTED : cutString(read)
  if (typeof read !== 'object' || read === null) return scalar(read)
  return boundedContainer(read, shown, redact)
}

const scalar = (value: unknown): JsonValue => (value === 0 ? 0 : (value as JsonValue))

const cutString = (text: string): string =>
  text.length <= MAX_STRING_UNITS ? text : text.slice(0, MAX_STRING_UNITS) + ELLIPSIS

/** First entries while the JSON text stays within the bound, then an ellipsis. */
const boundedContainer = (value: object, sensitivity: Sensitivity, redact: boolean): JsonValue => {
  const budget: Budget = { bytes: MAX_JSON_BYTES - 2 }
  if (Array.isArray(value)) {
    const texts = sensitivity === 'none' ? shortTexts(value) : null
    if (texts !== null) return texts
    const copy: JsonValue[] = []
    return copyElements(value, copy, sensitivity, redact, budget) ? copy : [...copy, ELLIPSIS]
  }
  const copy = Object.create(null) as Record<string, JsonValue>
  if (!copyMembers(value, copy, redact, budget)) copy[ELLIPSIS] = true
  return copy
}

/** A copy of a list of texts that fits whatever characters they have; else null, and exact counting decides. */
const shortTexts = (value: readonly unknown[]): JsonValue[] | null => {
  const copy: JsonValue[] = []
  let most = 1
  for (let index = 0; index < value.length; index++) {
    const element = value[index]
    if (typeof element !== 'string') return null
    most += MOST_BYTES_A_UNIT * element.length + 3
    if (most > MAX_JSON_BYTES) return null
    copy.push(element)
  }
  return copy
}

/** As `\u001f` in JSON text. */
const MOST_BYTES_A_UNIT = 6

/** Bytes of JSON text still to be had. Every level costs at least two, which bounds the recursion. */
interface Budget {
  bytes: number
}

const spend = (budget: Budget, bytes: number): boolean => {
  budget.bytes -= bytes
  return budget.bytes >= 0
}

const copyElements = (
  value: readonly unknown[],
  into: JsonValue[],
  sensitivity: Sensitivity,
  redact: boolean,
  budget: Budget,
): boolean => {
  for (let index = 0; index < value.length; index++) {
    if (index > 0 && !spend(budget, 1)) return false
    const copied = copyValue(value[index], sensitivity, redact, budget)
    if (copied === undefined) return false
    into.push(copied)
  }
  return true
}

const copyMembers = (value: object, into: Record<string, JsonValue>, redact: boolean, budget: Budget): boolean => {
  let first = true
  for (const key of memberKeys(value)) {
    if (!spend(budget, (first ? 1 : 2) + jsonBytes(key, budget.bytes))) return false
    first = false
    const copied = copyValue(own(value, key), redact ? keySensitivity(key) : 'none', redact, budget)
    if (copied === undefined) return false
    into[key] = copied
  }
  return true
}

/** `undefined` when the budget does not reach. */
const copyValue = (
  value: unknown,
  sensitivity: Sensitivity,
  redact: boolean,
  budget: Budget,
): JsonValue | undefined => {
  const read = readValue(value)
  if (sensitivity === 'all' && read !== undefined) return spend(budget, REDACTED.length + 2) ? REDACTED : undefined
  if (typeof read === 'object' && read !== null) {
    if (!spend(budget, 2)) return undefined
    if (Array.isArray(read)) {
      const copy: JsonValue[] = []
      return copyElements(read, copy, sensitivity, redact, budget) ? copy : undefined
    }
    const copy = Object.create(null) as Record<string, JsonValue>
    return copyMembers(read, copy, redact, budget) ? copy : undefined
  }
  if (typeof read === 'string') {
    // A text that would be cut does not fit into a container at all.
    const text = sensitivity === 'strings' ? REDACTED : read
    return spend(budget, jsonBytes(text, budget.bytes)) ? text : undefined
  }
  const shown = read === undefined ? null : scalar(read)
  return spend(budget, String(shown).length) ? shown : undefined
}
