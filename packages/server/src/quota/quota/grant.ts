/**
 * What the add-ons of an account grant, as reported by the billing domain: part of the effective limits, which a limit
 * set by hand overrides. The grants replace all earlier ones: a type that is not named gets nothing. Source: spec
 * billing-audit 5.
 */

import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { and, eq } from 'drizzle-orm'
import { lockAccount } from '../../identity/index.js'
import { callMeterPort } from '../../runtime/operation/call-meter.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { NOTHING_SET, readSetLimits } from '../limit/set.js'
import { quotaTables } from '../tables.js'

/** @returns whether anything changed. */
export async function setGrants(
  tx: Tx,
  runtime: Runtime,
  rootOrgId: string,
  grants: Readonly<Partial<Record<QuotaType, number>>>,
): Promise<boolean> {
  await lockAccount(tx, rootOrgId)
  const set = await readSetLimits(tx, rootOrgId)
  const { quotaLimits: t } = quotaTables(tx)
  const updatedAtMs = runtime.clock.now()
  const different = quotaTypes.filter((type) => (set.get(type) ?? NOTHING_SET).granted !== (grants[type] ?? 0))
  for (const type of different) {
    const granted = grants[type] ?? 0
    const { override } = set.get(type) ?? NOTHING_SET
    await tx
      .insert(t)
      .values({ orgId: rootOrgId, type, override, granted, updatedAtMs })
      .onConflictDoUpdate({ target: [t.orgId, t.type], set: { granted, updatedAtMs } })
  }
  if (different.length > 0) {
    // A row without an override and without a grant is deleted.
    for (const [type, { override, granted }] of await readSetLimits(tx, rootOrgId)) {
      if (override === null && granted === 0) await tx.delete(t).where(and(eq(t.orgId, rootOrgId), eq(t.type, type)))
    }
    tx.afterCommit(() => findPort(runtime, callMeterPort)?.forget(rootOrgId))
  }
  return different.length > 0
}

/** The current grants of add-ons, by type. */
export async function readGrants(db: Db, rootOrgId: string): Promise<Partial<Record<QuotaType, number>>> {
  return Object.fromEntries([...(await readSetLimits(db, rootOrgId))].map(([type, { granted }]) => [type, granted]))
}
