/**
 * Opens the hours of a purchase up to now, each with the units that were held when it began. A change of what is held
 * calls this first, so that an hour counts the same whether its job was on time, late or repeated.
 *
 * INVARIANT: the root's row is locked. Each hour of a purchase is opened only once.
 */

import {
  type Addon,
  availableOf,
  lapsesAt,
  ledgerKey,
  type MeteringPlan,
  openHour,
  periodContaining,
  planMetering,
  ZERO,
} from '@plumbline/billing-core'
import { HOUR_MS } from '../../runtime/clock.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { supportsCredit } from '../account/credit.js'
import { granted } from '../account/gate.js'
import { atTime } from '../account/open.js'
import { at, findLive, toCore, toMs } from '../account/subscription.js'
import type { BillingWriting, Root } from '../account/writing.js'
import { nextHour, writePurchase } from '../buyer/record.js'
import { findSubscription } from '../call/apply.js'
import { renewPeriod } from '../follow/period.js'
import { openStored, writeOutcome } from '../ledger/store.js'
import { marketplaceSettings } from '../marketplace/settings.js'
import { type HourRow, marketplaceTables, type PurchaseRow } from '../marketplace-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { countedIn } from './hour.js'
import { settleStored } from './settle.js'
import { uncounted } from './units.js'

const METERED: ReadonlySet<string> = new Set(['active', 'trialing'])
/** No hour can be reported later than this after its beginning. */
const REPORTABLE_HOURS = 24

export async function freezeHours(context: BillingWriting, root: Root, purchase: PurchaseRow): Promise<PurchaseRow> {
  const { tx, nowMs, runtime } = context
  if (!runtime.settings.BILLING_METERING_ENABLED || purchase.subscriptionId === null) return purchase
  const untilMs = nextHour(nowMs)
  if (purchase.meteredFromMs >= untilMs) return purchase
  let row = await findLive(tx, root.id)
  const isMetered = row !== null && row.id === purchase.subscriptionId && METERED.has(row.status)
  // Hours in which nothing was sold are not made up for.
  if (row === null || !isMetered) return writePurchase(context, purchase, { meteredFromMs: untilMs })
  const fromMs = Math.max(purchase.meteredFromMs, untilMs - REPORTABLE_HOURS * HOUR_MS)
  noteSkipped(context, purchase, row, fromMs)
  // Nobody can use what a deleted organization holds.
  // guard: a-deleted-organization-is-not-metered
  const endMs = root.deletedAtMs === null ? untilMs : Math.min(untilMs, nextHour(root.deletedAtMs))
  for (let hourMs = fromMs; hourMs < endMs; hourMs += HOUR_MS) {
    if (row.currentPeriodEndMs <= hourMs) row = await renewPeriod(atTime(context, hourMs), root, row)
    row = await freezeHour(context, purchase, row, hourMs)
  }
  return writePurchase(context, purchase, { meteredFromMs: untilMs })
}

/** Hours that the marketplace takes no more, which nobody has opened. With units for a period they count later. */
function noteSkipped({ runtime }: BillingWriting, purchase: PurchaseRow, row: SubscriptionRow, fromMs: number): void {
  const hours = (fromMs - purchase.meteredFromMs) / HOUR_MS
  const isCounted = runtime.settings.BILLING_METERING_MODE === 'cycle' && toCore(row).addons.length > 0
  if (hours <= 0 || !isCounted) return
  const hour = at(purchase.meteredFromMs).slice(0, 13)
  runtime.log?.write('billing.metering_skipped', { purchase: purchase.id, hour, hours })
}

async function freezeHour(
  context: BillingWriting,
  purchase: PurchaseRow,
  row: SubscriptionRow,
  hourMs: number,
): Promise<SubscriptionRow> {
  const { tx, runtime, nowMs } = context
  const { periodAnchor, interval } = toCore(row)
  const periodStartMs = toMs(periodContaining(periodAnchor, interval, at(hourMs)).start)
  const hour = at(hourMs).slice(0, 13)
  const key = ledgerKey.metering(hour)
  const ledger = await openStored(context, row, [key])
  const creditCents = supportsCredit(runtime) ? availableOf(ledger, row.id) : ZERO
  const plan = planOf(context, await countable(context, purchase, row, periodStartMs), creditCents)
  if (plan.isUnrealizable) {
    runtime.metrics?.count('billing_marketplace_credit_unrealizable_total')
    runtime.log?.write('billing.credit_unrealizable', { purchase: purchase.id })
  }
  if (plan.lines.length === 0) return row
  if (lapsesAt(hour) <= at(nowMs)) {
    runtime.metrics?.count('billing_marketplace_metering_partial_total')
    runtime.log?.write('billing.metering_partial', { purchase: purchase.id, hour })
    return row
  }
  if (plan.isDryRun && plan.consumedCents > 0) {
    runtime.log?.write('billing.metering_withheld', { purchase: purchase.id, hour, cents: plan.consumedCents })
  }
  const owner = { orgId: row.orgId, subscriptionId: row.id }
  const opened = granted(openHour(ledger, owner, plan, at(hourMs)))
  const stored: HourRow = {
    id: runtime.ids.next(),
    ...owner,
    customerId: purchase.id,
    hour,
    periodStartMs,
    plan,
    outstanding: opened.hour.outstanding,
    refused: [],
    status: 'open',
    attempts: 0,
    createdAtMs: nowMs,
    endedAtMs: null,
  }
  if (!(await insertNew(tx, marketplaceTables(tx).billingMeteringHours, stored))) return row
  const held = opened.outcome === null ? row : await writeOutcome(context, row, opened.outcome)
  if (stored.outstanding.length > 0) return held
  // Credit pays for everything, so there is nothing to report and nothing to wait for.
  await settleStored(context, stored.id, { results: [] })
  return (await findSubscription(context, row.id)) ?? held
}

function planOf({ runtime }: BillingWriting, addons: readonly Addon[], creditCents: MeteringPlan['creditCents']) {
  const { bundles, prices } = marketplaceSettings(runtime.settings)
  const { tiers, BILLING_METERING_DRAWDOWN_DRYRUN: dryRun } = runtime.settings
  return planMetering(tiers, { addons, dimensions: bundles, prices, creditCents, dryRun })
}

async function countable(
  { tx, runtime }: BillingWriting,
  purchase: PurchaseRow,
  row: SubscriptionRow,
  periodStartMs: number,
): Promise<readonly Addon[]> {
  if (runtime.settings.BILLING_METERING_MODE === 'cycle') return row.addons
  const { bundles } = marketplaceSettings(runtime.settings)
  return uncounted(row.addons, bundles, await countedIn(tx, purchase.id, periodStartMs))
}
