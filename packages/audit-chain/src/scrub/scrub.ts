/**
 * Cleans details before they are hashed (spec billing-audit 23). It removes account numbers, values of keys that are
 * named after accounts or secrets, and everything beyond the size limits. It reports where it removed what kind of
 * thing, never the value.
 *
 * INVARIANT: copy-on-write over the normalised input, idempotent, and nothing is changed that no rule names.
 */
import { canonicalText } from '../canonical/jcs.js'
import type { JsonObject, JsonValue } from '../canonical/json.js'
import { normalise } from '../canonical/normalise.js'
import type { CryptoPort } from '../crypto/port.js'
import { utf8Length } from '../encoding/utf8.js'
import { REDACTED, scrubText } from './account-token.js'

export const TRUNCATED = '[TRUNCATED]'

export const SCRUB_LIMITS = {
  /** Containers at this depth become `[TRUNCATED]`. The details themselves are at depth 0. */
  depth: 8,
  keys: 200,
  items: 500,
  /** The longest string, in UTF-16 units. */
  stringUnits: 8192,
  /** The largest canonical text of all details, in UTF-8 bytes. */
  textBytes: 32_768,
  /** The most entries of the report. Further ones are only counted, in `removedCount`. */
  reported: 1000,
} as const

export type RemovalKind =
  | 'account-number'
  | 'account-key'
  | 'secret-key'
  | 'depth'
  | 'string-length'
  | 'keys'
  | 'items'
  | 'size'

export interface Removal {
  /** JSON pointer (RFC 6901) into the details. Account numbers in keys are redacted. */
  readonly path: string
  readonly kind: RemovalKind
}

export interface Scrubbed {
  /** Null when there are no details. Sealing accepts no other type. */
  readonly details: ScrubbedDetails | null
  readonly removed: readonly Removal[]
  /** The number of removals; larger than `removed.length` when the report is shortened. */
  readonly removedCount: number
}

/** Details that went through `scrub`. Only this module makes them, so details that were not scrubbed cannot be sealed. */
export class ScrubbedDetails {
  readonly #sealable = true
  /** The canonical JSON text: what is hashed and stored. */
  readonly text: string
  readonly value: JsonObject

  constructor(proof: typeof MADE_BY_SCRUB, value: JsonObject, text: string) {
    if (proof !== MADE_BY_SCRUB) throw new TypeError('details must come from `scrub`')
    this.value = value
    this.text = text
  }

  /**
   * Details that `scrub` made earlier and that were stored as text. The caller guarantees this. Nothing is scrubbed
   * here, because scrubbing a result again may shorten one that was at a limit.
   */
  static fromStored(text: string): ScrubbedDetails {
    return new ScrubbedDetails(MADE_BY_SCRUB, JSON.parse(text) as JsonObject, text)
  }

  static is(value: unknown): value is ScrubbedDetails {
    return typeof value === 'object' && value !== null && #sealable in value
  }
}

const MADE_BY_SCRUB = Symbol('made by scrub')

/** Keys whose values are secrets. They are compared in lower case, without `_`, `-` and `.`. */
const SECRET_KEYS = new Set([
  'password',
  'passwd',
  'passphrase',
  'secret',
  'clientsecret',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'apikey',
  'authorization',
  'cookie',
  'setcookie',
  'privatekey',
  'webhooksecret',
  'signingkey',
])
const KEY_PUNCTUATION = /[_.-]/g

type KeyClass = 'plain' | 'account' | 'secret'

function classOf(key: string): KeyClass {
  const lower = key.toLowerCase()
  if (SECRET_KEYS.has(lower.replace(KEY_PUNCTUATION, ''))) return 'secret'
  return lower.includes('account') ? 'account' : 'plain'
}

/**
 * Scrubs details. A value that is not an object becomes `{ value }`; null and undefined mean that there are no details.
 * It never throws.
 */
export function scrub(crypto: CryptoPort, details: unknown): Scrubbed {
  const normal = normalise(details)
  const report: Report = { removed: [], count: 0 }
  if (normal === null) return { details: null, removed: [], removedCount: 0 }
  const object: JsonObject =
    typeof normal === 'object' && !Array.isArray(normal) ? (normal as JsonObject) : { value: normal }
  const scrubbed = scrubObject(object, { depth: 0, inAccount: false, path: null, key: '' }, report)
  const text = canonicalText(scrubbed)
  const bytes = text.length * 3 <= SCRUB_LIMITS.textBytes ? 0 : utf8Length(text)
  if (bytes <= SCRUB_LIMITS.textBytes) {
    return {
      details: new ScrubbedDetails(MADE_BY_SCRUB, scrubbed, text),
      removed: report.removed,
      removedCount: report.count,
    }
  }
  note(report, null, 'size')
  const summary = { bytes, sha256: crypto.sha256Text(EMPTY, text), truncated: true }
  return {
    details: new ScrubbedDetails(MADE_BY_SCRUB, summary, canonicalText(summary)),
    removed: report.removed,
    removedCount: report.count,
  }
}

