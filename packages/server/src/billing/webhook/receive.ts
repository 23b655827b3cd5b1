/**
 * `POST /billing/card-provider/webhook`: receives a delivery. It checks the signature, then mode and account, then the
 * age; then come the claim and the effect. Deliveries that are not ours are answered with 200, because the provider
 * would repeat an error for three days.
 */
import { signatureHeaders, verifySignature } from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { type Runtime, unchanged } from '../../runtime/operation/context.js'
import { noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { RAW_BYTES_MAX, type RawBody } from '../../runtime/operation/raw.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireSender } from '../account/gate.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { readEvent } from '../card/read.js'
import { type CardSettings, cardSettingsOf } from '../card/settings.js'
import type { ProviderEvent } from '../provider/port.js'
import { KEPT_MS } from './delivery.js'
import { tellRefused } from './refused.js'
import { endTaken, takeDelivery, takenFields } from './take.js'

const Answer = strictObject({
  ...takenFields,
  ignored: Type.Optional(Type.String({ description: 'Why it had no effect' })),
})

interface Received {
  readonly event: ProviderEvent
  readonly text: string
  readonly ignored: string | null
}

export const receiveWebhook = rawCommand({
  name: 'billing.webhook.receive',
  summary: 'Receive a signed delivery of the card provider',
  http: { method: 'post', path: '/billing/card-provider/webhook' },
  access: anyone(),
  tenant: noTenant,
  audit: SUBSCRIPTION_ACTIONS,
  silentWhen: 'the delivery changes nothing of the subscription',
  input: {},
  output: Answer,
  errors: [...BILLING_ERRORS, 'CONFLICT', 'INVALID_SIGNATURE', 'VALIDATION_ERROR'],
  raw: {
    bytesMax: RAW_BYTES_MAX,
    atOnceMax: 32,
    refusedIn: 'raw-refused',
    description:
      'The delivery as the provider signed it; the signature is in `Stripe-Signature` or `Card-Provider-Signature`.',
    mediaType: 'application/json',
  },
  prepare: ({ runtime, nowMs }, _input, raw) =>
    tellRefused(runtime, 'card_provider', () => receive(runtime, raw, nowMs)),
  async run(context, _input, { event, text, ignored }) {
    if (ignored !== null) return unchanged({ received: true as const, ignored })
    return takeDelivery(context, { ...event, source: 'card_provider' }, text)
  },
  settle: endTaken,
})

/** @throws Refusal 400 or 503 */
function receive(runtime: Runtime, raw: RawBody, nowMs: number): Received {
  requireSender(runtime, 'card_provider')
  const settings = cardSettingsOf(runtime)
  verify(settings, raw, nowMs)
  const text = raw.bytes.toString('utf8')
  const event = eventOf(text)
  return { event, text, ignored: whyIgnored(settings, event, nowMs) }
}

function verify({ webhookSecrets }: CardSettings, { bytes, headers }: RawBody, nowMs: number): void {
  if (webhookSecrets.length === 0) {
    throw new Refusal('SERVICE_UNAVAILABLE', 'CARD_PROVIDER_WEBHOOK_SECRET is not set, so no delivery can be trusted')
  }
  const header = signatureHeaders.map((name) => headers.get(name)).find((value) => value !== null)
  const nowSeconds = Math.floor(nowMs / 1000)
  const results = webhookSecrets.map((secret) =>
    verifySignature(nodeCrypto, { header, body: bytes, secret, nowSeconds }),
  )
  // guard: a-delivery-is-signed
  if (!results.some(({ ok }) => ok)) {
    throw new Refusal(
      'INVALID_SIGNATURE',
      'the signature is missing, malformed, more than 300 s off, or of another secret: compare CARD_PROVIDER_WEBHOOK_SECRET with the endpoint at the provider, and the clocks',
    )
  }
}

function eventOf(text: string): ProviderEvent {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidField('/body', 'is not JSON', 'json')
  }
  try {
    return readEvent(value)
  } catch (error) {
    throw invalidField('/body', error instanceof Error ? error.message : 'is not an event', 'event')
  }
}

function whyIgnored({ isLive, account }: CardSettings, event: ProviderEvent, nowMs: number): string | null {
  // guard: a-delivery-is-of-our-mode
  if (event.livemode !== isLive) return isLive ? 'test mode' : 'live mode'
  // guard: a-delivery-is-of-our-account
  if (event.account !== null && event.account !== account) return 'another account'
  // Ids are kept for twice this time, so a delivery that is accepted is always recognised when it comes again.
  // guard: an-old-delivery-is-not-taken
  if (event.createdAtMs < nowMs - KEPT_MS) return 'expired'
  return null
}
