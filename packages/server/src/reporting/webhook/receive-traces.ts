/** `POST /reports/events/webhook/otlp/:sourceId/v1/traces`: for exporters that append their own path to the address. */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { none, noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Answer, RAW, receive, take } from './receiving.js'

export const receiveTracesWebhook = rawCommand({
  name: 'reporting.webhook.receive-traces',
  summary: 'Receive spans of pipelines from an OpenTelemetry collector',
  description: 'OTLP over HTTP in JSON, with the secret of a source of the format otlp as bearer token.',
  http: { method: 'post', path: '/reports/events/webhook/otlp/:sourceId/v1/traces' },
  access: anyone(),
  tenant: noTenant,
  audit: none('events of pipelines are the record themselves'),
  input: { path: Type.Object({ sourceId: Uuid }) },
  output: Answer,
  errors: ['TOKEN_INVALID', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'],
  raw: RAW,
  prepare: (context, { path: { sourceId } }, raw) => receive(context, 'otlp', sourceId, raw),
  run: (context, _input, received, raw) => take(context, received, raw),
})
