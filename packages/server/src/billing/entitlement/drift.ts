/** The newest difference of an account between its subscription and what was in force, as it is stored. */
import { eq } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'

export const LEGS = ['tier', 'seats', 'features', 'grants', 'retention'] as const
export type Leg = (typeof LEGS)[number]

export interface FoundDrift {
  readonly orgId: string
  readonly subscriptionId: string
  readonly differs: readonly Leg[]
  readonly isRepaired: boolean
}

export async function recordDrift(tx: Tx, found: FoundDrift, nowMs: number): Promise<void> {
  const { billingEntitlementDrift: t } = billingTables(tx)
  const row = { ...found, foundAtMs: nowMs }
  await tx.insert(t).values(row).onConflictDoUpdate({ target: t.orgId, set: row })
}

export async function findDrift(db: Db, orgId: string) {
  const { billingEntitlementDrift: t } = billingTables(db)
  const [row] = await db.select().from(t).where(eq(t.orgId, orgId))
  if (row === undefined) return null
  return { foundAt: toIso(row.foundAtMs), differs: row.differs as Leg[], repaired: row.isRepaired }
}
