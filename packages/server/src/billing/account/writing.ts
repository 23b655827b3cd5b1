/**
 * One account while it is changed: the root's row under its lock, the version that previews name, and the live
 * subscription. A request and a job change it by the same functions.
 */
import { eq, sql } from 'drizzle-orm'
import { type EntitlementWriting, lockAccount } from '../../identity/index.js'
import type { AuditEntry, WriteContext } from '../../runtime/operation/context.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

export const SUBSCRIPTION_ACTIONS = [
  'billing.subscription.create',
  'billing.subscription.change',
  'billing.subscription.cancel',
  'billing.subscription.reactivate',
  'billing.subscription.status',
  'billing.addon.add',
  'billing.addon.remove',
  'billing.addon.prune',
  'billing.combo.expired',
  'billing.discount.apply',
  'billing.promotion.clawback',
  'billing.credit.consumed',
  'billing.credit.exhausted',
  'admin.org.seatLimit.update',
  'compliance.rule.toggle',
] as const
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number]

/** What a change of billing reads and writes with; a request and a job both have it. */
export type BillingBase = Pick<WriteContext, 'tx' | 'runtime' | 'nowMs' | 'actor'>

/** A change that leaves evidence of these actions. */
export type Recording<A extends SubscriptionAction> = BillingBase & {
  audit(action: A, entry: AuditEntry): Promise<void>
}

/** A change that may do everything: draw, entitle, end. */
export type BillingWriting = EntitlementWriting & Recording<SubscriptionAction>

export type Root = Awaited<ReturnType<typeof lockAccount>>

/** The root under its lock; every change of billing begins with it. */
export const lockRoot = ({ tx }: Pick<BillingBase, 'tx'>, rootOrgId: string): Promise<Root> =>
  lockAccount(tx, rootOrgId)

/** Counts a change that a preview would have shown. The account's row comes into being with its first. */
export async function bumpVersion({ tx, runtime, nowMs }: BillingBase, rootOrgId: string): Promise<void> {
  const { billingAccounts: t } = billingTables(tx)
  const { BILLING_PROVIDER: provider } = runtime.settings
  await tx
    .insert(t)
    .values({ orgId: rootOrgId, provider, version: 1, createdAtMs: nowMs, updatedAtMs: nowMs })
    .onConflictDoUpdate({ target: t.orgId, set: { version: sql`${t.version} + 1`, updatedAtMs: nowMs } })
}

type Columns = Partial<Omit<SubscriptionRow, 'id' | 'orgId' | 'createdAtMs'>>

/** Writes columns of a subscription and gives the row as it is then. */
export async function writeSubscription(
  { tx, nowMs }: Pick<BillingBase, 'tx' | 'nowMs'>,
  row: SubscriptionRow,
  columns: Columns,
): Promise<SubscriptionRow> {
  const { billingSubscriptions: t } = billingTables(tx)
  const next = { ...columns, updatedAtMs: nowMs }
  await tx.update(t).set(next).where(eq(t.id, row.id))
  return { ...row, ...next }
}
