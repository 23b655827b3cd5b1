/**
 * One hour of metering, from plan to settlement. The plan is frozen when the hour opens and its credit is held, so that
 * a crash between reporting and debiting neither gives units away nor reports other numbers: a retry sends the same,
 * until the marketplace would not take it any more.
 *
 *   open ──every record: Success────► settled (the hold is consumed, keyed meter:<hour>)
 *     ├────some record is refused───► refused (the hold is released, nothing is debited)
 *     └────too late to be reported──► lapsed  (the hold is released, nothing is debited)
 */
import type { LedgerState } from '../ledger/book.js'
import { consume } from '../ledger/consume.js'
import { hold, release } from '../ledger/hold.js'
import { ledgerKey } from '../ledger/keys.js'
import type { LedgerOutcome } from '../ledger/types.js'
import { addMonths } from '../period/add-months.js'
import { addMilliseconds, type Instant, instant } from '../period/instant.js'
import { hourKey } from '../period/period.js'
import { accept, invalid, type Result, show } from '../refusal/refusal.js'
import type { MeteringPlan, MeteringRecord } from './plan.js'

/** Stored once per subscription and hour. */
export interface MeteringHour {
  readonly orgId: string
  readonly subscriptionId: string
  /** `2026-01-31T07`. */
  readonly hour: string
  readonly plan: MeteringPlan
  /** What the marketplace has yet to answer for. */
  readonly outstanding: readonly MeteringRecord[]
  /** What it answered with a refusal. */
  readonly refused: readonly RefusedRecord[]
  readonly status: 'open' | 'settled' | 'refused' | 'lapsed'
}

/** The marketplace's words for one record. Only `Success` means that it will bill it. */
export const recordStatuses = ['Success', 'CustomerNotSubscribed', 'DuplicateRecord'] as const
export type RecordStatus = (typeof recordStatuses)[number]

export interface RecordResult {
  readonly dimension: string
  readonly status: RecordStatus
}

export interface RefusedRecord {
  readonly dimension: string
  readonly status: Exclude<RecordStatus, 'Success'>
}

/**
 * When the marketplace would refuse a report of the hour: 23 hours after it began (it takes 24, one is kept for clocks
 * that differ), and 05:45 on the first of a month for the month before (it takes them until 06:00).
 */
export function lapsesAt(hour: string): Instant {
  const start = instant(`${hour}:00:00.000Z`)
  const latest = addMilliseconds(start, REPORTABLE_MS)
  const monthsLatest = addMilliseconds(addMonths(instant(`${hour.slice(0, 7)}-01T00:00:00.000Z`), 1), MONTH_CLOSES_MS)
  if (latest < monthsLatest) return latest
  return monthsLatest
}

const HOUR_MS = 3_600_000
const REPORTABLE_MS = 23 * HOUR_MS
const MONTH_CLOSES_MS = 5.75 * HOUR_MS

export interface MeteringStep {
  readonly hour: MeteringHour
  /** To be applied to the ledger in the same transaction; null when the ledger is not touched. */
  readonly outcome: LedgerOutcome | null
  readonly warnings: readonly MeteringWarning[]
}

/**
 * `not_subscribed`: read the customer's entitlements again; `duplicate_record`: other units were reported for the hour, a
 * person has to look; `partial`: the hour lapsed.
 */
export type MeteringWarning = 'credit_unrealizable' | 'partial' | 'not_subscribed' | 'duplicate_record'

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
  const opened: MeteringHour = {
    orgId,
    subscriptionId,
    hour,
    plan,
    outstanding: plan.records,
    refused: [],
    status: 'open',
  }
  const warnings: MeteringWarning[] = plan.isUnrealizable ? ['credit_unrealizable'] : []
  if (plan.isDryRun || plan.consumedCents === 0) return accept({ hour: opened, outcome: null, warnings })
  const held = hold(ledger, { orgId, subscriptionId, key: ledgerKey.metering(hour), cents: plan.consumedCents })
  return held.ok ? accept({ hour: opened, outcome: held.value, warnings }) : held
}

/**
 * After a call: `results` are the records that the marketplace answered for. One without an answer stays outstanding,
 * an answer for anything else is left out. A call without any closes an hour that has nothing to report.
 */
export function settleHour(
  ledger: LedgerState,
  hour: MeteringHour,
  report: { readonly results: readonly RecordResult[]; readonly rowId: string },
  now: Instant,
): Result<MeteringStep> {
  if (hour.status !== 'open') return accept({ hour, outcome: null, warnings: [] })
  const answers = new Map<string, RecordStatus>()
  for (const { dimension, status } of report.results) {
    if (!recordStatuses.includes(status)) {
      return invalid('status', `status must be one of ${recordStatuses.join(', ')}, not ${show(status)}`)
    }
    answers.set(dimension, status)
  }
  const outstanding = hour.outstanding.filter(({ dimension }) => !answers.has(dimension))
  const fresh = hour.outstanding.flatMap(({ dimension }): RefusedRecord[] => {
    const status = answers.get(dimension)
    return status === undefined || status === 'Success' ? [] : [{ dimension, status }]
  })
  const answered: MeteringHour = { ...hour, outstanding, refused: [...hour.refused, ...fresh] }
  const warnings = warningsOf(fresh)
  if (outstanding.length > 0) {
    const late = lapseHour(ledger, answered, now)
    return late.ok ? accept({ ...late.value, warnings: [...warnings, ...late.value.warnings] }) : late
  }
  if (answered.refused.length > 0) return endUnpaid(ledger, { ...answered, status: 'refused' }, warnings)
  const settled: MeteringHour = { ...answered, status: 'settled' }
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

/** Ends an hour that can no longer be reported: nothing is debited and the hold ends. Before that it stays open. */
export function lapseHour(ledger: LedgerState, hour: MeteringHour, now: Instant): Result<MeteringStep> {
  if (hour.status !== 'open' || now < lapsesAt(hour.hour)) return accept({ hour, outcome: null, warnings: [] })
  return endUnpaid(ledger, { ...hour, status: 'lapsed' }, ['partial'])
}

/** The hour as it is, its hold released. */
function endUnpaid(
  ledger: LedgerState,
  hour: MeteringHour,
  warnings: readonly MeteringWarning[],
): Result<MeteringStep> {
  if (hour.plan.isDryRun || hour.plan.consumedCents === 0) return accept({ hour, outcome: null, warnings })
  const released = release(ledger, { orgId: hour.orgId, key: ledgerKey.metering(hour.hour) })
  return released.ok ? accept({ hour, outcome: released.value, warnings }) : released
}

function warningsOf(refused: readonly RefusedRecord[]): readonly MeteringWarning[] {
  const has = (status: RecordStatus): boolean => refused.some((record) => record.status === status)
  return [
    ...(has('CustomerNotSubscribed') ? (['not_subscribed'] as const) : []),
    ...(has('DuplicateRecord') ? (['duplicate_record'] as const) : []),
  ]
}
