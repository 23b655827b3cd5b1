/** `GET /reports/incidents`: incidents with the deployment that each is attributed to, and the other candidates. */
import { and, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { tenantId } from '../../runtime/operation/context.js'
import { choice } from '../../runtime/operation/schema.js'
import { NoEnvironmentField, noEnvironment } from '../dora/advice.js'
import { DORA_ACCESS } from '../dora/get.js'
import { readHistory } from '../dora/history.js'
import { linksOf } from '../dora/link.js'
import { environmentOf, readSettings, whyEnvironment } from '../dora-settings.js'
import { byText } from '../execution/arithmetic.js'
import { ExecutionPage } from '../execution/page.js'
import type { DoraSettings } from '../model.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import { reportingTables } from '../tables.js'
import { presentLink } from './present.js'
import { IncidentField } from './schema.js'

export const listIncidents = report({
  name: 'reporting.incident.list',
  summary: 'List incidents with the deployment that each is attributed to',
  description: 'Those that were open at some time in the window, the newest first.',
  path: '/reports/incidents',
  access: DORA_ACCESS,
  query: {
    status: Type.Optional(choice(['open', 'resolved'])),
    severity: Type.Optional(Type.String({ maxLength: 50 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  },
  output: { incidents: Type.Array(IncidentField), pagination: ExecutionPage, nextStep: NoEnvironmentField },
  forms: {
    csv: ({ incidents }) =>
      tableOf(incidents, [
        'incidentId',
        'environment',
        'openedAt',
        'resolvedAt',
        'severity',
        'title',
        'url',
        'link.kind',
        'link.deployment.pipelineId',
        'link.deployment.executionId',
        'whyEnvironment',
      ]),
  },
  async run(context, query, asked) {
    const { history } = await readHistory(context, query, asked)
    const { fromMs, toMs } = asked.range.window
    const { reportIncidents: t } = reportingTables(context.db)
    const settings = await readSettings(context.db, tenantId(context))
    const rows = await context.db
      .select()
      .from(t)
      .where(and(inArray(t.orgId, [...asked.scope.orgIds])))
    const byKey = new Map(rows.map((row) => [`${row.orgId} ${row.incidentId}`, named(row, settings)]))
    const all = linksOf(history).flatMap((link) => {
      const row = byKey.get(`${link.incident.orgId} ${link.incident.incidentId}`)
      return row === undefined ? [] : [{ link, row }]
    })
    const listed = all
      .filter(
        ({ row }) =>
          row.openedMs < toMs &&
          (row.resolvedMs === null || row.resolvedMs >= fromMs) &&
          (query.environment === undefined || row.environment === query.environment) &&
          (query.severity === undefined || row.severity === query.severity) &&
          (query.status === undefined || (query.status === 'open') === (row.resolvedMs === null)),
      )
      .sort((a, b) => b.row.openedMs - a.row.openedMs || byText(a.row.incidentId, b.row.incidentId))
    const { limit = 20, offset = 0 } = query
    const incidents = listed.slice(offset, offset + limit).map(({ link, row }) => ({
      incidentId: row.incidentId,
      orgId: row.orgId,
      environment: row.environment,
      whyEnvironment: row.whyEnvironment,
      openedAt: toIso(row.openedMs),
      resolvedAt: row.resolvedMs === null ? null : toIso(row.resolvedMs),
      severity: row.severity,
      title: row.title,
      url: row.url,
      link: presentLink(link),
    }))
    const known = [...all.map(({ row }) => row.environment), ...history.deployments.map((each) => each.environment)]
    return {
      incidents,
      pagination: { total: listed.length, limit, offset, hasMore: offset + limit < listed.length },
      nextStep: noEnvironment(query.environment, known),
    }
  },
})

const named = <T extends { readonly environment: string }>(row: T, settings: DoraSettings) => ({
  ...row,
  environment: environmentOf(row, settings),
  whyEnvironment: whyEnvironment(row, settings),
})
