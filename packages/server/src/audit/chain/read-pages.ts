/** Reads the records of a chain in order, page by page; other requests are served between pages. */
import type { AuditRecord } from '@plumbline/audit-chain'
import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'
import { recordOf } from './read-record.js'

export const PAGE_ROWS = 1000

export interface PageRange {
  /** Sequence number before the first record. */
  readonly after: number
  readonly through?: number
  /**
   * False also reads rows with unexpected numbers, such as those before `after`: verification must see rows that should
   * not exist.
   */
  readonly strict?: boolean
}

export async function* readPages(db: Db, chain: string, range: PageRange): AsyncGenerator<AuditRecord[]> {
  let after = range.strict === false ? Number.MIN_SAFE_INTEGER : range.after
  for (;;) {
    const page = await readPage(db, chain, after, range.through)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ROWS) return
    after = last.seq
    await new Promise<void>((next) => setImmediate(next))
  }
}

export async function readPage(
  db: Db,
  chain: string,
  after: number,
  through = Number.MAX_SAFE_INTEGER,
): Promise<AuditRecord[]> {
  const { auditEvents } = auditTables(db)
  // guard: the-rows-of-one-chain
  const rows = await db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.chain, chain), gt(auditEvents.seq, after), lte(auditEvents.seq, through)))
    .orderBy(asc(auditEvents.seq))
    .limit(PAGE_ROWS)
  return rows.map(recordOf)
}
