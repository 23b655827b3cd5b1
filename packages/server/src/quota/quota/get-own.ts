/** Read the quotas of the organization that you act in. */
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { QuotaView } from './schema.js'
import { ACCOUNT_WIDE, LOOKING, viewOf } from './view.js'

export const getOwnQuotas = query({
  name: 'quota.quota.get-own',
  summary: 'Read the quotas of the organization that you act in',
  http: { method: 'get', path: '/quotas' },
  access: permission('quotas:read'),
  tenant: fromHeader,
  acrossOrganizations: ACCOUNT_WIDE,
  uncounted: LOOKING,
  snapshot: true,
  input: {},
  output: strictObject({ quota: QuotaView }),
  errors: ['NOT_FOUND'],
  run: async (context) => ({ quota: await viewOf(context) }),
})
