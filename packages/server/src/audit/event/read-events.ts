/**
 * Reads events in the order of the list: newest first, with unsealed events before sealed ones; or the reverse. It
 * reads along an index and no further than the page. INVARIANT: unless a system administrator reads, every query names
 * the organization.
 */
import { and, asc, desc, eq, gt, gte, lt, lte, or, type SQL } from 'drizzle-orm'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Db } from '../../runtime/store/db.js'
import { lately, questionOf } from '../../runtime/store/minute-cache.js'
import { giveWay } from '../../runtime/yield-to-requests.js'
import { happenedElsewhere } from '../elsewhere.js'
import { auditTables } from '../tables.js'
import { conditionOf, type Filter, fits } from './filter.js'
import { type Shown, waitingEvent } from './view.js'

/** The sealed event after which the page begins, and the total that was counted at the first page. */
export interface Cursor {
  readonly createdAt: string
  readonly chain: string
  readonly seq: number
  readonly total: number
}

export type Order = 'asc' | 'desc'

export interface ReadEvents {
  /** The organization whose rows are shown; null for all. */
  readonly orgId: string | null
  readonly filter: Filter
  readonly order: Order
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | null
  /** Rows that one statement compares with the filter; 5,000 by default. */
  readonly compared?: number
}

export interface EventPage {
  readonly rows: readonly Shown[]
  readonly total: number
  readonly hasMore: boolean
  readonly next: Cursor | null
}

/** A total above this may be up to a minute old. */
const LARGE = 10_000
/** More events are unsealed only when sealing has stopped. */
const WAITING_MAX = 1000

export async function readEvents(db: Db, ask: ReadEvents): Promise<EventPage> {
  const { order, limit, offset, cursor } = ask
  const end = offset + limit
  // Unsealed events are newer than sealed ones. A cursor is always at a sealed event, so all unsealed events are on one
  // side of it.
  const ahead = order === 'desc' && cursor === null ? await readWaiting(db, ask) : []
  const sealed = end < ahead.length ? [] : await readSealed(db, ask, end - ahead.length + 1)
  const isAll = sealed.length <= end - ahead.length
  const after = order === 'asc' && (isAll || cursor === null) ? await readWaiting(db, ask) : []
  const found = [...ahead, ...sealed, ...(isAll ? after : [])]
  const rows = found.slice(offset, end)
  const total = cursor?.total ?? ahead.length + (await countSealed(db, ask)) + after.length
  const hasMore = found.length > end
  const last = rows.at(-1)
  const next: Cursor | null =
    hasMore && last?.seq != null ? { createdAt: last.createdAt, chain: last.chain, seq: last.seq, total } : null
  return { rows, total, hasMore, next }
}

async function readWaiting(db: Db, { orgId, filter, order }: ReadEvents): Promise<Shown[]> {
  const { auditOutbox: t } = jobTables(db)
  // guard: the-waiting-events-of-an-organization
  const rows = await db
    .select()
    .from(t)
    .where(orgId === null ? undefined : or(eq(t.orgId, orgId), eq(t.affectedOrgId, orgId)))
    .orderBy(towards(order)(t.position))
    .limit(WAITING_MAX)
  return rows.map(waitingEvent).filter((row) => fits(row, filter))
}

const towards = (order: Order) => (order === 'asc' ? asc : desc)
const against = (order: Order) => (order === 'asc' ? desc : asc)

type EventTable = ReturnType<typeof auditTables>['auditEvents']

/**
 * The rows of an organization as conditions that one index each answers: events about it, and those that its people
 * caused elsewhere. A single condition with OR would make the database sort all rows.
 */
function sidesOf(t: EventTable, { orgId: own, filter }: Pick<ReadEvents, 'orgId' | 'filter'>): (SQL | undefined)[] {
  const orgId = own ?? filter.orgId ?? null
  // guard: the-organization-of-sealed-events
  if (orgId === null) return [undefined]
  // guard: events-on-an-organization
  // guard: events-that-its-people-caused-elsewhere
  return [eq(t.affectedOrgId, orgId), and(eq(t.orgId, orgId), happenedElsewhere(t))]
}

