import type { Rule } from '@plumbline/engine'
import { and, eq, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type SubscriptionRow } from '../tables.js'

/** The bodies of pinned versions, by the id of their rule. */
export async function pinnedBodies(
  db: Db,
  pins: readonly Pick<SubscriptionRow, 'ruleId' | 'pinnedVersion'>[],
): Promise<ReadonlyMap<string, Rule>> {
  const { ruleVersions: t } = complianceTables(db)
  const bodies = new Map<string, Rule>()
  const wanted = pins.filter(({ pinnedVersion }) => pinnedVersion !== null)
  for (let at = 0; at < wanted.length; at += PINS_AT_ONCE) {
    const some = wanted.slice(at, at + PINS_AT_ONCE)
    const each = some.map(({ ruleId, pinnedVersion }): SQL | undefined =>
      and(eq(t.ruleId, ruleId), eq(t.version, pinnedVersion as number)),
    )
    const rows = await db
      .select({ ruleId: t.ruleId, body: t.body })
      .from(t)
      .where(and(eq(t.scope, 'published'), or(...each)))
    for (const { ruleId, body } of rows) bodies.set(ruleId, body as Rule)
  }
  return bodies
}

const PINS_AT_ONCE = 100
