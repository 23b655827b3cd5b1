/**
 * An offline bundle of the rules that an organization is held to: what `plumbline check --bundle` needs instead of a server.
 * The content is signed as a note (C2SP signed-note) of five lines, by the key that signs checkpoints:
 *
 *     plumbline-rule-bundle-v1
 *     <origin>/<organization>
 *     <issued>
 *     <expires>
 *     <H("plumbline-rule-bundle-v1\n" || JCS(content))>
 *
 * The first line keeps it apart from every checkpoint, whose second line is a number. Source: ADR 76.
 */
import { canonicalise } from '../canonical/jcs.js'
import type { SigningKey, VerifierKey } from '../checkpoint/key.js'
import { checkNote, parseNote, signNote } from '../checkpoint/note.js'
import type { CryptoPort } from '../crypto/port.js'
import { toUtf8 } from '../encoding/utf8.js'

const TITLE = 'plumbline-rule-bundle-v1'
const PREFIX = toUtf8(`${TITLE}\n`)

/** What is signed over besides the rules. Instants are ISO 8601. */
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
 * The bundle of the content, signed with each key. The content is signed as it is: whether its dates fit together is
 * for the caller.
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
  const sum = crypto.sha256Text(PREFIX, canonicalise(content))
  return `${[TITLE, `${origin}/${content.orgId}`, content.issuedAt, content.expiresAt, sum].join('\n')}\n`
}

export type RuleBundleProblem =
  /** Not a bundle at all. */
  | 'malformed'
  /** No signature of a key that the caller knows. */
  | 'unknown_key'
  /** A signature of a known key that does not verify. */
  | 'bad_signature'
  /** The content is not what was signed. */
  | 'content_altered'
  /** Of another organization than the one that was asked for. */
  | 'other_organization'
  | 'expired'
  /** Issued later than now. */
  | 'not_yet'

export interface RuleBundleOptions {
  readonly keys: readonly VerifierKey[]
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The organization that it must be of; any when left out. */
  readonly orgId?: string | undefined
}

/** Clocks may differ by this much. */
const CLOCK_MS = 5 * 60_000

/** The content, once it is known to be the signer's, in its time and of the organization; else what is wrong. */
export function openRuleBundle(
  crypto: CryptoPort,
  value: unknown,
  { keys, nowMs, orgId }: RuleBundleOptions,
): { readonly content: RuleBundleContent; readonly origin: string } | { readonly problem: RuleBundleProblem } {
  if (!isBundle(value)) return { problem: 'malformed' }
  const { content } = value
  const note = parseNote(value.note)
  if (note === null) return { problem: 'malformed' }
  const { verified, failed } = checkNote(crypto, note, keys)
  if (failed.length > 0) return { problem: 'bad_signature' }
  if (verified.length === 0) return { problem: 'unknown_key' }
  const [title, name = ''] = note.text.split('\n')
  const origin = name.endsWith(`/${content.orgId}`) ? name.slice(0, -content.orgId.length - 1) : ''
  if (title !== TITLE || note.text !== noteText(crypto, origin, content)) return { problem: 'content_altered' }
  if (orgId !== undefined && content.orgId !== orgId) return { problem: 'other_organization' }
  // Not as a negation of `<`: an instant that is none is never in its time.
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
