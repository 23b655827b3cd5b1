/** `PUT /reports/settings/incidents` */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sameJson } from '../../runtime/same-json.js'
import { reportingTables } from '../tables.js'
import { readSettings } from './read.js'
import { SETTINGS_FIELDS } from './schema.js'

const optional = Object.fromEntries(
  Object.entries(SETTINGS_FIELDS).map(([key, schema]) => [key, Type.Optional(schema)]),
) as {
  readonly [K in keyof typeof SETTINGS_FIELDS]: ReturnType<typeof Type.Optional<(typeof SETTINGS_FIELDS)[K]>>
}

export const updateIncidentSettings = command({
  name: 'reporting.incident-settings.update',
  summary: 'Set how incidents are put down to deployments',
  description: 'What is left out stays. All reports follow at once, for the past too.',
  http: { method: 'put', path: '/reports/settings/incidents' },
  access: permission('org:settings'),
  tenant: fromHeader,
  audit: ['reports.settings.update'],
  input: { body: strictObject(optional) },
  output: strictObject({ settings: strictObject(SETTINGS_FIELDS) }),
  errors: [],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const orgId = tenantId(context)
    const before = await readSettings(tx, orgId)
    const settings = { ...before, ...body }
    if (sameJson(before, settings)) return unchanged({ settings: settings as never })
    const { reportSettings: t } = reportingTables(tx)
    const row = { orgId, settings, updatedMs: nowMs }
    await tx.insert(t).values(row).onConflictDoUpdate({ target: t.orgId, set: row })
    await context.audit('reports.settings.update', {
      targetType: 'organization',
      targetId: orgId,
      details: { changed: Object.keys(body) },
    })
    return changed({ settings: settings as never })
  },
})
