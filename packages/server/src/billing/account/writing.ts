/**
 * One account while it is changed: the root's row with its lock, the version that previews name, and the live
 * subscription. Requests and jobs use the same functions.
 */
import { type Placeholder, sql } from 'drizzle-orm'
import { type EntitlementWriting, lockAccount } from '../../identity/index.js'
import type { AuditEntry, WriteContext } from '../../runtime/operation/context.js'
import { prepared, updateRow } from '../../runtime/store/prepared.js'
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

/** What a change of billing needs to read and write. Requests and jobs both have it. */
export type BillingBase = Pick<WriteContext, 'tx' | 'runtime' | 'nowMs' | 'actor'>

/** A change that writes evidence of these actions. */
export type Recording<A extends SubscriptionAction> = BillingBase & {
  audit(action: A, entry: AuditEntry): Promise<void>
}

/** A change that may do everything: draw invoices, set entitlements, end subscriptions. */
export type BillingWriting = EntitlementWriting & Recording<SubscriptionAction>

export type Root = Awaited<ReturnType<typeof lockAccount>>

/** Locks the root's row. Every change of billing begins with this. */
export const lockRoot = ({ tx }: Pick<BillingBase, 'tx'>, rootOrgId: string): Promise<Root> =>
  lockAccount(tx, rootOrgId)

/** Counts a change that a preview would have shown. The first change creates the account's row. */
export async function bumpVersion({ tx, runtime, nowMs }: BillingBase, rootOrgId: string): Promise<void> {
  const { BILLING_PROVIDER: provider } = runtime.settings
  await bump(tx, { orgId: rootOrgId, provider, nowMs })
}

const bump = prepared((db, value: (name: 'orgId' | 'provider' | 'nowMs') => Placeholder) => {
  const { billingAccounts: t } = billingTables(db)
  const nowMs = sql`${value('nowMs')}`
  return db
    .insert(t)
    .values({
      orgId: sql`${value('orgId')}`,
      provider: sql`${value('provider')}`,
      version: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    .onConflictDoUpdate({ target: t.orgId, set: { version: sql`${t.version} + 1`, updatedAtMs: nowMs } })
})

type Columns = Partial<Omit<SubscriptionRow, 'id' | 'orgId' | 'createdAtMs'>>

/** Writes columns of a subscription and returns the row with them. */
export async function writeSubscription(
  { tx, nowMs }: Pick<BillingBase, 'tx' | 'nowMs'>,
  row: SubscriptionRow,
  columns: Columns,
): Promise<SubscriptionRow> {
  const { billingSubscriptions: t } = billingTables(tx)
  const next = { ...columns, updatedAtMs: nowMs }
  await updateRow(tx, t, row.id, next)
  return { ...row, ...next }
}
