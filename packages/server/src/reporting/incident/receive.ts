/**
 * Shared by the routes of the four monitors: the payload is in the monitor's format, and each part is validated
 * separately.
 */
import Type from 'typebox'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { environmentOf, readSettings, whyEnvironment } from '../dora-settings.js'
import { adaptIncidents, type MonitorFormat } from './adapters.js'
import { faultOf, storeIncident } from './store.js'

const PARTS_MAX = 1000
const Count = Type.Integer({ minimum: 0 })

export interface Received {
  created: number
  updated: number
  skipped: { index: number; reason: string }[]
  /** The incidents whose environment no report named. */
  unnamed: { incidents: number; environment: string; why: string } | null
}

export async function takeIncidents(
  tx: Tx,
  {
    orgId,
    nowMs,
    format,
    label = 'environment',
  }: {
    readonly orgId: string
    readonly nowMs: number
    readonly format: MonitorFormat
    readonly label?: string | undefined
  },
  payload: unknown,
): Promise<Received> {
  const { incidents, skipped } = adaptIncidents(format, payload, label)
  const received: Received = { created: 0, updated: 0, skipped: [...skipped], unnamed: null }
  const unnamed = new Set<string>()
  for (const { index, incident } of incidents.slice(0, PARTS_MAX)) {
    const fault = faultOf(incident, nowMs)
    if (fault !== null) {
      received.skipped.push({ index, reason: `${fault.field} ${fault.message}` })
      continue
    }
    const { created, environment } = await storeIncident(tx, orgId, incident, nowMs)
    if (created) received.created++
    else received.updated++
    if (environment === '') unnamed.add(incident.incidentId)
    else unnamed.delete(incident.incidentId)
  }
  return unnamed.size === 0 ? received : { ...received, unnamed: await unnamedIn(tx, orgId, unnamed.size) }
}

async function unnamedIn(tx: Tx, orgId: string, incidents: number): Promise<NonNullable<Received['unnamed']>> {
  const settings = await readSettings(tx, orgId)
  const incident = { environment: '' }
  return {
    incidents,
    environment: environmentOf(incident, settings),
    why: whyEnvironment(incident, settings) as string,
  }
}

export const receiver = <N extends `${string}.${string}.${string}`>({
  name,
  format,
}: {
  readonly name: N
  readonly format: MonitorFormat
}) =>
  command({
    name,
    summary: `Receive incidents in the format of ${format}`,
    description: `At most ${PARTS_MAX} alerts. An alert without an environment is in the first one of the setting \`headlineEnvironments\`, and the answer says so. Alerts that are sent again are the same incidents.`,
    http: { method: 'post', path: `/reports/incidents/${format}` },
    access: scope('reporting:ingest'),
    tenant: fromHeader,
    audit: none('incidents are the record themselves'),
    rateLimit: 'report-ingest',
    input: {
      query: Type.Object({
        environmentLabel: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            default: 'environment',
            description: 'The label of alerts that holds their environment',
          }),
        ),
      }),
      body: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: `The payload of ${format}`,
        properties: format === 'alertmanager' ? { alerts: { type: 'array', maxItems: PARTS_MAX } } : {},
      }),
    },
    output: strictObject({
      created: Count,
      updated: Count,
      skipped: Type.Array(strictObject({ index: Count, reason: Type.String() })),
      unnamed: nullable(
        strictObject(
          { incidents: Count, environment: Type.String(), why: Type.String() },
          { description: 'The incidents whose environment no report named, where they are counted, and why' },
        ),
      ),
    }),
    errors: [],
    async run(context, { query: { environmentLabel }, body }) {
      const { tx, nowMs } = context
      return changed(
        await takeIncidents(tx, { orgId: tenantId(context), nowMs, format, label: environmentLabel }, body),
      )
    },
  })
