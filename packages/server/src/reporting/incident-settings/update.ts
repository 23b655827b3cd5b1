/** `PUT /reports/settings/incidents` */
import { and, eq, ne } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sameJson } from '../../runtime/same-json.js'
import type { Tx } from '../../runtime/store/db.js'
import { readSettings } from '../dora-settings.js'
import { clean } from '../ingest/event.js'
import { lockSums, markDays } from '../rollup/mark.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'
import { SETTINGS_FIELDS } from './schema.js'

const optional = Object.fromEntries(
  Object.entries(SETTINGS_FIELDS).map(([key, schema]) => [key, Type.Optional(schema)]),
) as {
  readonly [K in keyof typeof SETTINGS_FIELDS]: ReturnType<typeof Type.Optional<(typeof SETTINGS_FIELDS)[K]>>
}

export const updateIncidentSettings = command({
  name: 'reporting.incident-settings.update',
  summary: 'Set how incidents are attributed to deployments',
  description: 'Fields that are left out stay. All reports use the settings at once, also for the past.',
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
    // Fields that are left out stay, so two changes at once must not read the same settings.
    // guard: settings-of-reports-change-one-after-another
    await takeTurns(tx, [`report settings ${orgId}`])
    const before = await readSettings(tx, orgId)
    // Deployments are stored without account numbers in the name of their environment.
    const named =
      body.headlineEnvironments === undefined ? {} : { headlineEnvironments: body.headlineEnvironments.map(clean) }
    const settings = { ...before, ...body, ...named }
    if (sameJson(before, settings)) return unchanged({ settings: settings as never })
    const { reportSettings: t } = reportingTables(tx)
    const row = { orgId, settings, updatedMs: nowMs }
    await tx.insert(t).values(row).onConflictDoUpdate({ target: t.orgId, set: row })
    // guard: sums-follow-the-names-of-rework
    if (!sameJson(before.reworkRefs, settings.reworkRefs)) await markSums(tx, orgId)
    await context.audit('reports.settings.update', {
      targetType: 'organization',
      targetId: orgId,
      details: { changed: Object.keys(body) },
    })
    return changed({ settings: settings as never })
  },
})

/** Marks every day that has sums of deployments, because the sums count rework by ref names. */
async function markSums(tx: Tx, orgId: string): Promise<void> {
  await lockSums(tx, orgId)
  const { reportDailyDeployments: t } = reportingTables(tx)
  const days = await tx
    .selectDistinct({ pipelineId: t.pipelineId, startedMs: t.dayMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), ne(t.pipelineId, '')))
  await markDays(tx, orgId, days)
}
