/**
 * The second factor: codes of an authenticator app (TOTP, RFC 6238) and recovery codes. Each code is valid once: the
 * time step of a used code is stored, and no step at or before it is accepted again; using a recovery code deletes it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, or, type Placeholder } from 'drizzle-orm'
import { verify } from 'otplib'
import type { Db, Tx } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { credentialTables } from '../credential/tables.js'

export type TotpFactor = ReturnType<typeof credentialTables>['totpFactors']['$inferSelect']

/** The tolerated difference of the phone's clock, in seconds. */
const TOLERANCE_SECONDS = 30
const CODE = /^\d{6}$/

export const totpPurpose = (userId: string): string => `totp ${userId}`

const factorOf = prepared((db, value: (name: 'userId') => Placeholder) => {
  const { totpFactors } = credentialTables(db)
  return db
    .select()
    .from(totpFactors)
    .where(eq(totpFactors.userId, value('userId')))
})

export async function findFactor(db: Db, userId: string): Promise<TotpFactor | null> {
  return (await factorOf(db, { userId }))[0] ?? null
}

/** The factor that a sign-in must ask for, or null. */
export async function confirmedFactor(db: Db, userId: string): Promise<TotpFactor | null> {
  const factor = await findFactor(db, userId)
  return factor === null || factor.confirmedAtMs === null ? null : factor
}

/** The time step of a correct code, or null. */
export async function matchCode(
  secret: string,
  code: string,
  nowMs: number,
  after: number | null,
): Promise<number | null> {
  if (!CODE.test(code)) return null
  const result = await verify({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: TOLERANCE_SECONDS,
    ...(after === null ? {} : { afterTimeStep: after }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Marks the step as used. @returns false when it, or a later one, was used in the meantime. */
export async function useTimeStep(tx: Tx, userId: string, timeStep: number): Promise<boolean> {
  const { totpFactors: table } = credentialTables(tx)
  const rows = await tx
    .update(table)
    .set({ lastTimeStep: timeStep })
    .where(
      and(
        eq(table.userId, userId),
        isNotNull(table.confirmedAtMs),
        or(isNull(table.lastTimeStep), lt(table.lastTimeStep, timeStep)),
      ),
    )
    .returning({ userId: table.userId })
  return rows.length === 1
}

export const RECOVERY_CODES = 10
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** `abcd-efgh-jkmn-pqrs`: 80 bits, without letters that look alike. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte & 31])
  return [0, 4, 8, 12].map((from) => letters.slice(from, from + 4).join('')).join('-')
}

const RECOVERY = /^[a-z0-9]{16}$/

/** The stored form, or null for a text that is not a recovery code. Case, spaces and hyphens are ignored. */
export function recoveryHash(userId: string, code: string): string | null {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return RECOVERY.test(plain) ? createHash('sha256').update(`${userId}\n${plain}`).digest('hex') : null
}

/** Uses a recovery code up. */
export async function useRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const hash = recoveryHash(userId, code)
  if (hash === null) return false
  const { recoveryCodes: table } = credentialTables(tx)
  const rows = await tx
    .delete(table)
    .where(and(eq(table.codeHash, hash), eq(table.userId, userId)))
    .returning({ codeHash: table.codeHash })
  return rows.length === 1
}
