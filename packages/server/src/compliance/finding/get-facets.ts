/** Counts of findings by state, severity, target, rule and record, under the filters of the list. */
import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { heldOf } from '../held.js'
import { isVisible } from '../rule/find.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'
import { CONTROL_TAG, FindingFilters, FindingStates, findingsWanted, readFacets, Severities, stateOf } from './state.js'

const GROUPS_MAX = 50
const Count = Type.Integer({ minimum: 0 })

export const getFindingFacets = query({
  name: 'compliance.finding.get-facets',
  summary: 'Count findings by state, severity, target, rule, record, owner and control',
  description: `The filters are those of the list. Of rules, records, owners and controls, the ${GROUPS_MAX} with the most findings. A rule can have several controls, and counts for each.`,
  http: { method: 'get', path: '/compliance/findings/facets' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: FindingFilters },
  output: strictObject({
    total: Count,
    states: FindingStates,
    severities: Severities,
    targets: strictObject({ plugin: Count, pipeline: Count }),
    rules: Type.Array(strictObject({ ruleId: Type.String(), ruleName: Type.String(), findings: Count })),
    entities: Type.Array(
      strictObject({ target: Type.String(), entityId: Type.String(), entityName: Type.String(), findings: Count }),
    ),
    owners: Type.Array(strictObject({ ownerId: nullable(Type.String()), findings: Count })),
    controls: Type.Array(strictObject({ control: Type.String(), findings: Count })),
  }),
  errors: ['VALIDATION_ERROR'],
  async run({ db, nowMs, ...context }, { query: wanted }) {
    const held = heldOf(context)
    const asked = { ...held, nowMs }
    const { findings: t } = complianceTables(db)
    const { openSeverities: _, ...facets } = await readFacets(db, asked, wanted)
    const { state } = await stateOf(db, asked)
    const where = findingsWanted(db, held, wanted, state)
    const rules = await db
      .select({ ruleId: t.ruleId, ruleName: sql<string>`max(${t.ruleName})`, findings: count() })
      .from(t)
      .where(where)
      .groupBy(t.ruleId)
      .orderBy(desc(count()), asc(t.ruleId))
      .limit(GROUPS_MAX)
    const entities = await db
      .select({
        target: t.target,
        entityId: t.entityId,
        entityName: sql<string>`max(${t.entityName})`,
        findings: count(),
      })
      .from(t)
      .where(where)
      .groupBy(t.target, t.entityId)
      .orderBy(desc(count()), asc(t.entityId))
      .limit(GROUPS_MAX)
    const owners = await db
      .select({ ownerId: t.ownerId, findings: count() })
      .from(t)
      .where(where)
      .groupBy(t.ownerId)
      .orderBy(desc(count()), asc(t.ownerId))
      .limit(GROUPS_MAX)
    const counted = <Row extends { findings: number }>(row: Row): Row => ({ ...row, findings: Number(row.findings) })
    return {
      ...facets,
      rules: rules.map(counted),
      entities: entities.map(counted),
      owners: owners.map(counted),
      controls: await countsByControl(db, held, where),
    }
  },
})

async function countsByControl(db: Db, held: Held, where: SQL | undefined) {
  const { findings: t, rules: r } = complianceTables(db)
  const rows = await db
    .select({ tags: r.tags, findings: count() })
    .from(t)
    .innerJoin(r, and(eq(r.id, t.ruleId), isVisible(r, held)))
    .where(where)
    .groupBy(r.id)
  const counts = new Map<string, number>()
  for (const { tags, findings } of rows)
    for (const tag of new Set(tags))
      if (tag.startsWith(CONTROL_TAG)) {
        const control = tag.slice(CONTROL_TAG.length)
        counts.set(control, (counts.get(control) ?? 0) + Number(findings))
      }
  return [...counts]
    .map(([control, findings]) => ({ control, findings }))
    .sort((a, b) => b.findings - a.findings || (a.control < b.control ? -1 : 1))
    .slice(0, GROUPS_MAX)
}
