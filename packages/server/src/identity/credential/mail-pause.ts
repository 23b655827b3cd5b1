/**
 * The server sends at most one e-mail of each kind to an address per minute, no matter who asks, so that nobody can
 * flood a mailbox. Security notices are exempt, or an attacker could use the limit to hide them from the account's
 * owner.
 */
import { createHash } from 'node:crypto'
import { lte } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { foldKey } from '../new-user.js'
import { credentialTables } from './tables.js'

export const MAIL_PAUSE_MS = 60_000

/**
 * Each kind has its own limit; otherwise a person who sends invitations to an address could keep its owner from
 * resetting the password.
 */
export type PausedMail = 'reset-password' | 'verify-email' | 'invitation'

/** @returns false when one of the kind was sent to the address within the last minute. */
export async function takeMailTurn(tx: Tx, kind: PausedMail, email: string, nowMs: number): Promise<boolean> {
  const { mailPauses: t } = credentialTables(tx)
  const key = createHash('sha256')
    .update(`${kind}\n${foldKey(email)}`)
    .digest('hex')
  const rows = await tx
    .insert(t)
    .values({ key, sentAtMs: nowMs })
    .onConflictDoUpdate({ target: t.key, set: { sentAtMs: nowMs }, setWhere: lte(t.sentAtMs, nowMs - MAIL_PAUSE_MS) })
    .returning({ key: t.key })
  // guard: an-address-gets-one-e-mail-of-a-kind-a-minute
  return rows.length > 0
}

export const mailedAlready = (): Refusal =>
  new Refusal('RATE_LIMIT_EXCEEDED', 'an e-mail was sent to this address less than a minute ago: wait and try again', {
    headers: { 'Retry-After': String(MAIL_PAUSE_MS / 1000) },
  })
