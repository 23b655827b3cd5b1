/**
 * A token that was issued to the same caller for the same access a moment ago. A pipeline starts many jobs that pull one
 * image at once, and the signature is the largest part of what a token costs.
 *
 * INVARIANT: only the signature is reused. Each request reads the credential and the rights again, and a token that grants
 * anything else is another one.
 */
import { LRUCache } from 'lru-cache'
import type { TokenKey } from '../keys.js'
import { type Claims, signToken } from '../sign.js'

const REUSED_MS = 5000
/** Registry clients take a token as good for at least a minute. */
const LEFT_MS_MIN = 60_000
const TOKENS_MAX = 5000

interface Issued {
  readonly token: string
  readonly issuedAtMs: number
}

/** By key, so that no token outlives its key. */
const issuedBy = new WeakMap<TokenKey, LRUCache<string, Issued>>()

export function recentToken(claims: Claims, key: TokenKey): Issued {
  const { subject, access, nowMs, seconds } = claims
  let issued = issuedBy.get(key)
  if (issued === undefined) {
    issued = new LRUCache({ max: TOKENS_MAX })
    issuedBy.set(key, issued)
  }
  // guard: a-token-is-reused-for-equal-access-alone
  const name = JSON.stringify([subject, access, seconds])
  const found = issued.get(name)
  const agedMs = found === undefined ? 0 : nowMs - found.issuedAtMs
  // After a clock was set back, the age is negative.
  const isRecent = agedMs >= 0 && agedMs < Math.min(REUSED_MS, seconds * 1000 - LEFT_MS_MIN)
  if (found !== undefined && isRecent) return found
  const made = { token: signToken(claims, key), issuedAtMs: nowMs }
  issued.set(name, made)
  return made
}
