/** Settles one hour by the marketplace's answer. Credit is debited only when every record was accepted. */
import { lapseHour, ledgerKey, type MeteringStep, settleHour } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import { granted } from '../account/gate.js'
import { at } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, lockRoot } from '../account/writing.js'
import { ENTITLEMENTS_KIND } from '../buyer/kind.js'
import { findPurchase, writePurchase } from '../buyer/record.js'
import { findSubscription } from '../call/apply.js'
import { openStored, writeOutcome } from '../ledger/store.js'
import type { MeterAnswer } from '../marketplace/port.js'
import { type HourRow, marketplaceTables } from '../marketplace-tables.js'
import { findHour, toHour } from './hour.js'
import { recordConsumption } from './record-consumption.js'

export async function settleStored(writing: BillingWriting, id: string, { results }: MeterAnswer): Promise<void> {
  const { tx, runtime, nowMs } = writing
  const known = await findHour(tx, id)
  if (known === null) return
  const root = await lockRoot(writing, known.orgId)
  const row = await findSubscription(writing, known.subscriptionId)
  const hour = await findHour(tx, id)
  // guard: an-hour-is-settled-once
  if (hour === null || row === null || hour.status !== 'open') return
  const ledger = await openStored(writing, row, [ledgerKey.metering(hour.hour)])
  const now = at(nowMs)
  const lapsed = granted(lapseHour(ledger, toHour(hour), now))
  const step =
    lapsed.hour.status === 'lapsed'
      ? lapsed
      : granted(settleHour(ledger, toHour(hour), { results, rowId: runtime.ids.next() }, now))
  if (step.outcome !== null) await writeOutcome(writing, row, step.outcome)
  await store(writing, hour, step)
  if (step.hour.status === 'settled' && step.outcome !== null) {
    await recordConsumption(writing, row, hour)
    await bumpVersion(writing, root.id)
  }
  await warn(writing, hour, step)
}

async function store({ tx, nowMs }: BillingWriting, row: HourRow, { hour }: MeteringStep): Promise<void> {
  const { billingMeteringHours: t } = marketplaceTables(tx)
  const { outstanding, refused, status } = hour
  const ended = status === 'open' ? {} : { endedAtMs: nowMs }
  await tx
    .update(t)
    .set({ outstanding, refused, status, attempts: row.attempts + 1, ...ended })
    .where(eq(t.id, row.id))
}

async function warn(writing: BillingWriting, row: HourRow, { warnings }: MeteringStep): Promise<void> {
  const { runtime, tx, nowMs } = writing
  const about = { purchase: row.customerId, hour: row.hour }
  for (const warning of warnings) {
    if (warning === 'partial') {
      runtime.metrics?.count('billing_marketplace_metering_partial_total')
      runtime.log?.write('billing.metering_partial', about)
    }
    if (warning === 'duplicate_record') runtime.log?.write('billing.metering_duplicate', about)
    if (warning !== 'not_subscribed') continue
    runtime.log?.write('billing.metering_unsubscribed', about)
    const purchase = await findPurchase(tx, row.customerId)
    if (purchase !== null) await writePurchase(writing, purchase, { notSubscribedAtMs: nowMs })
    await writing.enqueue({ kind: ENTITLEMENTS_KIND, payload: {}, uniqueKey: 'metering' })
  }
}
