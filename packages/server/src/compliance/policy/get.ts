/** Read a policy. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { membersOf, PolicyRecord, policyRecord } from './record.js'
import { isVisible } from './visible.js'

/** @throws Refusal 404 for a policy that the organization cannot see. */
export async function findVisiblePolicy(db: Db, orgId: string, id: string): Promise<PolicyRow> {
  const { policies: t } = complianceTables(db)
  // guard: a-policy-to-be-compared-is-a-visible-one
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isVisible(t, orgId)))
  if (row === undefined) throw notFound('Policy')
  return row
}

export const getPolicy = query({
  name: 'compliance.policy.get',
  summary: 'Read a policy',
  http: { method: 'get', path: '/compliance/policies/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ policy: PolicyRecord }),
  errors: ['NOT_FOUND'],
  async run({ db, ...context }, { path }) {
    const orgId = tenantId(context)
    const row = await findVisiblePolicy(db, orgId, path.id)
    return { policy: policyRecord(row, (await membersOf(db, [row.id])).get(row.id) ?? [], orgId) }
  },
})
