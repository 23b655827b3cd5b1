/**
 * One e-mail of a kind a minute and address, no matter who asks for it: nobody's mailbox is filled through us. Notices about what
 * happened to an account are not held back by it, or somebody could keep its owner from reading them.
 */
import { createHash } from 'node:crypto'
import { lte } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { foldKey } from '../new-user.js'
import { credentialTables } from './tables.js'

export const MAIL_PAUSE_MS = 60_000

/** Apart, or anyone who sends invitations to an address would keep its owner from a link to a new password. */
export type PausedMail = 'reset-password' | 'verify-email' | 'invitation'

/** @returns false when one of the kind left for the address within the last minute. */
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
