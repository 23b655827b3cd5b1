/** How long events and facts of an account are kept, in days; −1 keeps them. */
import { eq } from 'drizzle-orm'
import { DAY_MS } from '../runtime/clock.js'
import type { ReadContext, Runtime } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { type ReportingTables, reportingTables } from './tables.js'

/** The longest that a report goes back, whatever is kept. */
export const WINDOW_DAYS_MAX = 730
/** Shrinking waits so long: a mistake is taken back without a loss. */
export const SHRINK_MS = 7 * DAY_MS

export interface Retention {
  readonly eventDays: number
  readonly factDays: number
}
export type RetentionRow = ReportingTables['reportRetention']['$inferSelect']

/** What the account of a request keeps. */
export async function retentionOf({
  runtime,
  db,
  authority,
  nowMs,
}: Pick<ReadContext, 'runtime' | 'db' | 'authority' | 'nowMs'>): Promise<Retention> {
  return authority.org === null ? defaultRetention(runtime) : retentionOfOrg(db, runtime, authority.org.id, nowMs)
}

export const defaultRetention = ({ settings }: Pick<Runtime, 'settings'>): Retention => ({
  eventDays: settings.REPORT_EVENT_RETENTION_DAYS,
  factDays: settings.REPORT_RETENTION_DAYS,
})

/** What the account of an organization keeps. */
export async function retentionOfOrg(db: Db, runtime: Runtime, orgId: string, nowMs: number): Promise<Retention> {
  const { reportRetention: t } = reportingTables(db)
  const [row] = await db.select().from(t).where(eq(t.orgId, orgId))
  return row === undefined ? defaultRetention(runtime) : inForce(row, nowMs)
}

type Dated = Pick<RetentionRow, 'eventDays' | 'factDays' | 'laterEventDays' | 'laterFactDays' | 'laterFromMs'>

export function inForce(row: Dated, nowMs: number): Retention {
  // guard: shrinking-waits-for-a-week
  const isLater = row.laterFromMs !== null && row.laterFromMs <= nowMs
  const { eventDays, factDays } = row
  if (!isLater) return { eventDays, factDays }
  return { eventDays: row.laterEventDays ?? eventDays, factDays: row.laterFactDays ?? factDays }
}

/** Days as a number that compares: −1 is more than all. */
const size = (days: number): number => (days === -1 ? Number.POSITIVE_INFINITY : days)

/**
 * What is stored for a new word: growth holds at once, shrinking from in a week on, and what already waits goes on waiting from when
 * it began. Pure.
 */
export function retentionAfter(
  now: Retention,
  waiting: Pick<Dated, 'laterEventDays' | 'laterFactDays' | 'laterFromMs'> | null,
  wanted: Retention,
  nowMs: number,
): Dated {
  const shrinks = {
    event: size(wanted.eventDays) < size(now.eventDays),
    fact: size(wanted.factDays) < size(now.factDays),
  }
  const later = {
    laterEventDays: shrinks.event ? wanted.eventDays : null,
    laterFactDays: shrinks.fact ? wanted.factDays : null,
  }
  const isSame =
    waiting !== null &&
    waiting.laterFromMs !== null &&
    waiting.laterEventDays === later.laterEventDays &&
    waiting.laterFactDays === later.laterFactDays
  const begins = isSame ? waiting.laterFromMs : nowMs + SHRINK_MS
  return {
    eventDays: shrinks.event ? now.eventDays : wanted.eventDays,
    factDays: shrinks.fact ? now.factDays : wanted.factDays,
    ...later,
    laterFromMs: shrinks.event || shrinks.fact ? begins : null,
  }
}

/** The instant before which nothing is kept. */
export const keptFrom = (days: number, nowMs: number): number =>
  days === -1 ? Number.NEGATIVE_INFINITY : nowMs - days * DAY_MS
