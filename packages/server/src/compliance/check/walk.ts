/**
 * The check log as rows of a list. The log grows without end, and its filters have no index. So it is read in slices of
 * its index by time, and the process serves other requests between two slices: one statement over a long log would
 * delay every other request.
 */
import { and, asc, count, desc, gt, gte, lt, lte, or, type SQL } from 'drizzle-orm'
import { behind, type PageQuery, type RowSource } from '../../runtime/operation/list.js'
import type { Db } from '../../runtime/store/db.js'
import { lately, questionOf } from '../../runtime/store/minute-cache.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { giveWay } from '../../runtime/yield-to-requests.js'
import { type CheckRow, complianceTables } from '../tables.js'

type Order = 'asc' | 'desc'

export interface Place {
  readonly value: string | number
  readonly id: string
}

export interface CheckWalk<V> {
  /** Conditions that the index by time answers: the organization and the time. */
  readonly within: SQL | undefined
  /** A condition that is compared with each row; undefined when there is none. */
  readonly filter: SQL | undefined
  readonly query: PageQuery
  present(row: CheckRow): V
  /** Rows that one statement compares; 5,000 by default. */
  readonly sliceRows?: number
}

/** Comparing one slice takes a few milliseconds of CPU time. */
const COMPARED_ROWS = 5000
/** Without a filter the database counts index entries, which is cheaper per row. */
const COUNTED_ROWS = 50_000

/** A total above this may be up to a minute old, as in other lists. */
const LARGE = 10_000
/** Cached totals of long walks. */
const totals = lately<number>()

export function walkChecks<V>(db: Db, walk: CheckWalk<V>): RowSource<CheckRow, 'createdAt', V> {
  const { within, filter, query, present, sliceRows = COMPARED_ROWS } = walk
  const { checks: t } = complianceTables(db)
  const counted = async (where: SQL | undefined): Promise<number> => {
    const [row] = await rowsAtOnce(db, db.select({ rows: count() }).from(t).where(where))
    return Number(row?.rows ?? 0)
  }
  return {
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query,
    present,
    place: ({ createdAtMs, id }) => ({ value: createdAtMs, id }),
    async fetch({ order, place, orderBy, limit, offset }) {
      const select = (where: SQL | undefined, most: number, skipped: number): Promise<CheckRow[]> => {
        const rows = db.select().from(t).where(where)
        return rowsAtOnce(
          db,
          rows
            .orderBy(...orderBy)
            .limit(most)
            .offset(skipped),
        )
      }
      if (filter === undefined) {
        const after = place === null ? undefined : behind(t.createdAtMs, t.id, order, place)
        return select(and(within, after), limit, offset)
      }
      const found: CheckRow[] = []
      let skipped = offset
      for await (const slice of slices(db, within, { order, place, rows: sliceRows })) {
        const where = and(slice, filter)
        const passed = skipped === 0 ? 0 : await counted(where)
        if (skipped > 0 && passed <= skipped) skipped -= passed
        else {
          found.push(...(await select(where, limit - found.length, skipped)))
          skipped = 0
        }
        if (found.length >= limit) break
      }
      return found
    },
    async count(atMost) {
      const question = questionOf(db.select({ id: t.id }).from(t).where(and(within, filter)))
      const known = totals.get(db, question)
      if (known !== undefined) return Math.min(known, atMost)
      const rows = filter === undefined ? Math.max(sliceRows, COUNTED_ROWS) : sliceRows
      let total = 0
      for await (const slice of slices(db, within, { order: 'desc', place: null, rows })) {
        total += await counted(and(slice, filter))
        if (total >= atMost) return atMost
      }
      if (total > LARGE) totals.set(db, question, total)
      return total
    },
  }
}

/** The conditions of one slice after another, in the order of the list. */
async function* slices(db: Db, within: SQL | undefined, first: SliceBehind): AsyncGenerator<SQL | undefined> {
  for (let from = first.place; ; ) {
    const { where, end } = await sliceBehind(db, within, { ...first, place: from })
    yield where
    if (end === null) return
    await giveWay()
    from = end
  }
}

export interface SliceBehind {
  readonly order: Order
  /** Null for the first slice. */
  readonly place: Place | null
  readonly rows: number
}

/**
 * The next slice of the log by time: the condition that selects its rows, and its last row, or null at the end of the
 * log.
 */
export async function sliceBehind(
  db: Db,
  within: SQL | undefined,
  { order, place, rows }: SliceBehind,
): Promise<{ readonly where: SQL | undefined; readonly end: Place | null }> {
  const { checks: t } = complianceTables(db)
  const towards = order === 'asc' ? asc : desc
  const own = and(within, place === null ? undefined : behind(t.createdAtMs, t.id, order, place))
  const keys = db.select({ value: t.createdAtMs, id: t.id }).from(t).where(own)
  const ends = keys
    .orderBy(towards(t.createdAtMs), towards(t.id))
    .limit(1)
    .offset(rows - 1)
  const [end] = await rowsAtOnce(db, ends)
  return { where: and(own, end === undefined ? undefined : upTo(t, order, end)), end: end ?? null }
}

/** The rows up to and including this one, in the order of the list. */
function upTo(t: ReturnType<typeof complianceTables>['checks'], order: Order, { value, id }: Place): SQL | undefined {
  const at = Number(value)
  return order === 'asc'
    ? and(lte(t.createdAtMs, at), or(lt(t.createdAtMs, at), lte(t.id, id)))
    : and(gte(t.createdAtMs, at), or(gt(t.createdAtMs, at), gte(t.id, id)))
}
