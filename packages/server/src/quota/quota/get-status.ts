/** Read one quota of an organization. */
import Type from 'typebox'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { KINDS } from '../limit/kinds.js'
import { QuotaTypeName } from '../type-name.js'
import { QuotaStatus } from './schema.js'
import { ACCOUNT_WIDE, LOOKING, mayRead, viewOf } from './view.js'

export const getQuotaStatus = query({
  name: 'quota.quota.get-status',
  summary: 'Read one quota of an organization',
  http: { method: 'get', path: '/quotas/:orgId/:type' },
  access: mayRead,
  tenant: fromPath('orgId'),
  acrossOrganizations: ACCOUNT_WIDE,
  uncounted: LOOKING,
  snapshot: true,
  input: { path: Type.Object({ orgId: Type.String(), type: QuotaTypeName }) },
  output: QuotaStatus,
  errors: ['NOT_FOUND'],
  async run(context, { path: { type } }) {
    const { limit, used, remaining, unlimited, resetAt } = (await viewOf(context)).quotas[type]
    const status = { limit, used, remaining, allowed: remaining !== 0, unlimited, resetAt, kind: KINDS[type] }
    return { quotaType: type, status }
  },
})
