/** One finding. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { FindingRecord, findingRecord, type StatedFinding, stateOf } from './state.js'

export const getFinding = query({
  name: 'compliance.finding.get',
  summary: 'Show a finding',
  http: { method: 'get', path: '/compliance/findings/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ finding: FindingRecord }),
  errors: ['NOT_FOUND'],
  async run({ db, nowMs, ...context }, { path }) {
    const orgId = tenantId({ ...context, nowMs })
    const { findings: t } = complianceTables(db)
    const { state, exemptionId } = await stateOf(db, { orgId, nowMs })
    const [found] = await db
      .select({ row: t, state, exemptionId })
      .from(t)
      .where(
        and(
          // guard: a-finding-of-the-own-organization
          eq(t.orgId, orgId),
          eq(t.id, path.id),
        ),
      )
    if (found === undefined) throw notFound('Finding')
    return { finding: findingRecord(found as StatedFinding) }
  },
})
