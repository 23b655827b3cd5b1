/** Sources as the API shows them, and the setup instructions for the sender. */
import { escapePointer } from '@plumbline/engine'
import { and, asc, eq, inArray, max } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField, notFound } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { requirePort } from '../../runtime/port.js'
import { deployedPipelinesPort } from '../../runtime/records/deployed-pipelines.js'
import type { Db } from '../../runtime/store/db.js'
import { SOURCE_FORMATS, type SourceFormat } from '../formats.js'
import { DATADOG_PAYLOAD } from '../incident/adapters.js'
import { reportingTables, type SourceRow } from '../tables.js'

export const SOURCES_MAX = 100
const MAPPED_MAX = 200

export const SourceName = name(1, 100)
export const Mapping = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: MAPPED_MAX,
  propertyNames: { type: 'string', minLength: 1, maxLength: 255 },
  additionalProperties: Uuid,
  description:
    'Name of a pipeline at the sender (`acme/shop`, a name), and its id here; `*` is every other one. Without an entry it is the one registered pipeline that builds from the repository.',
})

export const SourceRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  format: choice(SOURCE_FORMATS),
  url: Type.String({ description: 'Where the sender delivers to' }),
  enabled: Type.Boolean(),
  mapping: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  secretHint: Type.String({ description: 'The last characters of the secret' }),
  previousSecretUntil: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  lastDeliveryAt: nullable(Instant),
})

export const WithSecret = strictObject({
  source: SourceRecord,
  secret: Type.String({ description: 'Shown once' }),
  steps: Type.Array(Type.String(), { description: 'What to do at the sender' }),
})

export const SourcePath = Type.Object({ id: Uuid })

export async function findSource(db: Db, orgId: string, id: string): Promise<SourceRow> {
  const { reportSources: t } = reportingTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  if (row === undefined)
    throw notFound(
      'Source',
      'this organization has no source of this id; `plumbline reports sources list` lists its sources',
    )
  return row
}

export async function sourcesOf(db: Db, orgId: string): Promise<SourceRow[]> {
  const { reportSources: t } = reportingTables(db)
  return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.name)).limit(SOURCES_MAX)
}

/** The last delivery of each source within a week. */
export async function lastDeliveries(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const { reportDeliveries: t } = reportingTables(db)
  const rows = await db
    .select({ id: t.sourceId, lastMs: max(t.receivedMs) })
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.sourceId, [...ids])))
    .groupBy(t.sourceId)
  return new Map(rows.map(({ id, lastMs }) => [id, Number(lastMs)]))
}

export function sourceRecord(runtime: Runtime, row: SourceRow, lastMs?: number): Static<typeof SourceRecord> {
  return {
    id: row.id,
    orgId: row.orgId,
    name: row.name,
    format: row.format,
    url: urlOf(runtime, row),
    enabled: row.isEnabled,
    mapping: { ...row.mapping },
    secretHint: row.hint,
    previousSecretUntil: row.previousUntilMs === null ? null : toIso(row.previousUntilMs),
    createdAt: toIso(row.createdMs),
    updatedAt: toIso(row.updatedMs),
    lastDeliveryAt: lastMs === undefined ? null : toIso(lastMs),
  }
}

function urlOf({ settings, listensAt }: Runtime, { format, id }: SourceRow): string {
  const { PUBLIC_URL, HOST, PORT } = settings
  let base = String(PUBLIC_URL ?? listensAt?.() ?? `http://${HOST}:${PORT}`)
  while (base.endsWith('/')) base = base.slice(0, -1)
  return `${base}/api/reports/events/webhook/${format}/${id}`
}

/** Folds names to lower case. @throws Refusal 400 for a pipeline that does not belong to the organization. */
export async function checkedMapping(
  db: Db,
  runtime: Runtime,
  orgId: string,
  mapping: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const known = await requirePort(runtime, deployedPipelinesPort).known(db, [orgId])
  const live = new Set(known.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id))
  const checked: [string, string][] = []
  for (const [key, id] of Object.entries(mapping)) {
    // guard: a-source-names-pipelines-of-its-organization-alone
    if (!live.has(id)) {
      throw invalidField(
        `/body/mapping/${escapePointer(key)}`,
        'is not a pipeline of this organization: `plumbline pipelines list`',
        'unknown',
      )
    }
    checked.push([key.trim().toLowerCase(), id])
  }
  return Object.fromEntries(checked)
}

const CHECK = 'Then: plumbline reports sources deliveries, which lists the result of each delivery'

/** The setup steps with the values to paste. */
export function stepsOf(format: SourceFormat, url: string, secret: string): string[] {
  const bearerHeader = `Authorization: Bearer ${secret}`
  const STEPS: Readonly<Record<SourceFormat, readonly string[]>> = {
    github: [
      'On GitHub: repository or organization, Settings, Webhooks, Add webhook',
      `Payload URL: ${url}`,
      'Content type: application/json',
      `Secret: ${secret}`,
      'Let me select individual events: Workflow runs, Workflow jobs, Deployment statuses, Pushes, Issues',
    ],
    gitlab: [
      'On GitLab: project or group, Settings, Webhooks, Add new webhook',
      `URL: ${url}`,
      `Secret token: ${secret}`,
      'Trigger: Push events, Pipeline events, Deployment events, Issues events',
    ],
    cdevents: [
      `Send CDEvents, one a request, as JSON (bare, structured or binary) to ${url}`,
      `with the header ${bearerHeader}`,
      'or signed by Standard Webhooks with the same secret',
    ],
    otlp: [
      'In the collector: an exporter otlphttp with',
      `endpoint: ${url}`,
      'encoding: json',
      // The exporter compresses by default.
      'compression: none',
      `headers: { Authorization: "Bearer ${secret}" }`,
    ],
    alertmanager: [
      `In alertmanager.yml: a receiver with webhook_configs, url: ${url}`,
      `http_config: { authorization: { credentials: "${secret}" } }`,
    ],
    pagerduty: [`In PagerDuty: Generic Webhooks (v3), URL ${url}, events incident.*`, `custom header ${bearerHeader}`],
    datadog: [
      `In Datadog: Integrations, Webhooks, URL ${url}`,
      `custom headers {"Authorization": "Bearer ${secret}"}`,
      `payload ${DATADOG_PAYLOAD}`,
      'The payload is required: without $ALERT_CYCLE_KEY one firing of a monitor cannot be told from the next',
    ],
    opsgenie: [`In Opsgenie: Integrations, Webhook, URL ${url}`, `custom header ${bearerHeader}`],
  }
  return [...STEPS[format], CHECK]
}
