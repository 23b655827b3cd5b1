/**
 * What one look-up of a domain's TXT record means. An answer without the record counts; a name server that does not
 * answer changes nothing. When the record has been missing for 72 hours, the domain creates no more accounts.
 */
import { HOUR_MS } from '../../runtime/clock.js'
import type { TxtAnswer } from '../dns/resolve.js'
import type { DomainRow } from '../tables.js'

export const GRACE_MS = 72 * HOUR_MS

export interface Look {
  readonly atMs: number
  readonly answer: TxtAnswer
  readonly wanted: string
}

type Seen = Pick<DomainRow, 'verifiedAtMs' | 'checkedAtMs' | 'missingSinceMs'>

/** The row after the look-up. */
export function after(row: Seen, { atMs, answer, wanted }: Look): Seen {
  const { verifiedAtMs, missingSinceMs } = row
  // guard: a-name-server-that-does-not-answer-removes-nothing
  if (answer.kind === 'unanswered') return { verifiedAtMs, checkedAtMs: row.checkedAtMs, missingSinceMs }
  // guard: the-record-of-a-domain-is-compared-whole
  if (answer.texts.includes(wanted)) {
    return { verifiedAtMs: verifiedAtMs ?? atMs, checkedAtMs: atMs, missingSinceMs: null }
  }
  if (verifiedAtMs === null) return { verifiedAtMs, checkedAtMs: atMs, missingSinceMs: null }
  // guard: a-clock-that-was-set-back-lengthens-no-grace
  return { verifiedAtMs, checkedAtMs: atMs, missingSinceMs: Math.min(missingSinceMs ?? atMs, atMs) }
}

/** Whether the domain admits people now. */
export const isProven = (row: DomainRow, nowMs: number): boolean =>
  row.verifiedAtMs !== null &&
  row.heldDomain !== null &&
  // guard: a-domain-without-its-record-makes-no-accounts
  (row.missingSinceMs === null || isInGrace(row.missingSinceMs, nowMs))

/** An instant far in the future is of a clock that was ahead, and starts no grace. Clocks of replicas differ a little. */
// guard: an-instant-from-the-future-is-no-grace
const isInGrace = (sinceMs: number, nowMs: number): boolean => Math.abs(nowMs - sinceMs) < GRACE_MS
