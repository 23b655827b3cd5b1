/** Read the sets whose rules an organization has active, and the last push. */
import { and, eq, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIsoOrNull } from '../../runtime/clock.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { SETS, type SetName } from '../rule/publish.js'
import { complianceTables } from '../tables.js'
import { access, Path, setOf } from './sets.js'

export const getEntitlements = query({
  name: 'compliance.entitlement.get',
  summary: 'Read the sets whose rules are active for an organization, and the last push',
  http: { method: 'get', path: '/compliance/entitlements/:orgId' },
  access,
  tenant: noTenant,
  input: { path: Path },
  output: strictObject({ sets: Type.Array(Type.Enum([...SETS])), watermark: nullable(Instant) }),
  errors: [],
  async run({ db }, { path: { orgId } }): Promise<{ sets: SetName[]; watermark: Static<typeof Instant> | null }> {
    const { entitlements: t, rules, subscriptions: s } = complianceTables(db)
    const [held] = await db.select().from(t).where(eq(t.orgId, orgId))
    const active = await db
      .select({ tags: rules.tags })
      .from(s)
      .innerJoin(rules, eq(rules.id, s.ruleId))
      .where(and(eq(s.orgId, orgId), eq(s.isActive, true), isNull(s.unsubscribedAtMs), isNull(rules.deletedAtMs)))
    const found = new Set(active.map(setOf))
    return { sets: SETS.filter((name) => found.has(name)), watermark: toIsoOrNull(held?.watermarkMs ?? null) }
  },
})
