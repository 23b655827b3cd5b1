import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { defaultPreference, findPreference, PreferenceRecord, preferenceRecord } from './record.js'

export const getPreference = query({
  name: 'notification.preference.get',
  summary: 'Show how the organization is notified',
  description: 'The defaults when nothing is set.',
  http: { method: 'get', path: '/compliance/notification-preferences' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ preference: PreferenceRecord }),
  errors: [],
  async run(context) {
    const { db, nowMs } = context
    const orgId = tenantId(context)
    return { preference: preferenceRecord((await findPreference(db, orgId)) ?? defaultPreference(orgId, nowMs)) }
  },
})
