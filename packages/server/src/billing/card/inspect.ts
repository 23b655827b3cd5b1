/**
 * Compares what is sold here with the card provider: prices, the endpoint for deliveries, the mode. It changes nothing.
 */
import type Stripe from 'stripe'
import type { Settings } from '../../runtime/settings/load.js'
import { ProviderFault } from '../provider/fault.js'
import { isLockedOut, openSdk, type Sdk } from './sdk.js'
import { cardSettings } from './settings.js'
import { differencesOfCharge, type Sold, soldThings } from './sold.js'

/** Deliveries that billing handles. */
export const HANDLED_EVENTS = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.upcoming',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.dispute.created',
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[]

export const WEBHOOK_PATH = '/api/billing/card-provider/webhook'

export interface ProviderFinding {
  readonly topic: 'account' | 'price' | 'endpoint'
  readonly state: 'ok' | 'note' | 'wrong'
  readonly text: string
}

/** Returns every result, good and bad. */
export async function checkCardProvider(settings: Settings): Promise<readonly ProviderFinding[]> {
  const card = cardSettings(settings)
  const sdk = await openSdk(card)
  try {
    await sdk.accounts.retrieveCurrent()
  } catch (error) {
    const isKey = isLockedOut((error as { statusCode?: number }).statusCode)
    const what = isKey ? 'does not accept CARD_PROVIDER_SECRET_KEY' : 'does not answer'
    return [{ topic: 'account', state: 'wrong', text: `the card provider ${what}: ${messageOf(error)}` }]
  }
  const mode = card.isLive ? 'live' : 'test'
  const found: ProviderFinding[] = [
    { topic: 'account', state: 'ok', text: `the card provider answers, in ${mode} mode` },
  ]
  for (const sold of soldThings(settings)) {
    const priceId = card.prices.byThing.get(sold.key)
    found.push(priceId === undefined ? unmapped(sold) : await checkPrice(sdk, sold, priceId, card.isLive))
  }
  return [...found, ...(await checkEndpoint(sdk, settings))]
}

const messageOf = (error: unknown): string =>
  error instanceof ProviderFault || error instanceof Error ? error.message : String(error)

const unmapped = ({ key }: Sold): ProviderFinding => ({
  topic: 'price',
  state: 'wrong',
  text: `${key} has no price in CARD_PROVIDER_PRICE_MAP: it cannot be bought`,
})

async function checkPrice(sdk: Sdk, sold: Sold, priceId: string, isLive: boolean): Promise<ProviderFinding> {
  let price: Stripe.Price
  try {
    price = await sdk.prices.retrieve(priceId)
  } catch (error) {
    return {
      topic: 'price',
      state: 'wrong',
      text: `${sold.key}: the price ${priceId} cannot be read: ${messageOf(error)}`,
    }
  }
  const mistakes = differencesOf(price, sold, isLive)
  return mistakes.length === 0
    ? { topic: 'price', state: 'ok', text: `${sold.key} is ${priceId}` }
    : { topic: 'price', state: 'wrong', text: `${sold.key}: the price ${priceId} ${mistakes.join(', and ')}` }
}

function differencesOf(price: Stripe.Price, sold: Sold, isLive: boolean): string[] {
  return [
    price.active ? '' : 'is not active',
    ...differencesOfCharge(price, sold),
    price.livemode === isLive ? '' : 'is of the other mode',
  ].filter((text) => text !== '')
}

/** Finds the endpoint of this server, or an endpoint with its path when the server's own address is not set. */
export async function findEndpoint(
  sdk: Sdk,
  { PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>,
): Promise<Stripe.WebhookEndpoint | null> {
  for await (const each of sdk.webhookEndpoints.list({ limit: 100 })) {
    if (PUBLIC_URL === null ? each.url.endsWith(WEBHOOK_PATH) : each.url === `${PUBLIC_URL}${WEBHOOK_PATH}`) return each
  }
  return null
}

async function checkEndpoint(sdk: Sdk, settings: Settings): Promise<ProviderFinding[]> {
  const endpoint = await findEndpoint(sdk, settings)
  const wrong = (text: string): ProviderFinding => ({ topic: 'endpoint', state: 'wrong', text })
  const found: ProviderFinding[] = []
  if (settings.CARD_PROVIDER_WEBHOOK_SECRET === null) {
    found.push(wrong('CARD_PROVIDER_WEBHOOK_SECRET is not set: deliveries are answered 503'))
  }
  if (endpoint === null) {
    return [...found, wrong(`the provider has no endpoint for ${settings.PUBLIC_URL ?? '<PUBLIC_URL>'}${WEBHOOK_PATH}`)]
  }
  const missing = HANDLED_EVENTS.filter(
    (each) => !endpoint.enabled_events.includes(each) && !endpoint.enabled_events.includes('*'),
  )
  if (endpoint.status !== 'enabled') found.push(wrong(`the endpoint ${endpoint.id} is switched off`))
  if (missing.length > 0) found.push(wrong(`the endpoint ${endpoint.id} does not receive ${missing.join(', ')}`))
  if (found.length > 0) return found
  return [{ topic: 'endpoint', state: 'ok', text: `${endpoint.id} receives every event that billing handles` }]
}
