/** `GET /billing/admin/entitlements/:orgId`: what an account is entitled to, and what is in force. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findRoot } from '../account/find.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { compareEntitlement, EntitlementView } from './expected.js'

export const getEntitlement = query({
  name: 'billing.entitlement.get',
  summary: 'Compare what an account is entitled to with what is in force',
  http: { method: 'get', path: '/billing/admin/entitlements/:orgId' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { path: Type.Object({ orgId: Uuid }) },
  output: strictObject({ entitlement: EntitlementView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db, nowMs }, { path: { orgId } }) {
    requireBilling(runtime)
    const root = await findRoot(db, orgId)
    if (root === null) throw notFound('Organization')
    return { entitlement: await compareEntitlement(runtime, db, root, nowMs) }
  },
})
