/** Starts a fake provider on this machine, and returns the settings that the server needs to use it. */
import { FAKE_WEBHOOK_SECRET, FakeCard, type FakeCardOptions } from './card/fake.js'
import { fakePriceMap } from './card/state.js'
import { FAKE_PRODUCT_CODE, FAKE_TOPIC_ARN, FakeMarketplace, type FakeMarketplaceOptions } from './marketplace/fake.js'

export interface RunningFake {
  readonly url: string
  /** The server's settings, by name. */
  readonly settings: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function startFakeCard({
  port,
  ...options
}: Pick<FakeCardOptions, 'shape' | 'webhookUrl'> & { readonly port: number }): Promise<RunningFake> {
  const fake = new FakeCard(options)
  const url = await fake.listen(port)
  return {
    url,
    settings: {
      BILLING_ENABLED: 'true',
      BILLING_PROVIDER: 'card_provider',
      CARD_PROVIDER_API_URL: url,
      CARD_PROVIDER_SECRET_KEY: 'sk_test_fake',
      CARD_PROVIDER_WEBHOOK_SECRET: FAKE_WEBHOOK_SECRET,
      CARD_PROVIDER_PRICE_MAP: JSON.stringify(fakePriceMap()),
    },
    close: () => fake.close(),
  }
}

export async function startFakeMarketplace({
  port,
  ...options
}: Pick<FakeMarketplaceOptions, 'endpoint' | 'version'> & { readonly port: number }): Promise<RunningFake> {
  const fake = new FakeMarketplace(options)
  const url = await fake.listen(port)
  return {
    url,
    settings: {
      BILLING_ENABLED: 'true',
      BILLING_PROVIDER: 'marketplace',
      BILLING_METERING_ENABLED: 'true',
      BILLING_METERING_MODE: 'period',
      MARKETPLACE_API_URL: url,
      MARKETPLACE_PRODUCT_CODE: FAKE_PRODUCT_CODE,
      MARKETPLACE_SNS_TOPIC_ARN: FAKE_TOPIC_ARN,
      MARKETPLACE_BUNDLE_DIMENSION_MAP: 'listing',
      MARKETPLACE_DIMENSION_PRICE_MAP: 'listing',
    },
    close: () => fake.close(),
  }
}
