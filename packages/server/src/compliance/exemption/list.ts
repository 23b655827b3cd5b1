/** `GET /compliance/exemptions`: the organization's own, or with `team` those of a team that it decides about. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Target } from '../rule/schema.js'
import { complianceTables } from '../tables.js'
import { EXEMPTION_STATES, ExemptionRecord, exemptionRecord, isInState } from './record.js'

const Filters = Type.Object({
  ruleId: Type.Optional(Uuid),
  entityType: Type.Optional(Target),
  entityId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum([...EXEMPTION_STATES])),
  createdBy: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  team: Type.Optional(Uuid),
})
const list = listOf({
  key: 'exemptions',
  item: ExemptionRecord,
  sortBy: ['createdAt', 'updatedAt'],
  filters: Filters.properties,
})

export const listExemptions = query({
  name: 'compliance.exemption.list',
  summary: 'List exemptions',
  description: '`team` lists those of a team from rules that this organization hands down.',
  http: { method: 'get', path: '/compliance/exemptions' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, nowMs, ...context }, { query: asked }) {
    const wanted: Static<typeof Filters> & PageQuery = asked
    const orgId = tenantId({ ...context, nowMs })
    const { exemptions: t } = complianceTables(db)
    const whose =
      wanted.team === undefined ? eq(t.orgId, orgId) : and(eq(t.reviewOrgId, orgId), eq(t.orgId, wanted.team))
    return list.page(db, {
      table: t,
      where: and(
        whose,
        equals(t.ruleId, wanted.ruleId),
        equals(t.entityType, wanted.entityType),
        equals(t.entityId, wanted.entityId),
        equals(t.createdBy, wanted.createdBy),
        wanted.status === undefined ? undefined : isInState(t, wanted.status, nowMs),
      ),
      columns: { createdAt: t.createdAtMs, updatedAt: t.updatedAtMs },
      id: t.id,
      query: asked,
      present: (row) => exemptionRecord(row, nowMs),
    })
  },
})
