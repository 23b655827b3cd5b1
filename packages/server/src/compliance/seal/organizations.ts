/** The organizations that have rows in the check log. Each takes one index lookup, however many rows it has. */
import { asc, gt } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables } from '../tables.js'

export async function* organizationsWithChecks(
  read: <T>(run: (db: Db) => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (let after = ''; !signal.aborted; ) {
    const [next] = await read((db) => {
      const { checks: t } = complianceTables(db)
      return db.select({ orgId: t.orgId }).from(t).where(gt(t.orgId, after)).orderBy(asc(t.orgId)).limit(1)
    })
    if (next === undefined) return
    yield next.orgId
    after = next.orgId
  }
}
