/**
 * `POST /billing/marketplace/notifications`: receives a notice of a topic. It checks topic, age and addresses, then the
 * signature; then come the claim and the effect. The content of a notice is only a hint: entitlements are read again.
 */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { type Runtime, unchanged } from '../../runtime/operation/context.js'
import { noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { RAW_BYTES_MAX, type RawBody } from '../../runtime/operation/raw.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireSender } from '../account/gate.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { marketplaceSettings } from '../marketplace/settings.js'
import { checkEnvelope, type Envelope, readEnvelope, type Trusted } from '../sns/envelope.js'
import { confirmSubscription, verifyEnvelope } from '../sns/verify.js'
import { readHint } from '../webhook/notice.js'
import { tellRefused } from '../webhook/refused.js'
import { endTaken, takeDelivery, takenFields } from '../webhook/take.js'

const Answer = strictObject({ ...takenFields, confirmed: Type.Optional(Type.Literal(true)) })

interface Received {
  readonly envelope: Envelope
  readonly text: string
}

export const receiveNotification = rawCommand({
  name: 'billing.notification.receive',
  summary: 'Receive a signed notice of the marketplace',
  description:
    'The endpoint of an SNS topic: it confirms its subscription automatically. The message is a notice of an older listing, or an event that a rule sends to the topic.',
  http: { method: 'post', path: '/billing/marketplace/notifications' },
  access: anyone(),
  tenant: noTenant,
  audit: SUBSCRIPTION_ACTIONS,
  silentWhen: 'the notice changes nothing of the subscription',
  input: {},
  output: Answer,
  errors: [
    ...BILLING_ERRORS,
    'CONFLICT',
    'INVALID_SIGNATURE',
    'MISSING_REQUIRED_FIELD',
    'PROVIDER_UNAVAILABLE',
    'VALIDATION_ERROR',
  ],
  raw: {
    bytesMax: RAW_BYTES_MAX,
    atOnceMax: 32,
    refusedIn: 'raw-refused',
    description: 'The envelope as the topic signed it, with any content type.',
    mediaType: 'text/plain',
  },
  prepare: ({ runtime, nowMs }, _input, raw) => tellRefused(runtime, 'marketplace', () => receive(runtime, raw, nowMs)),
  async run(context, _input, { envelope, text }) {
    const { type, messageId, message, sentAtMs } = envelope
    if (type === 'UnsubscribeConfirmation') {
      context.runtime.log?.write('billing.notice_unsubscribed', {})
      return unchanged({ received: true as const })
    }
    if (type === 'SubscriptionConfirmation') return unchanged({ received: true as const, confirmed: true as const })
    const { kind, objectId } = readHint(message)
    const told = { source: 'marketplace', id: messageId, type: kind, objectId, createdAtMs: sentAtMs } as const
    return takeDelivery(context, told, text)
  },
  settle: endTaken,
})

/** @throws Refusal 400 or 503 */
async function receive(runtime: Runtime, { bytes }: RawBody, nowMs: number): Promise<Received> {
  requireSender(runtime, 'marketplace')
  const { topicArns, isLocal, apiUrl } = marketplaceSettings(runtime.settings)
  if (topicArns.length === 0) {
    throw new Refusal('SERVICE_UNAVAILABLE', 'MARKETPLACE_SNS_TOPIC_ARN is not set, so no notice can be trusted')
  }
  const trusted: Trusted = { topicArns, localOrigin: isLocal ? apiUrl : null }
  const text = bytes.toString('utf8')
  const envelope = readEnvelope(text)
  checkEnvelope(envelope, trusted, nowMs)
  await verifyEnvelope(runtime, envelope, trusted, nowMs)
  if (envelope.type === 'SubscriptionConfirmation' && envelope.subscribeUrl !== null) {
    await confirmSubscription(runtime, envelope.subscribeUrl, trusted)
  }
  return { envelope, text }
}