async function readSealed(db: Db, ask: ReadEvents, count: number): Promise<Shown[]> {
  const { auditEvents: t } = auditTables(db)
  const { filter, order, cursor, compared } = ask
  const asked = conditionOf(t, filter)
  const rows: Shown[] = []
  for (const side of sidesOf(t, ask)) {
    const own: Shown[] = []
    const select = async (where: SQL | undefined) => {
      const found = db.select().from(t).where(where)
      const sorted = found.orderBy(...inOrder(t, order))
      own.push(...(await sorted.limit(count - own.length)))
    }
    if (asked === undefined) await select(and(side, behind(t, order, cursor)))
    else {
      const rows = compared ?? COMPARED_ROWS
      for await (const slice of slices(db, side, {
        order,
        behind: cursor,
        rows,
        isOneEvent: filter.id !== undefined,
      })) {
        await select(and(slice, asked))
        if (own.length >= count) break
      }
    }
    rows.push(...own)
  }
  return rows.sort(order === 'asc' ? (a, b) => newestFirst(b, a) : newestFirst).slice(0, count)
}

/** One order is the exact reverse of the other, so that pages of both fit together. */
export const inOrder = (t: EventTable, order: Order): SQL[] => [
  towards(order)(t.createdAt),
  against(order)(t.chain),
  towards(order)(t.seq),
]

/** The first condition is redundant: an index is entered by it, so that the last page costs no more than the first. */
export function behind(t: EventTable, order: Order, cursor: Omit<Cursor, 'total'> | null): SQL | undefined {
  if (cursor === null) return undefined
  const [further, opposite, orAt] = order === 'asc' ? [gt, lt, gte] : [lt, gt, lte]
  return and(
    orAt(t.createdAt, cursor.createdAt),
    or(
      further(t.createdAt, cursor.createdAt),
      opposite(t.chain, cursor.chain),
      and(eq(t.chain, cursor.chain), further(t.seq, cursor.seq)),
    ),
  )
}

/** Rows that one statement compares with a filter, which takes a few milliseconds of CPU time. */
const COMPARED_ROWS = 5000
/** Without a filter the database counts index entries, which is cheaper per row. */
const COUNTED_ROWS = 50_000

interface Slice {
  readonly order: Order
  /** The id of the event finds it: one slice is the whole trail. */
  readonly isOneEvent: boolean
  /** The first slice begins after this event; without it, at the end of the trail where the order begins. */
  readonly behind: Cursor | null
  readonly rows: number
}

/**
 * Yields the conditions of one slice of the trail after another, in the given order. Few filters have an index, and one
 * statement over a long trail would delay every other request. The process serves other requests between two slices.
 */
async function* slices(db: Db, side: SQL | undefined, first: Slice): AsyncGenerator<SQL | undefined> {
  const { auditEvents: t } = auditTables(db)
  const [upTo, past] = first.order === 'asc' ? [lte, gt] : [gte, lt]
  for (let begin = behind(t, first.order, first.behind); ; ) {
    const own = and(side, begin)
    if (first.isOneEvent) return void (yield own)
    const instants = db.select({ createdAt: t.createdAt }).from(t).where(own)
    const [end] = await instants
      .orderBy(towards(first.order)(t.createdAt))
      .limit(1)
      .offset(first.rows - 1)
    // Events of the same instant are never split, so a slice may have a few more rows.
    yield end === undefined ? own : and(own, upTo(t.createdAt, end.createdAt))
    if (end === undefined) return
    await giveWay()
    begin = past(t.createdAt, end.createdAt)
  }
}

const newestFirst = (a: Shown, b: Shown): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  if (a.chain !== b.chain) return a.chain < b.chain ? -1 : 1
  return (b.seq ?? 0) - (a.seq ?? 0)
}

/** Cached totals of long trails. */
const totals = lately<number>()

/** Counted again for each first page; a large total only once a minute. */
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
    const isOneEvent = ask.filter.id !== undefined
    for await (const slice of slices(db, side, { order: 'desc', behind: null, rows, isOneEvent })) {
      // guard: the-count-of-an-organizations-events
      own += await db.$count(t, and(slice, asked))
    }
    // Stored only when counted: storing it again at each use would keep it forever.
    if (own > LARGE) totals.set(db, question, own)
    total += own
  }
  return total
}
