/** The check log read through, page after page, so that a long one needs no memory. */
import { and, asc, eq, gt, type SQL } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { behind as behindOf } from '../../runtime/operation/list.js'
import type { Db } from '../../runtime/store/db.js'
import { TARGETS } from '../rule/schema.js'
import { type CheckRow, complianceTables } from '../tables.js'

export interface CheckPages {
  readonly orgId: string
  /** Of this scan alone, in the order of its records; the oldest first without one. */
  readonly scanId?: string
  /** What else is wanted of them. */
  readonly where?: (db: Db) => SQL | undefined
  readonly rows: number
}

/** @throws Refusal 503 when the process ends in the middle: what was read is not the whole. */
export async function* checkPages(
  reader: Pick<StreamContext, 'read' | 'signal'>,
  { orgId, scanId, where, rows }: CheckPages,
): AsyncGenerator<readonly CheckRow[]> {
  const own = (db: Db, behind: SQL | undefined) => {
    const { checks: t } = complianceTables(db)
    return and(eq(t.orgId, orgId), equals(t.scanId, scanId), where?.(db), behind)
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
    if (signal.aborted) throw new Refusal('SERVICE_UNAVAILABLE', 'the server is ending: ask again')
    const before: CheckRow | undefined = last
    const page = await read((db) => select(db, before))
    if (page.length > 0) yield page
    last = page.at(-1)
    if (page.length < rows) return
  }
}
