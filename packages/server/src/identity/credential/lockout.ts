/**
 * Lockout: after 5 failures in a row, each further attempt must wait 2^(n−5) seconds, at most 900. It is never
 * permanent. The count is in the database, so that replicas share it and a restart does not reset it. Source: spec
 * platform 4.5.
 */
import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { credentialTables } from './tables.js'

export const FAILURES_FREE = 5
const WAIT_SECONDS_MAX = 900

/**
 * What is guessed: the password of an identifier without an account; the password of a person, from an unknown or a
 * known network; the password at a person's step-up; their second factor.
 */
export type LockoutKind = 'login' | 'login-user' | 'login-from' | 'step-up' | 'mfa' | 'mfa-from'

export const lockoutKey = (kind: LockoutKind, subject: string): string =>
  createHash('sha256').update(`${kind}\n${subject}`).digest('hex')

export const waitSeconds = (failures: number): number =>
  failures < FAILURES_FREE ? 0 : Math.min(WAIT_SECONDS_MAX, 2 ** (failures - FAILURES_FREE))

/** The refusal of a key that is locked now, or null. Only a preliminary check: the guess is judged after `takeTurn`. */
export async function lockedOut(db: Db, key: string, nowMs: number): Promise<Refusal | null> {
  const { lockouts } = credentialTables(db)
  const [row] = await db.select({ until: lockouts.lockedUntilMs }).from(lockouts).where(eq(lockouts.key, key))
  return row === undefined ? null : refusalOf(row.until, nowMs)
}

/**
 * Locks the key's row until the transaction ends, so that concurrent guesses are judged and counted one after another,
 * on every replica.
 * @returns the refusal of a key that is locked by then, or null.
 */
export async function takeTurn(tx: Tx, key: string, nowMs: number): Promise<Refusal | null> {
  const { lockouts } = credentialTables(tx)
  const [row] = await tx
    .insert(lockouts)
    .values({ key, failures: 0, lastFailureAtMs: nowMs, lockedUntilMs: 0 })
    .onConflictDoUpdate({ target: lockouts.key, set: { failures: sql`${lockouts.failures}` } })
    .returning({ until: lockouts.lockedUntilMs })
  return refusalOf(row?.until ?? 0, nowMs)
}

const refusalOf = (untilMs: number, nowMs: number): Refusal | null =>
  // guard: the-lockout-after-failed-sign-ins
  untilMs <= nowMs
    ? null
    : new Refusal('RATE_LIMIT_EXCEEDED', 'too many failed attempts; wait and try again', {
        headers: { 'Retry-After': String(Math.ceil((untilMs - nowMs) / 1000)) },
      })

/**
 * Counts a failure, after `takeTurn`.
 * @returns the number of failures in a row, including this one.
 */
export async function countFailure(tx: Tx, key: string, nowMs: number): Promise<number> {
  const { lockouts } = credentialTables(tx)
  const [row] = await tx
    .insert(lockouts)
    .values({ key, failures: 1, lastFailureAtMs: nowMs, lockedUntilMs: 0 })
    .onConflictDoUpdate({
      target: lockouts.key,
      set: { failures: sql`${lockouts.failures} + 1`, lastFailureAtMs: nowMs },
    })
    .returning({ failures: lockouts.failures })
  const failures = row?.failures ?? 1
  const lockedUntilMs = nowMs + waitSeconds(failures) * 1000
  if (lockedUntilMs > nowMs) await tx.update(lockouts).set({ lockedUntilMs }).where(eq(lockouts.key, key))
  return failures
}

export async function clearFailures(tx: Tx, key: string): Promise<void> {
  const { lockouts } = credentialTables(tx)
  await tx.delete(lockouts).where(eq(lockouts.key, key))
}
