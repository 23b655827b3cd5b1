/** Shows whether an organization enforces single sign-on, and which conditions are not met. */
import { sessionOf } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { onOrganization, organizationPath } from '../paths.js'
import { EnforcementRecord, enforcementOf } from './conditions.js'

export const getEnforcement = query({
  name: 'sso.enforcement.get',
  summary: 'Show whether sign-on is enforced, and what is missing for it',
  http: { method: 'get', ...organizationPath('/idp/enforcement') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  acrossOrganizations: 'the second factor of the owner belongs to no organization',
  input: { path: onOrganization },
  output: strictObject({ enforcement: EnforcementRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
  async run(context) {
    const { userId } = sessionOf(context.principal)
    return { enforcement: await enforcementOf(context.db, tenantId(context), userId, context.nowMs) }
  },
})
