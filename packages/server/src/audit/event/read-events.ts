/**
 * Events in the order of the list: waiting ones first, then sealed ones, the newest first. Reads in order of an index and
 * no further than the page. INVARIANT: without a system administrator every query names the organization.
 */
import { and, asc, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import { giveWay } from '../../runtime/give-way.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Db } from '../../runtime/store/db.js'
import { lately, questionOf } from '../../runtime/store/lately.js'
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
  /** Rows that one statement compares with the filter; 5,000 unless said. */
  readonly compared?: number
}

export interface EventPage {
  readonly rows: readonly Shown[]
  readonly total: number
  readonly hasMore: boolean
  readonly next: Cursor | null
}

/** A total above it may be a minute old. */
const LARGE = 10_000
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
function sidesOf(t: EventTable, { orgId: own, filter }: Pick<ReadEvents, 'orgId' | 'filter'>): (SQL | undefined)[] {
  const orgId = own ?? filter.orgId ?? null
  if (orgId === null) return [undefined]
  return [eq(t.affectedOrgId, orgId), and(eq(t.orgId, orgId), happenedElsewhere(t))]
}

async function readSealed(db: Db, ask: ReadEvents, count: number): Promise<Shown[]> {
  const { auditEvents: t } = auditTables(db)
  const { filter, cursor, compared } = ask
  const asked = conditionOf(t, filter)
  const rows: Shown[] = []
  for (const side of sidesOf(t, ask)) {
    const own: Shown[] = []
    const select = async (where: SQL | undefined) => {
      const found = db.select().from(t).where(where)
      const order = found.orderBy(desc(t.createdAt), asc(t.chain), desc(t.seq))
      own.push(...(await order.limit(count - own.length)))
    }
    if (asked === undefined) await select(and(side, behind(t, cursor)))
    else {
      for await (const slice of slices(db, side, { behind: cursor, rows: compared ?? COMPARED_ROWS })) {
        await select(and(slice, asked))
        if (own.length >= count) break
      }
    }
    rows.push(...own)
  }
  return rows.sort(newestFirst).slice(0, count)
}

/** The first condition says nothing new: it is the one that an index is entered by, so that the last page costs as the first. */
const behind = (t: EventTable, cursor: Cursor | null): SQL | undefined =>
  cursor === null
    ? undefined
    : sql`${t.createdAt} <= ${cursor.createdAt} AND (${t.createdAt} < ${cursor.createdAt} OR (${t.chain} > ${cursor.chain} OR (${t.chain} = ${cursor.chain} AND ${t.seq} < ${cursor.seq})))`

/** Rows that one statement compares with a filter: a few milliseconds of the processor. */
const COMPARED_ROWS = 5000
/** Without a filter a row is an entry of the index. */
const COUNTED_ROWS = 50_000

interface Slice {
  /** The newest slice begins behind it; at the newest event without one. */
  readonly behind: Cursor | null
  readonly rows: number
}

/**
 * The conditions of one slice of the trail after another, from the newest to the oldest. Few filters have an index, and one
 * statement over a long trail would hold up everybody; between two of these the process is left to other requests.
 */
async function* slices(db: Db, side: SQL | undefined, first: Slice): AsyncGenerator<SQL | undefined> {
  const { auditEvents: t } = auditTables(db)
  for (let newest = behind(t, first.behind); ; ) {
    const own = and(side, newest)
    const instants = db.select({ createdAt: t.createdAt }).from(t).where(own)
    const [end] = await instants
      .orderBy(desc(t.createdAt))
      .limit(1)
      .offset(first.rows - 1)
    // Events of one instant are not parted: a slice may have some more than its number.
    yield end === undefined ? own : and(own, gte(t.createdAt, end.createdAt))
    if (end === undefined) return
    await giveWay()
    newest = lt(t.createdAt, end.createdAt)
  }
}

const newestFirst = (a: Shown, b: Shown): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  if (a.chain !== b.chain) return a.chain < b.chain ? -1 : 1
  return (b.seq ?? 0) - (a.seq ?? 0)
}

/** Totals of long trails. */
const totals = lately<number>()

/** Counted anew for each first page; a large total once a minute. */
async function countSealed(db: Db, ask: ReadEvents): Promise<number> {
  const { auditEvents: t } = auditTables(db)
  const asked = conditionOf(t, ask.filter)
  const compared = ask.compared ?? COMPARED_ROWS
  let total = 0
  for (const side of sidesOf(t, ask)) {
    const question = questionOf(db.select({ seq: t.seq }).from(t).where(and(side, asked)))
    const known = totals.get(db, question)
    if (known !== undefined) {
      total += known
      continue
    }
    let own = 0
    const rows = asked === undefined ? Math.max(COUNTED_ROWS, compared) : compared
    for await (const slice of slices(db, side, { behind: null, rows })) {
      own += await db.$count(t, and(slice, asked))
    }
    // Once: remembering it anew with each look would keep it for ever.
    if (own > LARGE) totals.set(db, question, own)
    total += own
  }
  return total
}
