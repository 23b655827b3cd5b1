/**
 * Reports open hours, and settles each by the marketplace's answer. Requests are sent outside of transactions. When the
 * process dies in between, the same report is sent again, and the marketplace recognizes it.
 */
import { lapsesAt } from '@plumbline/billing-core'
import { apart } from '../account/apart.js'
import { at } from '../account/subscription.js'
import { buyerOf, findPurchase } from '../buyer/record.js'
import type { Settling } from '../call/said.js'
import { marketplaceOf } from '../marketplace/client.js'
import type { MeterAnswer } from '../marketplace/port.js'
import type { HourRow } from '../marketplace-tables.js'
import { ProviderFault } from '../provider/fault.js'
import { openHours, startOf } from './hour.js'
import { settleStored } from './settle.js'

const AT_ONCE = 50
/** After this many calls in a row without an answer, the rest waits for the next run. */
const SILENT_MAX = 3
const NOTHING: MeterAnswer = { results: [] }

export async function reportHours(settling: Settling, signal: AbortSignal): Promise<void> {
  const { runtime, read } = settling
  let silent = 0
  for (let after: HourRow | null = null; ; ) {
    const due: HourRow[] = await read((db) => openHours(db, after, AT_ONCE))
    for (const hour of due) {
      if (signal.aborted) return
      let isAnswered = true
      await apart(runtime, hour.orgId, async () => {
        isAnswered = await reportHour(settling, hour)
      })
      silent = isAnswered ? 0 : silent + 1
      if (silent < SILENT_MAX) continue
      runtime.log?.write('billing.marketplace_away', {})
      return
    }
    if (due.length < AT_ONCE) return
    after = due.at(-1) ?? null
  }
}

/** @returns False when there was no answer. */
async function reportHour(settling: Settling, hour: HourRow): Promise<boolean> {
  const { runtime } = settling
  const purchase = await settling.read((db) => findPurchase(db, hour.customerId))
  const nowMs = runtime.clock.now()
  const isLate = lapsesAt(hour.hour) <= at(nowMs)
  let answer = NOTHING
  let isSilent = false
  if (!isLate && purchase !== null && hour.outstanding.length > 0) {
    try {
      const buyer = buyerOf(runtime, purchase)
      answer = await marketplaceOf(runtime).meter({ buyer, atMs: startOf(hour.hour), records: hour.outstanding })
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      isSilent = error.kind === 'no_answer'
      if (!isSilent) {
        const about = { purchase: hour.customerId, hour: hour.hour, providerCode: error.code }
        runtime.log?.write('billing.metering_refused', about)
      }
    }
  }
  await settling.write((writing) => settleStored(writing, hour.id, answer))
  return !isSilent
}
