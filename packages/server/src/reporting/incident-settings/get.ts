/** `GET /reports/settings/incidents` */
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { readSettings } from '../dora-settings.js'
import { SETTINGS_FIELDS } from './schema.js'

export const getIncidentSettings = query({
  name: 'reporting.incident-settings.get',
  summary: 'Read how incidents are attributed to deployments',
  http: { method: 'get', path: '/reports/settings/incidents' },
  access: permission('reports:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ settings: strictObject(SETTINGS_FIELDS) }),
  errors: [],
  run: async (context) => ({ settings: { ...(await readSettings(context.db, tenantId(context))) } as never }),
})
