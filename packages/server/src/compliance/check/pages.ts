/** The check log read through, page after page, so that a long one needs no memory. */
import { and, asc, eq, gt, type SQL } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { giveWay } from '../../runtime/give-way.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { behind as behindOf } from '../../runtime/operation/list.js'
import type { Db } from '../../runtime/store/db.js'
import { TARGETS } from '../rule/schema.js'
import { type CheckRow, complianceTables } from '../tables.js'
import { type Place, sliceBehind } from './walk.js'

export interface CheckPages {
  readonly orgId: string
  /** Of this scan alone, in the order of its records; the oldest first without one. */
  readonly scanId?: string
  /** What else is wanted of them. */
  readonly where?: (db: Db) => SQL | undefined
  readonly rows: number
  /** Rows that are compared with a filter at a time; 2,000 unless said. */
  readonly sliceRows?: number
}

/** @throws Refusal 503 when the process ends in the middle: what was read is not the whole. */
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
  // Target by target, so that each page enters the index of the scan where the one before it ended.
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

const ending = () => new Refusal('SERVICE_UNAVAILABLE', 'the server is ending: ask again')

const COMPARED_ROWS = 2000

/** What the filter leaves of one slice of the log after another: few rows of a long log would else be looked for in one go. */
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
