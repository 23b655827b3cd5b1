/**
 * Live counts: each domain counts its own records. Nothing is stored, so no count can drift. Source: spec platform
 * 12.1, 12.3.
 */
import type { QuotaType } from '@plumbline/billing-core'
import type { DomainRegistration } from '../../runtime/operation/registration.js'
import type { Db } from '../../runtime/store/db.js'

/** Rows or bytes of these organizations together, over every domain; a type that no domain counts is 0. */
export async function countUsed(
  domains: readonly DomainRegistration[],
  db: Db,
  orgIds: readonly string[],
  type: QuotaType,
): Promise<number> {
  if (orgIds.length === 0) return 0
  let used = 0
  for (const { usage } of domains) used += (await usage[type]?.(db, orgIds)) ?? 0
  return used
}
