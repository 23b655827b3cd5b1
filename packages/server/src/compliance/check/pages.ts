/** Reads the check log page by page, so that memory does not grow with its length. */
import { and, asc, eq, gt, type SQL } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { behind as behindOf } from '../../runtime/operation/list.js'
import type { Db } from '../../runtime/store/db.js'
import { giveWay } from '../../runtime/yield-to-requests.js'
import { TARGETS } from '../rule/schema.js'
import { type CheckRow, complianceTables } from '../tables.js'
import { type Place, sliceBehind } from './walk.js'

export interface CheckPages {
  readonly orgId: string
  /** Only checks of this scan, in the order of its records; without it, the oldest first. */
  readonly scanId?: string
  /** A further condition. */
  readonly where?: (db: Db) => SQL | undefined
  readonly rows: number
  /** Rows that one statement compares with the filter; 2,000 by default. */
  readonly sliceRows?: number
}

/** @throws Refusal 503 when the process shuts down before the end: an incomplete answer must not look complete. */
export async function* checkPages(
  reader: Pick<StreamContext, 'read' | 'signal'>,
  { orgId, scanId, where, rows, sliceRows = COMPARED_ROWS }: CheckPages,
): AsyncGenerator<readonly CheckRow[]> {
  const own = (db: Db, behind: SQL | undefined) => {
    const { checks: t } = complianceTables(db)
    // guard: findings-of-the-own-check-log
    // guard: the-check-log-as-a-file-is-of-the-own-organization
    return and(eq(t.orgId, orgId), equals(t.scanId, scanId), where?.(db), behind)
  }
  if (scanId === undefined && where !== undefined) {
    yield* filteredPages(reader, { orgId, where, rows, sliceRows })
    return
  }
  if (scanId === undefined) {
    yield* pages(reader, rows, (db, last) => {
      const { checks: t } = complianceTables(db)
      const place = last && behindOf(t.createdAtMs, t.id, 'asc', { value: last.createdAtMs, id: last.id })
      return db.select().from(t).where(own(db, place)).orderBy(asc(t.createdAtMs), asc(t.id)).limit(rows)
    })
    return
  }
  // One target at a time, so that each page continues in the scan's index where the previous page ended.
  for (const target of TARGETS) {
    yield* pages(reader, rows, (db, last) => {
      const { checks: t } = complianceTables(db)
      const place = and(eq(t.target, target), last && gt(t.entityId, last.entityId ?? ''))
      return db.select().from(t).where(own(db, place)).orderBy(asc(t.entityId)).limit(rows)
    })
  }
}

async function* pages(
  { read, signal }: Pick<StreamContext, 'read' | 'signal'>,
  rows: number,
  select: (db: Db, last: CheckRow | undefined) => Promise<CheckRow[]>,
): AsyncGenerator<readonly CheckRow[]> {
  for (let last: CheckRow | undefined; ; ) {
    if (signal.aborted) throw ending()
    const before: CheckRow | undefined = last
    const page = await read((db) => select(db, before))
    if (page.length > 0) yield page
    last = page.at(-1)
    if (page.length < rows) return
  }
}

const ending = () => new Refusal('SERVICE_UNAVAILABLE', 'the server is shutting down: try again')

const COMPARED_ROWS = 2000

/**
 * Applies the filter to one slice of the log after another: a single statement that looks for few rows in a long log
 * would run too long.
 */
async function* filteredPages(
  { read, signal }: Pick<StreamContext, 'read' | 'signal'>,
  { orgId, where, rows, sliceRows }: Required<Omit<CheckPages, 'scanId'>>,
): AsyncGenerator<readonly CheckRow[]> {
  for (let place: Place | null = null; ; ) {
    if (signal.aborted) throw ending()
    const from: Place | null = place
    const { page, next } = await read(async (db) => {
      const { checks: t } = complianceTables(db)
      // guard: the-findings-of-the-own-organization
      const slice = await sliceBehind(db, eq(t.orgId, orgId), { order: 'asc', place: from, rows: sliceRows })
      const found = await db
        .select()
        .from(t)
        .where(and(slice.where, where(db)))
        .orderBy(asc(t.createdAtMs), asc(t.id))
        .limit(rows)
      const last = found.length === rows ? found.at(-1) : undefined
      return { page: found, next: last === undefined ? slice.end : { value: last.createdAtMs, id: last.id } }
    })
    if (page.length > 0) yield page
    if (next === null) return
    await giveWay()
    place = next
  }
}
