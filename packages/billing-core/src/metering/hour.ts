/**
 * One hour of metering, from plan to settlement. The plan is frozen when the hour opens and its credit is held, so that
 * a crash between reporting and debiting neither gives units away nor reports other numbers: a retry sends the same.
 *
 *   open ──all records taken──► settled (the hold is consumed, keyed meter:<hour>)
 *     └────the hour is over───► lapsed  (the hold is released, nothing is debited)
 */
import type { LedgerState } from '../ledger/book.js'
import { consume } from '../ledger/consume.js'
import { hold, release } from '../ledger/hold.js'
import { ledgerKey } from '../ledger/keys.js'
import type { LedgerOutcome } from '../ledger/types.js'
import type { Instant } from '../period/instant.js'
import { hourKey } from '../period/period.js'
import { accept, type Result } from '../refusal/refusal.js'
import type { MeteringPlan, MeteringRecord } from './plan.js'

/** Stored once per subscription and hour. */
export interface MeteringHour {
  readonly orgId: string
  readonly subscriptionId: string
  /** `2026-01-31T07`. */
  readonly hour: string
  readonly plan: MeteringPlan
  /** What the marketplace has yet to take. */
  readonly outstanding: readonly MeteringRecord[]
  readonly status: 'open' | 'settled' | 'lapsed'
}

export interface MeteringStep {
  readonly hour: MeteringHour
  /** To be applied to the ledger in the same transaction; null when the ledger is not touched. */
  readonly outcome: LedgerOutcome | null
  readonly warnings: readonly MeteringWarning[]
}

export type MeteringWarning = 'credit_unrealizable' | 'partial'

interface HourOwner {
  readonly orgId: string
  readonly subscriptionId: string
}

/** Freezes the plan and holds its credit. Refused when the hour was opened before: resume that one. */
export function openHour(
  ledger: LedgerState,
  owner: HourOwner,
  plan: MeteringPlan,
  now: Instant,
): Result<MeteringStep> {
  const { orgId, subscriptionId } = owner
  const hour = hourKey(now)
  const opened: MeteringHour = { orgId, subscriptionId, hour, plan, outstanding: plan.records, status: 'open' }
  const warnings: MeteringWarning[] = plan.isUnrealizable ? ['credit_unrealizable'] : []
  if (plan.isDryRun || plan.consumedCents === 0) return accept({ hour: opened, outcome: null, warnings })
  const held = hold(ledger, { orgId, subscriptionId, key: ledgerKey.metering(hour), cents: plan.consumedCents })
  return held.ok ? accept({ hour: opened, outcome: held.value, warnings }) : held
}

/** After a call: `unprocessed` is what the marketplace did not take. */
export function settleHour(
  ledger: LedgerState,
  hour: MeteringHour,
  report: { readonly unprocessed: readonly MeteringRecord[]; readonly rowId: string },
  now: Instant,
): Result<MeteringStep> {
  if (hour.status !== 'open') return accept({ hour, outcome: null, warnings: [] })
  if (report.unprocessed.length > 0) {
    const waiting: MeteringHour = { ...hour, outstanding: report.unprocessed }
    return hourKey(now) === hour.hour
      ? accept({ hour: waiting, outcome: null, warnings: [] })
      : lapseHour(ledger, waiting, now)
  }
  const settled: MeteringHour = { ...hour, outstanding: [], status: 'settled' }
  if (hour.plan.isDryRun || hour.plan.consumedCents === 0) return accept({ hour: settled, outcome: null, warnings: [] })
  const debited = consume(ledger, {
    id: report.rowId,
    orgId: hour.orgId,
    subscriptionId: hour.subscriptionId,
    sourceId: 'metering',
    cents: hour.plan.consumedCents,
    dedupeKey: ledgerKey.metering(hour.hour),
    holdKey: ledgerKey.metering(hour.hour),
    at: now,
    details: { dimensions: hour.plan.lines.filter((line) => line.withheldUnits > 0).map((line) => line.dimension) },
  })
  return debited.ok ? accept({ hour: settled, outcome: debited.value, warnings: [] }) : debited
}

/** Ends an hour that is over and was not taken whole: nothing is debited and the hold ends. */
export function lapseHour(ledger: LedgerState, hour: MeteringHour, now: Instant): Result<MeteringStep> {
  if (hour.status !== 'open' || hourKey(now) === hour.hour) return accept({ hour, outcome: null, warnings: [] })
  const lapsed: MeteringHour = { ...hour, status: 'lapsed' }
  if (hour.plan.isDryRun || hour.plan.consumedCents === 0) {
    return accept({ hour: lapsed, outcome: null, warnings: ['partial'] })
  }
  const released = release(ledger, { orgId: hour.orgId, key: ledgerKey.metering(hour.hour) })
  return released.ok ? accept({ hour: lapsed, outcome: released.value, warnings: ['partial'] }) : released
}
