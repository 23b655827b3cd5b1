/** `GET /quotas/:orgId`: the limits and the use of an organization. */
import Type from 'typebox'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { QuotaView } from './schema.js'
import { ACCOUNT_WIDE, LOOKING, mayRead, viewOf } from './view.js'

export const getQuotas = query({
  name: 'quota.quota.get',
  summary: 'Read the quotas of an organization',
  http: { method: 'get', path: '/quotas/:orgId' },
  access: mayRead,
  tenant: fromPath('orgId'),
  acrossOrganizations: ACCOUNT_WIDE,
  uncounted: LOOKING,
  snapshot: true,
  input: { path: Type.Object({ orgId: Type.String() }) },
  output: strictObject({ quota: QuotaView }),
  errors: ['NOT_FOUND'],
  run: async (context) => ({ quota: await viewOf(context) }),
})
