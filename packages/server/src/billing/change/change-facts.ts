/** What a change is planned from, in addition to the subscription. Preview and commit read the same. */
import { type Cents, cents, type Promotion, type Usage, ZERO } from '@plumbline/billing-core'
import { and, eq, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { providerOf } from '../charge/open.js'
import { requireOwnSeller } from '../charge/seller.js'
import type { InvoiceSources } from '../invoice/account.js'
import { sourcesOf } from '../invoice/sources.js'
import { promisedPromotions } from '../promotion/promised.js'
import { findLink } from '../provider/link.js'
import type { PaymentProvider } from '../provider/port.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { usageOf } from './usage.js'

/** Who charges for a change: this server, a provider that knows the subscription, or one that learns of it now. */
type Charging = 'here' | 'there' | 'begins'

export interface ChangeFacts extends Pick<PaymentProvider, 'requireSellable'> {
  readonly usage: Usage
  readonly atMs: number
  readonly sources: InvoiceSources
  /** What another plan would grant at once. */
  readonly promised: readonly Promotion[]
  readonly charging: Charging
  /** Credit that the provider does not know yet. It pays no invoice that is drawn there now. */
  readonly untoldCents: Cents
  /** The provider charges nothing that changes in this period. */
  readonly isPeriodHeld: boolean
}

/**
 * @param atMs The instant of a preview that the change names.
 * @throws Refusal 409 for a subscription of another provider.
 */
export async function readChangeFacts(
  runtime: Runtime,
  db: Db,
  row: SubscriptionRow,
  { nowMs, atMs = nowMs }: { readonly nowMs: number; readonly atMs?: number },
): Promise<ChangeFacts> {
  await requireOwnSeller(runtime, db, row)
  const provider = providerOf(runtime)
  const link = provider.isLocal ? null : await findLink(db, row.id)
  return {
    usage: await usageOf(runtime, db, row.orgId, nowMs),
    atMs,
    sources: await sourcesOf(runtime, db, row),
    promised: await promisedPromotions(runtime, db, row, 'plan_change'),
    charging: provider.isLocal ? 'here' : link === null ? 'begins' : 'there',
    untoldCents: link === null || row.pendingRows === 0 ? ZERO : await untoldCents(db, row),
    isPeriodHeld: link?.isPeriodHeld === true,
    requireSellable: provider.requireSellable,
  }
}

async function untoldCents(db: Db, { id }: SubscriptionRow): Promise<Cents> {
  const { billingCreditEntries: t } = billingTables(db)
  const left = sql<number>`coalesce(sum(${t.remainingCents}), 0)`.mapWith(Number)
  const [sum] = await db
    .select({ left })
    .from(t)
    .where(and(eq(t.subscriptionId, id), eq(t.type, 'grant'), eq(t.state, 'pending')))
  return cents(sum?.left ?? 0)
}
