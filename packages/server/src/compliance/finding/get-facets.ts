/** Counts of findings by state, severity, target, rule and record, under the filters of the list. */
import { asc, count, desc, sql } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { FindingFilters, FindingStates, findingsWanted, readFacets, Severities, stateOf } from './state.js'

const GROUPS_MAX = 50
const Count = Type.Integer({ minimum: 0 })

export const getFindingFacets = query({
  name: 'compliance.finding.get-facets',
  summary: 'Count findings by state, severity, target, rule and record',
  description: `The filters are those of the list. Of rules and records, the ${GROUPS_MAX} with the most findings.`,
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
  }),
  errors: ['VALIDATION_ERROR'],
  async run({ db, nowMs, ...context }, { query: wanted }) {
    const orgId = tenantId({ ...context, nowMs })
    const { findings: t } = complianceTables(db)
    const { openSeverities: _, ...facets } = await readFacets(db, { orgId, nowMs }, wanted)
    const { state } = await stateOf(db, { orgId, nowMs })
    const where = findingsWanted(db, orgId, wanted, state)
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
    const counted = <Row extends { findings: number }>(row: Row): Row => ({ ...row, findings: Number(row.findings) })
    return { ...facets, rules: rules.map(counted), entities: entities.map(counted) }
  },
})
