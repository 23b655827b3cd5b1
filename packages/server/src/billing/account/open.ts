/**
 * Opens an account for a change by a request or a job: its lock, and its clock. A sandbox account has a test clock;
 * every other account has the clock of the process. Audit, quotas and sessions always use real time.
 */
import { eq, type Placeholder } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { billingTables } from '../tables.js'
import { type BillingBase, lockRoot, type Root } from './writing.js'

export interface AccountTime {
  readonly nowMs: number
  /** True when the account has a test clock. */
  readonly sandbox: boolean
}

export async function accountTime(db: Db, rootOrgId: string, realMs: number): Promise<AccountTime> {
  const [clock] = await clockOf(db, { rootOrgId })
  if (clock === undefined) return { nowMs: realMs, sandbox: false }
  return { nowMs: clock.nowMs, sandbox: true }
}

const clockOf = prepared((db, value: (name: 'rootOrgId') => Placeholder) => {
  const { billingAccounts: a, billingClocks: c } = billingTables(db)
  return db
    .select({ nowMs: c.nowMs })
    .from(a)
    .innerJoin(c, eq(a.clockId, c.id))
    .where(eq(a.orgId, value('rootOrgId')))
})

export interface OpenedAccount<C> {
  /** The context, with the time of the account. */
  readonly inTime: C
  readonly root: Root
  readonly sandbox: boolean
}

/** Locks the account. A change waits here while the test clock of the account is advanced. */
export async function openAccount<C extends BillingBase>(context: C, rootOrgId: string): Promise<OpenedAccount<C>> {
  const root = await lockRoot(context, rootOrgId)
  const { nowMs, sandbox } = await accountTime(context.tx, root.id, context.nowMs)
  return { inTime: atTime(context, nowMs), root, sandbox }
}

/** The same context at another instant. What it reads lazily stays lazy. */
export function atTime<C extends { readonly nowMs: number }>(context: C, nowMs: number): C {
  if (context.nowMs === nowMs) return context
  return Object.create(context, { nowMs: { value: nowMs, enumerable: true } }) as C
}

export const isSandbox = async (db: Db, rootOrgId: string): Promise<boolean> =>
  (await clockIdOf(db, rootOrgId)) !== null

/** The test clock of the account; null for an account that pays. */
export async function clockIdOf(db: Db, rootOrgId: string): Promise<string | null> {
  const [row] = await accountOf(db, { rootOrgId })
  return row?.clockId ?? null
}

const accountOf = prepared((db, value: (name: 'rootOrgId') => Placeholder) => {
  const { billingAccounts: t } = billingTables(db)
  return db
    .select({ clockId: t.clockId })
    .from(t)
    .where(eq(t.orgId, value('rootOrgId')))
})
