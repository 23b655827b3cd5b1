/** Shows the keys (by hint), the budget and the sharing settings of an organization's generations. */
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ConfigRecord, configOf } from './record.js'

export const getConfig = query({
  name: 'ai.config.get',
  summary: 'Show the settings of generation: keys by their last characters, budget, sharing',
  http: { method: 'get', path: '/organization/ai-config' },
  access: permission('org:settings'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ config: ConfigRecord }),
  errors: [],
  run: async (context) => ({ config: await configOf(context.db, tenantId(context), context.nowMs) }),
})