const EMPTY = new Uint8Array(0)

interface Report {
  readonly removed: Removal[]
  count: number
}

/** The position of the walk, as a linked list. It becomes a JSON pointer only when something is removed there. */
interface Place {
  readonly depth: number
  /** True below a key that is named after an account, where every string and number is removed. */
  readonly inAccount: boolean
  readonly path: Place | null
  readonly key: string | number
}

function note(report: Report, place: Place | null, kind: RemovalKind): void {
  report.count++
  if (report.removed.length < SCRUB_LIMITS.reported) report.removed.push({ path: pointer(place), kind })
}

function pointer(place: Place | null): string {
  let text = ''
  for (let at = place; at !== null && at.path !== null; at = at.path) {
    const key = typeof at.key === 'number' ? String(at.key) : cutText(scrubText(at.key))
    text = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${text}`
  }
  return text
}

function scrubValue(value: JsonValue, place: Place, report: Report): JsonValue {
  if (typeof value === 'string') {
    if (place.inAccount && value !== REDACTED && value !== TRUNCATED) {
      note(report, place, 'account-key')
      return REDACTED
    }
    return scrubString(value, place, report)
  }
  if (typeof value === 'number' && place.inAccount) {
    note(report, place, 'account-key')
    return REDACTED
  }
  if (value === null || typeof value !== 'object') return value
  if (place.depth >= SCRUB_LIMITS.depth) {
    note(report, place, 'depth')
    return TRUNCATED
  }
  return Array.isArray(value) ? scrubArray(value, place, report) : scrubObject(value as JsonObject, place, report)
}

function scrubString(text: string, place: Place, report: Report): string {
  const scrubbed = scrubText(text)
  if (scrubbed !== text) note(report, place, 'account-number')
  if (scrubbed.length <= SCRUB_LIMITS.stringUnits) return scrubbed
  note(report, place, 'string-length')
  return cutText(scrubbed)
}

/**
 * Shortens a text between characters, then scrubs it again, because the cut may leave exactly twelve digits of a longer
 * run.
 */
function cutText(text: string): string {
  if (text.length <= SCRUB_LIMITS.stringUnits) return text
  const last = text.charCodeAt(SCRUB_LIMITS.stringUnits - 1)
  const end = last >= 0xd800 && last < 0xdc00 ? SCRUB_LIMITS.stringUnits - 1 : SCRUB_LIMITS.stringUnits
  return scrubText(text.slice(0, end))
}

function scrubArray(items: readonly JsonValue[], place: Place, report: Report): readonly JsonValue[] {
  let copy: JsonValue[] | null = null
  const kept = Math.min(items.length, SCRUB_LIMITS.items)
  for (let index = 0; index < kept; index++) {
    const before = items[index] ?? null
    const after = scrubValue(
      before,
      { depth: place.depth + 1, inAccount: place.inAccount, path: place, key: index },
      report,
    )
    if (copy === null && after !== before) copy = items.slice(0, index)
    copy?.push(after)
  }
  if (items.length <= kept) return copy ?? items
  note(report, place, 'items')
  return [...(copy ?? items.slice(0, kept)), TRUNCATED]
}

function scrubObject(object: JsonObject, place: Place, report: Report): JsonObject {
  const keys = Object.keys(object)
  const kept = Math.min(keys.length, SCRUB_LIMITS.keys)
  let copy: Record<string, JsonValue> | null = null
  for (let index = 0; index < kept; index++) {
    const key = keys[index] ?? ''
    const before = object[key] ?? null
    const after = scrubMember(key, before, place, report)
    const cleanKey = scrubKey(key, place, report)
    if (copy === null && (after !== before || cleanKey !== key)) copy = copyOf(object, keys, index)
    if (copy !== null) setMember(copy, cleanKey, after)
  }
  if (keys.length <= kept) return copy ?? object
  note(report, place, 'keys')
  const cut = copy ?? copyOf(object, keys, kept)
  setMember(cut, TRUNCATED, true)
  return cut
}

function scrubMember(key: string, value: JsonValue, parent: Place, report: Report): JsonValue {
  const keyClass = classOf(key)
  const place: Place = {
    depth: parent.depth + 1,
    inAccount: parent.inAccount || keyClass === 'account',
    path: parent,
    key,
  }
  if (keyClass !== 'secret' || value === null || typeof value === 'boolean' || value === REDACTED) {
    return scrubValue(value, place, report)
  }
  note(report, place, 'secret-key')
  return REDACTED
}

function scrubKey(key: string, parent: Place, report: Report): string {
  const clean = cutText(scrubText(key))
  if (clean !== key) note(report, { depth: parent.depth + 1, inAccount: false, path: parent, key }, 'account-number')
  return clean
}

function copyOf(object: JsonObject, keys: readonly string[], count: number): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {}
  for (let index = 0; index < count; index++) {
    const key = keys[index] ?? ''
    setMember(copy, key, object[key] ?? null)
  }
  return copy
}

function setMember(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}
