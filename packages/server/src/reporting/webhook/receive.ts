/** `POST /reports/events/webhook/:format/:sourceId` */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { none, noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { choice, Uuid } from '../../runtime/operation/schema.js'
import { SOURCE_FORMATS } from '../formats.js'
import { Answer, RAW, receive, take } from './receiving.js'

export const receiveWebhook = rawCommand({
  name: 'reporting.webhook.receive',
  summary: 'Receive a signed delivery of a forge or an engine',
  description:
    'Proofs: GitHub `X-Hub-Signature-256`, GitLab `X-Gitlab-Token`, CDEvents a bearer token or Standard Webhooks, the others a bearer token, each with the secret of the source.',
  http: { method: 'post', path: '/reports/events/webhook/:format/:sourceId' },
  access: anyone(),
  tenant: noTenant,
  audit: none('events of pipelines are the record themselves'),
  input: { path: Type.Object({ format: choice(SOURCE_FORMATS), sourceId: Uuid }) },
  output: Answer,
  errors: ['TOKEN_INVALID', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'],
  raw: RAW,
  prepare: (context, { path: { format, sourceId } }, raw) => receive(context, format, sourceId, raw),
  run: (context, _input, received, raw) => take(context, received, raw),
})
