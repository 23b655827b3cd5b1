/**
 * Events in the order of the list: waiting ones first, then sealed ones, the newest first. Reads in order of an index and
 * no further than the page. INVARIANT: without a system administrator every query names the organization.
 */
import { and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Db } from '../../runtime/store/db.js'
import { happenedElsewhere } from '../elsewhere.js'
import { auditTables } from '../tables.js'
import { conditionOf, type Filter, fits } from './filter.js'
import { type Shown, waitingEvent } from './view.js'

/** Behind which sealed event the page begins, and the total that was counted at the first page. */
export interface Cursor {
  readonly createdAt: string
  readonly chain: string
  readonly seq: number
  readonly total: number
}

export interface ReadEvents {
  /** The organization whose rows are shown; null for all. */
  readonly orgId: string | null
  readonly filter: Filter
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | null
}

export interface EventPage {
  readonly rows: readonly Shown[]
  readonly total: number
  readonly hasMore: boolean
  readonly next: Cursor | null
}

/** More wait only when sealing stands still. */
const WAITING_MAX = 1000

export async function readEvents(db: Db, ask: ReadEvents): Promise<EventPage> {
  const { filter, limit, offset, cursor } = ask
  const waiting = cursor === null ? await readWaiting(db, ask.orgId, filter) : []
  const shownWaiting = waiting.slice(offset, offset + limit)
  const skip = Math.max(0, offset - waiting.length)
  const wanted = limit - shownWaiting.length
  const sealed = await readSealed(db, ask, skip + wanted + 1)
  const shownSealed = sealed.slice(skip, skip + wanted)
  const total = cursor?.total ?? waiting.length + (await countSealed(db, ask))
  const hasMore = offset + limit < waiting.length || sealed.length > skip + wanted
  const last = shownSealed.at(-1)
  const next: Cursor | null =
    hasMore && last !== undefined ? { createdAt: last.createdAt, chain: last.chain, seq: last.seq ?? 0, total } : null
  return { rows: [...shownWaiting, ...shownSealed], total, hasMore, next }
}

async function readWaiting(db: Db, orgId: string | null, filter: Filter): Promise<Shown[]> {
  const { auditOutbox: t } = jobTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(orgId === null ? undefined : or(eq(t.orgId, orgId), eq(t.affectedOrgId, orgId)))
    .orderBy(desc(t.position))
    .limit(WAITING_MAX)
  return rows.map(waitingEvent).filter((row) => fits(row, filter))
}

type EventTable = ReturnType<typeof auditTables>['auditEvents']

/**
 * The rows of an organization as conditions that one index each answers: those on it, and those that its people caused
 * elsewhere. One condition with OR would be sorted as a whole.
 */
const sidesOf = (t: EventTable, orgId: string | null): (SQL | undefined)[] =>
  orgId === null ? [undefined] : [eq(t.affectedOrgId, orgId), and(eq(t.orgId, orgId), happenedElsewhere(t))]

async function readSealed(db: Db, { orgId, filter, cursor }: ReadEvents, count: number): Promise<Shown[]> {
  const { auditEvents: t } = auditTables(db)
  const behind =
    cursor === null
      ? undefined
      : sql`(${t.createdAt} < ${cursor.createdAt} OR (${t.createdAt} = ${cursor.createdAt} AND (${t.chain} > ${cursor.chain} OR (${t.chain} = ${cursor.chain} AND ${t.seq} < ${cursor.seq}))))`
  const rows: Shown[] = []
  for (const side of sidesOf(t, orgId)) {
    const found = await db
      .select()
      .from(t)
      .where(and(side, conditionOf(t, filter), behind))
      .orderBy(desc(t.createdAt), asc(t.chain), desc(t.seq))
      .limit(count)
    rows.push(...found)
  }
  return rows.sort(newestFirst).slice(0, count)
}

const newestFirst = (a: Shown, b: Shown): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  if (a.chain !== b.chain) return a.chain < b.chain ? -1 : 1
  return (b.seq ?? 0) - (a.seq ?? 0)
}

async function countSealed(db: Db, { orgId, filter }: ReadEvents): Promise<number> {
  const { auditEvents: t } = auditTables(db)
  let count = 0
  for (const side of sidesOf(t, orgId)) count += await db.$count(t, and(side, conditionOf(t, filter)))
  return count
}
