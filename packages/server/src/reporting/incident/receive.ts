/**
 * Shared by the routes of the four monitors: the payload is in the monitor's format, and each part is validated
 * separately.
 */
import Type from 'typebox'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { adaptIncidents, type MonitorFormat } from './adapters.js'
import { faultOf, storeIncident } from './store.js'

const PARTS_MAX = 1000
const Count = Type.Integer({ minimum: 0 })

export interface Received {
  created: number
  updated: number
  skipped: { index: number; reason: string }[]
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
  const received: Received = { created: 0, updated: 0, skipped: [...skipped] }
  for (const [index, incident] of incidents.slice(0, PARTS_MAX).entries()) {
    const fault = faultOf(incident, nowMs)
    if (fault !== null) received.skipped.push({ index, reason: `${fault.field} ${fault.message}` })
    else if (await storeIncident(tx, orgId, incident, nowMs)) received.created++
    else received.updated++
  }
  return received
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
    description: `At most ${PARTS_MAX} alerts. An alert without an environment is of the headline environment. Alerts that are sent again are the same incidents.`,
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
    }),
    errors: [],
    async run(context, { query: { environmentLabel }, body }) {
      const { tx, nowMs } = context
      return changed(
        await takeIncidents(tx, { orgId: tenantId(context), nowMs, format, label: environmentLabel }, body),
      )
    },
  })
