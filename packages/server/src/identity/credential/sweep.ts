/**
 * Removes what has expired: sessions, links, counters, used ids, tokens. In batches, so that no transaction is long.
 */
import { and, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import Type from 'typebox'
import { DAY_MS, HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import type { Tx } from '../../runtime/store/db.js'
import { GRACE_MS } from './grace.js'
import { NETWORK_KEPT_MS } from './known-networks.js'
import { MAIL_PAUSE_MS } from './mail-pause.js'
import { credentialTables } from './tables.js'

const BATCH = 500

/** A lockout lasts 900 s at most, so older failures have no effect. */
const LOCKOUT_KEPT_MS = DAY_MS
/** Ended sessions and tokens are kept for investigations. */
const ENDED_KEPT_MS = 30 * DAY_MS

const KIND = 'identity.sweep-credentials'

export const sweepCredentialsJob = defineJob({
  kind: KIND,
  payload: Type.Object({}),
  audit: none('what is removed had ended by itself'),
  async run(context) {
    for (;;) {
      const removed = await context.write(({ tx, nowMs }) => sweepCredentials(tx, nowMs, BATCH))
      if (removed < BATCH) return
    }
  },
})

export const sweepCredentialsSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS })

/**
 * Removes at most `rowsMax` rows of each kind. @returns the largest number of one kind; below `rowsMax`, nothing is
 * left.
 */
export async function sweepCredentials(tx: Tx, nowMs: number, rowsMax: number): Promise<number> {
  const {
    oneTimeTokens,
    usedTokenIds,
    lockouts,
    knownNetworks,
    mailPauses,
    personalAccessTokens: pats,
  } = credentialTables(tx)
  const old = nowMs - ENDED_KEPT_MS
  const counts = [
    await removeSome(tx, oneTimeTokens, oneTimeTokens.tokenHash, lt(oneTimeTokens.expiresAtMs, nowMs), rowsMax),
    await removeSome(tx, usedTokenIds, usedTokenIds.jti, lt(usedTokenIds.expiresAtMs, nowMs), rowsMax),
    await removeSome(tx, lockouts, lockouts.key, lt(lockouts.lastFailureAtMs, nowMs - LOCKOUT_KEPT_MS), rowsMax),
    await removeSome(
      tx,
      knownNetworks,
      knownNetworks.key,
      lt(knownNetworks.lastUsedAtMs, nowMs - NETWORK_KEPT_MS),
      rowsMax,
    ),
    await removeSome(tx, mailPauses, mailPauses.key, lt(mailPauses.sentAtMs, nowMs - MAIL_PAUSE_MS), rowsMax),
    await removeSome(tx, pats, pats.id, or(lt(pats.expiresAtMs, old), lt(pats.revokedAtMs, old)), rowsMax),
    await sweepSessions(tx, nowMs, rowsMax),
  ]
  return Math.max(...counts)
}

async function removeSome(
  tx: Tx,
  table: SQLiteTable,
  key: SQLiteColumn,
  isOver: SQL | undefined,
  rowsMax: number,
): Promise<number> {
  const some = tx.select({ key }).from(table).where(isOver).limit(rowsMax)
  return (await tx.delete(table).where(inArray(key, some)).returning({ key })).length
}

async function sweepSessions(tx: Tx, nowMs: number, rowsMax: number): Promise<number> {
  const { sessions, sessionProofs, spentRefreshTokens } = credentialTables(tx)
  // Parallel tabs may use the sealed successor only during the grace period, so it is not kept longer.
  await tx
    .update(sessions)
    .set({ successor: null })
    .where(and(isNotNull(sessions.successor), lt(sessions.rotatedAtMs, nowMs - GRACE_MS)))
  const ended = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(or(lt(sessions.expiresAtMs, nowMs - ENDED_KEPT_MS), lt(sessions.revokedAtMs, nowMs - ENDED_KEPT_MS)))
    .limit(rowsMax)
  if (ended.length === 0) return 0
  const ids = ended.map(({ id }) => id)
  await tx.delete(spentRefreshTokens).where(inArray(spentRefreshTokens.sessionId, ids))
  await tx.delete(sessionProofs).where(inArray(sessionProofs.sessionId, ids))
  await tx.delete(sessions).where(inArray(sessions.id, ids))
  return ids.length
}
