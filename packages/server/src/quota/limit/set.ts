/** The limits stored for an organization: set by hand, and granted by its add-ons. */
import type { QuotaType } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { quotaTables } from '../tables.js'
import type { SetLimit } from './effective.js'

export type SetLimits = ReadonlyMap<QuotaType, SetLimit>
export const NOTHING_SET: SetLimit = { override: null, granted: 0 }

/** By type; a type without a stored limit has no entry. */
export async function readSetLimits(db: Db, orgId: string): Promise<Map<QuotaType, SetLimit>> {
  const { quotaLimits: t } = quotaTables(db)
  const rows = await db.select().from(t).where(eq(t.orgId, orgId))
  return new Map(rows.map(({ type, override, granted }) => [type as QuotaType, { override, granted }]))
}
