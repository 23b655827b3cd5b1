/** How long an account keeps events and facts, in days; −1 keeps them forever. */
import { eq, type Placeholder, sql } from 'drizzle-orm'
import { identityTables } from '../identity/tables.js'
import { DAY_MS } from '../runtime/clock.js'
import type { ReadContext, Runtime } from '../runtime/operation/context.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { prepared } from '../runtime/store/prepared.js'
import { type ReportingTables, reportingTables } from './tables.js'

/** The longest period that a report covers, regardless of retention. */
export const WINDOW_DAYS_MAX = 730
/** The delay before a shorter retention applies, so that a mistake can be reverted without data loss. */
export const SHRINK_MS = 7 * DAY_MS

export interface Retention {
  readonly eventDays: number
  readonly factDays: number
}
export type RetentionRow = ReportingTables['reportRetention']['$inferSelect']

/** The retention of the request's account. */
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

const retentionRow = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { reportRetention: t } = reportingTables(db)
  const { organizations: o } = identityTables(db)
  const root = db
    .select({ id: o.rootOrgId })
    .from(o)
    .where(eq(o.id, value('orgId')))
  return db
    .select()
    .from(t)
    .where(eq(t.orgId, sql`${root}`))
})

/**
 * The retention of an organization's account: that of its root, because a team that was made or restored later has no
 * row of its own.
 */
export async function retentionOfOrg(db: Db, runtime: Runtime, orgId: string, nowMs: number): Promise<Retention> {
  const [row] = await retentionRow(db, { orgId })
  return row === undefined ? defaultRetention(runtime) : inForce(row, nowMs)
}

/** Stores the retention of an account, at its root. */
export async function putRetention(
  tx: Tx,
  rootOrgId: string,
  dated: Dated,
  { watermarkMs, nowMs }: { readonly watermarkMs: number; readonly nowMs: number },
): Promise<void> {
  const { reportRetention: t } = reportingTables(tx)
  const row = { ...dated, orgId: rootOrgId, rootOrgId, watermarkMs, updatedMs: nowMs }
  await tx.insert(t).values(row).onConflictDoUpdate({ target: t.orgId, set: row })
}

type Dated = Pick<RetentionRow, 'eventDays' | 'factDays' | 'laterEventDays' | 'laterFactDays' | 'laterFromMs'>

export function inForce(row: Dated, nowMs: number): Retention {
  // guard: shrinking-waits-for-a-week
  const isLater = row.laterFromMs !== null && row.laterFromMs <= nowMs
  const { eventDays, factDays } = row
  if (!isLater) return { eventDays, factDays }
  return { eventDays: row.laterEventDays ?? eventDays, factDays: row.laterFactDays ?? factDays }
}

/** Days as a comparable number: −1 is longer than every other value. */
const size = (days: number): number => (days === -1 ? Number.POSITIVE_INFINITY : days)

/**
 * What is stored for a new setting. A longer retention applies at once, a shorter one after a week. If the same
 * reduction is already pending, it keeps its date. Pure.
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

/** The instant before which data is deleted. */
export const keptFrom = (days: number, nowMs: number): number =>
  days === -1 ? Number.NEGATIVE_INFINITY : nowMs - days * DAY_MS
