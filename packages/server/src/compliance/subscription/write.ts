/**
 * Writes a subscription. A change that affects the rules in force increases the organization's stamp and queues scans
 * of the stored records, in the same transaction.
 */
import { and, eq } from 'drizzle-orm'
import type { Runtime, WriteContext } from '../../runtime/operation/context.js'
import { rescanFor } from '../follow-up/rescans.js'
import { inForce, type Writing as Recording, recordSubscription } from '../past/record.js'
import { stampRules } from '../rule-stamp.js'
import { complianceTables, type SubscriptionRow } from '../tables.js'

type Writing = Recording & Pick<WriteContext, 'enqueue'>

export interface Subscribing {
  readonly orgId: string
  readonly ruleId: string
  readonly source: 'manual' | 'auto' | 'entitlement'
  readonly isActive: boolean
  readonly by: string | null
}

/** The row for the first subscription of an organization to a rule. */
export function newSubscription(
  { ids }: Pick<Runtime, 'ids'>,
  { by, ...what }: Subscribing,
  nowMs: number,
): SubscriptionRow {
  return {
    id: ids.next(),
    ...what,
    mode: 'enforce',
    pinnedVersion: null,
    pinnedAtMs: null,
    pinnedBy: null,
    optedOut: false,
    subscribedAtMs: nowMs,
    subscribedBy: by,
    unsubscribedAtMs: null,
    unsubscribedBy: null,
    updatedAtMs: nowMs,
  }
}

export async function insertSubscriptions(context: Writing, rows: readonly SubscriptionRow[]): Promise<void> {
  const { tx } = context
  const [first] = rows
  if (first === undefined) return
  const { subscriptions } = complianceTables(tx)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await tx.insert(subscriptions).values(rows.slice(at, at + ROWS_AT_ONCE))
  }
  for (const row of rows) await recordSubscription(context, null, row)
  const active = rows.filter(({ isActive }) => isActive)
  if (active.length === 0) return
  await stampRules(tx, first.orgId)
  await rescanFor(
    context,
    first.orgId,
    active.map(({ ruleId }) => ruleId),
  )
}

const ROWS_AT_ONCE = 200

/** @returns the row after the change. */
export async function changeSubscription(
  context: Writing,
  row: SubscriptionRow,
  change: Partial<SubscriptionRow>,
): Promise<SubscriptionRow> {
  const { tx, nowMs } = context
  const { subscriptions: t } = complianceTables(tx)
  const next = { ...row, ...change, updatedAtMs: nowMs }
  await tx
    .update(t)
    .set(next)
    .where(and(eq(t.id, row.id), eq(t.orgId, row.orgId)))
  await recordSubscription(context, row, next)
  // guard: a-switched-subscription-moves-the-stamp
  if (row.isActive || next.isActive) await stampRules(tx, row.orgId)
  if (inForce(row) !== inForce(next)) await rescanFor(context, row.orgId, [row.ruleId])
  return next
}
