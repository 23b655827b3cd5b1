/**
 * What a result may show of a value: redacted, bounded, and never the container of the entity itself.
 *
 * Source: spec compliance 4.4. The same functions redact `expectedValue`, by the path of the rule.
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

/**
 * `none`: shown. `strings`: the name of the nearest key is sensitive, so texts are redacted. `all`: reached through
 * `env` or `buildArgs`, so everything is redacted.
 */
export type Sensitivity = 'none' | 'strings' | 'all'

/** These keys contain declarations of secrets, not the secrets. */
const isDeclaration = (key: string): boolean => key === 'secrets' || key === 'requiredSecrets'

const isSensitiveMap = (key: string): boolean => key === 'env' || key === 'buildArgs'

const keySensitivity = (key: string): Sensitivity => {
  if (isSensitiveMap(key)) return 'all'
  if (isDeclaration(key)) return 'none'
  const lower = key.toLowerCase()
  return SENSITIVE_NAMES.some((name) => lower.includes(name)) ? 'strings' : 'none'
}

/** The sensitivity one segment further on. An index has the sensitivity of the key before it. */
export const stepSensitivity = (before: Sensitivity, segment: string): Sensitivity =>
  before === 'all' || /^\d+$/.test(segment) ? before : keySensitivity(segment)

/** The sensitivity of the value that a path reaches. */
export const pathSensitivity = (segments: readonly string[]): Sensitivity =>
  segments.reduce<Sensitivity>(stepSensitivity, 'none')

/** The value as a result may show it; null when it is absent. */
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

/** Copies entries while the JSON text stays within the bound, then adds an ellipsis. */
const boundedContainer = (value: object, sensitivity: Sensitivity, redact: boolean): JsonValue => {
  const texts = sensitivity === 'none' && Array.isArray(value) ? shortTexts(value) : null
  if (texts !== null) return texts
  const copy = emptyLike(value)
  if (!fill(copy, value, sensitivity, redact, { bytes: MAX_JSON_BYTES - 2 })) {
    if (Array.isArray(copy)) copy.push(ELLIPSIS)
    else copy[ELLIPSIS] = true
  }
  return copy
}

type Copy = JsonValue[] | Record<string, JsonValue>

const emptyLike = (value: object): Copy => (Array.isArray(value) ? [] : Object.create(null))

/** Copies a list of texts that fits whatever its characters are; null when only exact counting can decide. */
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

/** The bytes of the longest escape in JSON text, `\u001f`. */
const MOST_BYTES_A_UNIT = 6

/** The bytes of JSON text that are left. Every level costs at least two bytes, which bounds the recursion. */
interface Budget {
  bytes: number
}

const spend = (budget: Budget, bytes: number): boolean => {
  budget.bytes -= bytes
  return budget.bytes >= 0
}

/** @returns false when the budget was used up; the copy then has the entries that fitted. */
const fill = (copy: Copy, value: object, sensitivity: Sensitivity, redact: boolean, budget: Budget): boolean => {
  const isList = Array.isArray(value)
  let separator = 0
  for (const key of isList ? value.keys() : memberKeys(value)) {
    const name = typeof key === 'string' ? 1 + jsonBytes(key, budget.bytes) : 0
    if (!spend(budget, separator + name)) return false
    separator = 1
    const inside = typeof key !== 'string' ? sensitivity : redact ? keySensitivity(key) : 'none'
    const copied = copyValue(own(value, key), inside, redact, budget)
    if (copied === undefined) return false
    ;(copy as Record<PropertyKey, JsonValue>)[key] = copied
  }
  return true
}

/** Returns `undefined` when the budget does not suffice. */
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
    const copy = emptyLike(read)
    return fill(copy, read, sensitivity, redact, budget) ? copy : undefined
  }
  if (typeof read === 'string') {
    // Inside a container a text is never shortened: it fits completely or not at all.
    const text = sensitivity === 'strings' ? REDACTED : read
    return spend(budget, jsonBytes(text, budget.bytes)) ? text : undefined
  }
  const shown = read === undefined ? null : scalar(read)
  return spend(budget, String(shown).length) ? shown : undefined
}
