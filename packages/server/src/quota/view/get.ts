/** `GET /quotas`, `/quotas/:orgId`, `/quotas/:orgId/:type`: what an organization may have, and has. */
import Type from 'typebox'
import { either, permission, scope, systemAdmin } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { KINDS } from '../limit/kinds.js'
import { readQuotaView } from './read.js'
import { QuotaStatus, QuotaTypeName, QuotaView } from './schema.js'

/** People who may look at quotas, and the services that report use or start it anew. */
export const mayRead = either(permission('quotas:read'), systemAdmin(), scope('quota:increment'), scope('quota:reset'))
export const ACCOUNT_WIDE = 'limits and use are those of the account'
export const LOOKING = 'whoever has used up a quota must be able to see it'

const viewOf = ({ runtime, db, nowMs, ...context }: ReadContext) =>
  readQuotaView(runtime, db, tenantId({ runtime, nowMs, ...context }), nowMs)

export const getQuotas = query({
  name: 'quota.quota.mine',
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

export const getOrganizationQuotas = query({
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

export const getQuotaStatus = query({
  name: 'quota.quota.status',
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
