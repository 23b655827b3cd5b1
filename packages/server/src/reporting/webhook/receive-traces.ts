/** `POST /reports/events/webhook/otlp/:sourceId/v1/traces`: where an exporter puts its path behind the address. */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { none, noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Answer, RAW, receive, take } from './receiving.js'

export const receiveTracesWebhook = rawCommand({
  name: 'reporting.webhook.receive-traces',
  summary: 'Take spans of pipelines, as an OpenTelemetry collector sends them',
  description: 'OTLP over HTTP in JSON, with the secret of a source of the format otlp as a bearer.',
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
