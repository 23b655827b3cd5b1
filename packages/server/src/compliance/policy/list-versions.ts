/**
 * `GET /compliance/policies/:id/versions`: the live policies of the same name in the organization that owns this one.
 * They are what a diff calls the versions of a policy.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { findVisiblePolicy } from './get.js'
import { PolicyRecord } from './record.js'
import { policyRows } from './rows.js'
import { isVisible } from './visible.js'

const list = listOf({ key: 'versions', item: PolicyRecord, sortBy: ['createdAt', 'updatedAt'] })

export const listPolicyVersions = query({
  name: 'compliance.policy.list-versions',
  summary: 'List the versions of a policy, with this one, the newest first',
  description:
    'The versions of a policy are the live policies of its organization with exactly its name. `isActive` says which are in force.',
  http: { method: 'get', path: '/compliance/policies/:id/versions' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }), query: list.query },
  output: list.output,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async run({ db, ...context }, { path, query: wanted }) {
    const orgId = tenantId(context)
    const of = await findVisiblePolicy(db, orgId, path.id)
    const { policies: t } = complianceTables(db)
    // The index is by the name key; of names that differ in case alone, each has versions of its own.
    const isOfName = and(eq(t.nameKey, of.nameKey), eq(t.name, of.name))
    // guard: the-versions-of-a-policy-are-of-its-organization
    const where = and(isVisible(t, orgId), eq(t.orgId, of.orgId), isOfName)
    return list.rows(policyRows(db, orgId, where, wanted))
  },
})
