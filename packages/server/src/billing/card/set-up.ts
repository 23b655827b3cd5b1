/**
 * Creates what is missing at the card provider: prices of what is sold here, and the endpoint for deliveries. What
 * exists is not changed.
 */
import type { Settings } from '../../runtime/settings/load.js'
import { findEndpoint, HANDLED_EVENTS, WEBHOOK_PATH } from './inspect.js'
import { openSdk, type Sdk } from './sdk.js'
import { cardSettings } from './settings.js'
import { PROVIDER_INTERVALS, type Sold, soldThings } from './sold.js'

export interface SetUp {
  /** Describes what was created, or what would be created when nothing is applied. */
  readonly made: readonly string[]
  /** The server's settings afterwards. The secret of a new endpoint is shown only here. */
  readonly settings: Readonly<Record<string, string>>
}

/** The name by which the provider finds a price again, so that a second run creates none twice. */
const lookupKey = ({ key, cents }: Sold): string => `plumbline_${key}_${cents}`

export async function setUpCardProvider(settings: Settings, apply: boolean): Promise<SetUp> {
  const card = cardSettings(settings)
  const sdk = await openSdk(card)
  const made: string[] = []
  const map = Object.fromEntries(card.prices.byThing)
  for (const sold of soldThings(settings)) {
    if (map[sold.key] !== undefined) continue
    const known = await findPrice(sdk, sold)
    if (known === null) made.push(`price of ${sold.name}, ${sold.interval}: ${sold.cents} cents (${sold.key})`)
    const id = known ?? (apply ? await makePrice(sdk, sold) : null)
    if (id !== null) map[sold.key] = id
  }
  const next: Record<string, string> = {}
  if (Object.keys(map).length > card.prices.byThing.size) next['CARD_PROVIDER_PRICE_MAP'] = JSON.stringify(map)
  const { PUBLIC_URL } = settings
  if (PUBLIC_URL !== null && (await findEndpoint(sdk, settings)) === null) {
    const url = `${PUBLIC_URL}${WEBHOOK_PATH}`
    made.push(`endpoint of deliveries at ${url}`)
    if (apply) {
      const endpoint = await sdk.webhookEndpoints.create({ url, enabled_events: [...HANDLED_EVENTS] })
      if (endpoint.secret !== undefined) next['CARD_PROVIDER_WEBHOOK_SECRET'] = endpoint.secret
    }
  }
  return { made, settings: next }
}

async function findPrice(sdk: Sdk, sold: Sold): Promise<string | null> {
  const { data } = await sdk.prices.list({ lookup_keys: [lookupKey(sold)], active: true, limit: 1 })
  return data[0]?.id ?? null
}

async function makePrice(sdk: Sdk, sold: Sold): Promise<string> {
  const key = lookupKey(sold)
  const product = await sdk.products.create(
    { name: sold.name, metadata: { plumbline_id: sold.id } },
    { idempotencyKey: `plumbline-product-${sold.id}` },
  )
  const price = await sdk.prices.create(
    {
      product: product.id,
      currency: 'usd',
      unit_amount: sold.cents,
      nickname: sold.name,
      lookup_key: key,
      recurring: { interval: PROVIDER_INTERVALS[sold.interval] },
    },
    { idempotencyKey: `plumbline-price-${key}` },
  )
  return price.id
}
