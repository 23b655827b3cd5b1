/**
 * Finds the organizations that are near a limit or above it: one query over every account, whatever its tier, including
 * limits set by hand, and over the teams with their own limit. The percentage is rounded down and not capped. Source:
 * spec platform 12.4.
 */
import { type QuotaType, quotaTypes, type Tier, tiers } from '@plumbline/billing-core'
import { type SQL, sql } from 'drizzle-orm'
import { identityTables } from '../../identity/tables.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { KINDS } from '../limit/kinds.js'
import { periodOf } from '../limit/period.js'
import type { AtRiskEntry } from '../quota/schema.js'
import { quotaTables } from '../tables.js'
import { usageQuery } from '../usage/by-org.js'

export interface AtRiskQuestion {
  /** Percent, 1 to 100. */
  readonly threshold: number
  /** Only this type. */
  readonly type?: QuotaType | undefined
  readonly limit: number
  readonly offset: number
}

interface Row extends Record<string, unknown> {
  id: string
  name: string
  slug: string
  tier: Tier
  type: QuotaType
  used: number | string
  cap: number | string
  percent: number | string
  total: number | string
}

export async function findAtRisk(
  runtime: Pick<Runtime, 'settings' | 'domains'>,
  db: Db,
  question: AtRiskQuestion,
  nowMs: number,
): Promise<{ atRisk: AtRiskEntry[]; total: number }> {
  const { limit, offset } = question
  const near = atRisk(runtime, db, question, nowMs)
  const rows = await db.rows<Row>(
    sql`${near} SELECT near.*, count(*) OVER () AS total FROM near
      ORDER BY percent DESC, used DESC, name, id, type LIMIT ${limit} OFFSET ${offset}`,
  )
  let total = Number(rows[0]?.total ?? 0)
  if (rows.length === 0 && offset > 0) {
    const [counted] = await db.rows<{ total: number | string }>(sql`${near} SELECT count(*) AS total FROM near`)
    total = Number(counted?.total ?? 0)
  }
  return {
    total,
    atRisk: rows.map(({ id, name, slug, tier, type, used, cap, percent }) => ({
      orgId: id,
      name,
      slug,
      tier,
      type,
      used: Number(used),
      limit: Number(cap),
      percent: Number(percent),
    })),
  }
}

/** `WITH … near AS (…)`: id, name, slug, tier, type, used, cap, percent. */
function atRisk(
  { settings, domains }: Pick<Runtime, 'settings' | 'domains'>,
  db: Db,
  { threshold, type }: AtRiskQuestion,
  nowMs: number,
): SQL {
  const { organizations: o } = identityTables(db)
  const { quotaLimits, quotaPools, quotaCounters } = quotaTables(db)
  const types = type === undefined ? quotaTypes : [type]
  // Numbers and words of our own tables, so they are inlined: parameters in a list of values would have no types.
  const baselines = tiers.flatMap((tier) => {
    const { startMs } = periodOf(settings, tier, nowMs)
    return types.map((each) => {
      const start = KINDS[each] === 'metered' ? startMs : 0
      return sql.raw(`('${tier}', '${each}', ${settings.tiers.tiers[tier].limits[each]}, ${start})`)
    })
  })
  const known = sql.raw(tiers.map((tier) => `'${tier}'`).join(', '))
  // The same rule as `limitedTier`, in SQL.
  const tierOf = settings.BILLING_ENABLED
    ? sql`CASE WHEN r.is_system THEN 'unlimited' WHEN r.tier IN (${known}) THEN r.tier ELSE 'developer' END`
    : sql`'unlimited'`
  return sql`WITH
    baselines(tier, type, base, period_start) AS (VALUES ${sql.join(baselines, sql`, `)}),
    orgs AS (
      SELECT o.id, o.name, o.slug, o.root_org_id, o.parent_org_id, ${tierOf} AS tier
      FROM ${o} o JOIN ${o} r ON r.id = o.root_org_id
      WHERE o.deleted_at_ms IS NULL AND r.deleted_at_ms IS NULL),
    live AS (${usageQuery(domains, db, null, types)}),
    used AS (
      SELECT o.root_org_id AS id, live.type AS type, CAST(sum(live.used) AS bigint) AS used
      FROM live JOIN orgs o ON o.id = live.org_id GROUP BY o.root_org_id, live.type
      UNION ALL
      SELECT p.org_id, p.type, p.used FROM ${quotaPools} p JOIN orgs o ON o.id = p.org_id
      JOIN baselines b ON b.tier = o.tier AND b.type = p.type AND b.period_start = p.period_start_ms),
    used_by_team AS (
      SELECT o.id AS id, live.type AS type, CAST(sum(live.used) AS bigint) AS used
      FROM live JOIN orgs o ON o.id = live.org_id WHERE o.parent_org_id IS NOT NULL GROUP BY o.id, live.type
      UNION ALL
      SELECT c.org_id, c.type, c.used FROM ${quotaCounters} c
      JOIN orgs o ON o.id = c.org_id AND o.parent_org_id IS NOT NULL
      JOIN baselines b ON b.tier = o.tier AND b.type = c.type AND b.period_start = c.period_start_ms
      WHERE c.period_start_ms > 0),
    capped AS (
      SELECT o.id, o.name, o.slug, o.tier, used.type, used.used,
        coalesce(l.override, CASE WHEN b.base < 0 THEN -1 ELSE b.base + coalesce(l.granted, 0) END) AS cap
      FROM used JOIN orgs o ON o.id = used.id
      JOIN baselines b ON b.tier = o.tier AND b.type = used.type
      LEFT JOIN ${quotaLimits} l ON l.org_id = o.id AND l.type = used.type
      UNION ALL
      SELECT o.id, o.name, o.slug, o.tier, t.type, t.used, l.override
      FROM used_by_team t JOIN orgs o ON o.id = t.id
      JOIN ${quotaLimits} l ON l.org_id = o.id AND l.type = t.type
      WHERE l.override IS NOT NULL),
    near AS (
      SELECT * FROM (
        SELECT capped.*, CASE WHEN cap = 0 THEN 100 ELSE used * 100 / cap END AS percent
        FROM capped WHERE cap >= 0 AND used > 0) counted
      WHERE percent >= ${threshold})`
}
