/**
 * Inspects the marketplace with the settings of this host: whether it answers, what is metered, and what the listing
 * needs.
 */
import { bundlesFor } from '@plumbline/billing-core'
import type { Settings } from '../../runtime/settings/load.js'
import { ProviderFault } from '../provider/fault.js'
import { openMarketplace } from './client.js'
import { type MarketplaceSettings, marketplaceSettings } from './settings.js'

export interface MarketplaceFinding {
  readonly topic: 'account' | 'dimension' | 'notices' | 'metering'
  readonly state: 'ok' | 'note' | 'wrong'
  readonly text: string
}

const RESOLVE_PATH = '/api/billing/marketplace/resolve'
const NOTICES_PATH = '/api/billing/marketplace/notifications'

/** Returns every result, good and bad. It changes nothing. */
export async function checkMarketplace(settings: Settings): Promise<readonly MarketplaceFinding[]> {
  const marketplace = marketplaceSettings(settings)
  const found: MarketplaceFinding[] = []
  try {
    await openMarketplace(marketplace).check(marketplace.productCode)
    const text = `the marketplace answers for the product ${marketplace.productCode} in ${marketplace.region}`
    found.push({ topic: 'account', state: 'ok', text })
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    found.push({ topic: 'account', state: 'wrong', text: error.message })
  }
  if (marketplace.topicArns.length === 0) {
    const text =
      'MARKETPLACE_SNS_TOPIC_ARN is not set: notices are answered with 503, and changes are found only by polling'
    found.push({ topic: 'notices', state: 'wrong', text })
  } else
    found.push({ topic: 'notices', state: 'ok', text: `notices of ${marketplace.topicArns.join(', ')} are accepted` })
  return [...found, ...aboutMetering(settings, marketplace)]
}

function aboutMetering(settings: Settings, { bundles, prices }: MarketplaceSettings): MarketplaceFinding[] {
  const note = (topic: MarketplaceFinding['topic'], text: string): MarketplaceFinding => ({
    topic,
    state: 'note',
    text,
  })
  if (!settings.BILLING_METERING_ENABLED) {
    return [
      note('metering', 'BILLING_METERING_ENABLED is false: add-ons are granted and not billed, and there is no credit'),
    ]
  }
  return bundlesFor(settings.tiers, null).flatMap(({ id }) => {
    const dimension = bundles.get(id)
    if (dimension === undefined)
      return [note('dimension', `${id} has no dimension: it is not billed, so it cannot be given`)]
    return prices.has(dimension) ? [] : [note('dimension', `${dimension} has no price: credit withholds none of it`)]
  })
}

/** Returns what an operator enters on the page of the listing, because the marketplace has no API for it. */
export function describeListing(settings: Settings): {
  readonly made: readonly string[]
  readonly settings: Readonly<Record<string, string>>
} {
  const { plans, bundles, prices } = marketplaceSettings(settings)
  const base = settings.PUBLIC_URL ?? '<PUBLIC_URL>'
  const metered = settings.BILLING_METERING_ENABLED ? bundlesFor(settings.tiers, null) : []
  return {
    made: [
      `registration page that posts the token to ${base}${RESOLVE_PATH}`,
      `subscription of the topic to ${base}${NOTICES_PATH}`,
      ...[...plans].map(([dimension, plan]) => `contract dimension ${dimension}: plan ${plan}`),
      ...metered.flatMap(({ id, name }) => {
        const dimension = bundles.get(id)
        const price = prices.get(dimension ?? '')
        const cost = price === undefined ? 'without a price here' : `${price} cents a unit`
        return dimension === undefined ? [] : [`metered dimension ${dimension}: ${name}, ${cost}`]
      }),
    ],
    settings: {},
  }
}
