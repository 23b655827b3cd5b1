/**
 * The account while a request or a job changes it: its lock, and the time that it lives in. A sandbox account has a clock of
 * its own; every other one has that of the process. Audit, quotas and sessions keep the real time.
 */
import { eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'
import { type BillingBase, lockRoot, type Root } from './writing.js'

export interface AccountTime {
  readonly nowMs: number
  /** Whether the account lives by a test clock. */
  readonly sandbox: boolean
}

export async function accountTime(db: Db, rootOrgId: string, realMs: number): Promise<AccountTime> {
  const { billingAccounts: a, billingClocks: c } = billingTables(db)
  const [clock] = await db
    .select({ nowMs: c.nowMs })
    .from(a)
    .innerJoin(c, eq(a.clockId, c.id))
    .where(eq(a.orgId, rootOrgId))
  if (clock === undefined) return { nowMs: realMs, sandbox: false }
  return { nowMs: clock.nowMs, sandbox: true }
}

export interface OpenedAccount<C> {
  /** The context, in the time of the account. */
  readonly inTime: C
  readonly root: Root
  readonly sandbox: boolean
}

/** Locks the account. A change waits here while its clock is moved. */
export async function openAccount<C extends BillingBase>(context: C, rootOrgId: string): Promise<OpenedAccount<C>> {
  const root = await lockRoot(context, rootOrgId)
  const { nowMs, sandbox } = await accountTime(context.tx, root.id, context.nowMs)
  return { inTime: atTime(context, nowMs), root, sandbox }
}

/** The same context at another moment. What it reads lazily stays lazy. */
export function atTime<C extends { readonly nowMs: number }>(context: C, nowMs: number): C {
  if (context.nowMs === nowMs) return context
  return Object.create(context, { nowMs: { value: nowMs, enumerable: true } }) as C
}

export async function isSandbox(db: Db, rootOrgId: string): Promise<boolean> {
  const { billingAccounts: t } = billingTables(db)
  const [row] = await db.select({ clockId: t.clockId }).from(t).where(eq(t.orgId, rootOrgId))
  return row !== undefined && row.clockId !== null
}
