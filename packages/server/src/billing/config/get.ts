import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'

export const getConfig = query({
  name: 'billing.config.get',
  summary: 'Read whether billing is on, and who charges',
  http: { method: 'get', path: '/billing/config' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: strictObject({ enabled: Type.Boolean(), provider: Type.Enum(['stub', 'card_provider', 'marketplace']) }),
  errors: [],
  run: async ({ runtime: { settings } }) => ({
    enabled: settings.BILLING_ENABLED,
    provider: settings.BILLING_PROVIDER,
  }),
})
