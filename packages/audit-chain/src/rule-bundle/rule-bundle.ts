/**
 * An offline bundle of the rules that apply to an organization, which `plumbline check --bundle` uses instead of a
 * server.
 *
 * The key that signs checkpoints signs the content, as a note (C2SP signed-note) of five lines:
 *
 *     plumbline-rule-bundle-v1
 *     <origin>/<organization>
 *     <issued>
 *     <expires>
 *     <H("plumbline-rule-bundle-v1\n" || JCS(content))>
 *
 * The second line of a checkpoint is a number, so the note cannot be mistaken for one. Source: ADR 76.
 */
import { canonicaliseWhole } from '../canonical/jcs.js'
import { normalise } from '../canonical/normalise.js'
import type { SigningKey, VerifierKey } from '../checkpoint/key.js'
import { checkNote, parseNote, signNote } from '../checkpoint/note.js'
import type { CryptoPort } from '../crypto/port.js'
import { toUtf8 } from '../encoding/utf8.js'

const TITLE = 'plumbline-rule-bundle-v1'
const PREFIX = toUtf8(`${TITLE}\n`)

/** What is signed in addition to the rules. Instants are ISO 8601. */
export interface RuleBundleContent {
  readonly orgId: string
  readonly issuedAt: string
  readonly expiresAt: string
  readonly [field: string]: unknown
}

export interface RuleBundle<C extends RuleBundleContent = RuleBundleContent> {
  readonly plumblineRuleBundle: 1
  readonly note: string
  readonly content: C
}

/**
 * Returns the bundle of the content, signed with each key. The caller must check that the dates of the content fit
 * together.
 */
export function signRuleBundle<C extends RuleBundleContent>(
  crypto: CryptoPort,
  origin: string,
  content: C,
  keys: readonly SigningKey[],
): RuleBundle<C> {
  return { plumblineRuleBundle: 1, note: signNote(crypto, noteText(crypto, origin, content), keys), content }
}

function noteText(crypto: CryptoPort, origin: string, content: RuleBundleContent): string {
  const sum = crypto.sha256Text(PREFIX, canonicaliseWhole(content))
  return `${[TITLE, `${origin}/${content.orgId}`, content.issuedAt, content.expiresAt, sum].join('\n')}\n`
}

export type RuleBundleProblem =
  /** The text is not a bundle. */
  | 'malformed'
  /** No signature is of a key that the caller knows. */
  | 'unknown_key'
  /** The signature of a known key does not verify. */
  | 'bad_signature'
  /** The content is not the content that was signed. */
  | 'content_altered'
  /** The bundle is of another organization than the requested one. */
  | 'other_organization'
  | 'expired'
  /** The bundle was issued in the future. */
  | 'not_yet'

export interface RuleBundleOptions {
  readonly keys: readonly VerifierKey[]
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The organization that the bundle must be of; any organization when absent. */
  readonly orgId?: string | undefined
}

/** The clock difference that is tolerated. */
const CLOCK_MS = 5 * 60_000

/**
 * Returns the content when a known key signed it, it is not expired, and it is of the organization. Otherwise returns
 * the problem.
 */
export function openRuleBundle(
  crypto: CryptoPort,
  value: unknown,
  { keys, nowMs, orgId }: RuleBundleOptions,
): { readonly content: RuleBundleContent; readonly origin: string } | { readonly problem: RuleBundleProblem } {
  if (!isBundle(value)) return { problem: 'malformed' }
  // What was signed is the normal form, so that nothing else may be evaluated: `1e999` is null there.
  const content = normalise(value.content, Number.POSITIVE_INFINITY) as unknown as RuleBundleContent
  const note = parseNote(value.note)
  if (note === null) return { problem: 'malformed' }
  const { verified, failed } = checkNote(crypto, note, keys)
  if (failed.length > 0) return { problem: 'bad_signature' }
  if (verified.length === 0) return { problem: 'unknown_key' }
  const [title, name = ''] = note.text.split('\n')
  const origin = name.endsWith(`/${content.orgId}`) ? name.slice(0, -content.orgId.length - 1) : ''
  if (title !== TITLE || note.text !== noteText(crypto, origin, content)) return { problem: 'content_altered' }
  if (orgId !== undefined && content.orgId !== orgId) return { problem: 'other_organization' }
  // Not written as `>=`, because an instant that cannot be parsed must count as expired.
  if (!(nowMs < Date.parse(content.expiresAt))) return { problem: 'expired' }
  if (!(nowMs >= Date.parse(content.issuedAt) - CLOCK_MS)) return { problem: 'not_yet' }
  return { content, origin }
}

function isBundle(value: unknown): value is RuleBundle {
  if (typeof value !== 'object' || value === null) return false
  const { plumblineRuleBundle, note, content } = value as Partial<RuleBundle>
  return (
    plumblineRuleBundle === 1 &&
    typeof note === 'string' &&
    typeof content === 'object' &&
    content !== null &&
    typeof content.orgId === 'string' &&
    typeof content.issuedAt === 'string' &&
    typeof content.expiresAt === 'string'
  )
}
