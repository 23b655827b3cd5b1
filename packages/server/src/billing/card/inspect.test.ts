/** The provider is compared with what is sold here, what is missing is made once, and each difference is named. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { FakeCard } from '../fake/card/fake.js'
import { fakePriceMap } from '../fake/card/state.js'
import { checkCardProvider, HANDLED_EVENTS, WEBHOOK_PATH } from './inspect.js'
import { setUpCardProvider } from './set-up.js'

const PUBLIC_URL = 'https://billing.example'
let fake: FakeCard
let url: string
beforeEach(async () => {
  fake = new FakeCard({ now: () => Date.parse('2026-11-21T10:00:00.000Z') })
  url = await fake.listen()
})
afterEach(() => fake.close())

const settingsOf = (more: Record<string, string> = {}) =>
  testSettings({
    BILLING_ENABLED: 'true',
    BILLING_BUNDLES_ENABLED: 'true',
    BILLING_PROVIDER: 'card_provider',
    CARD_PROVIDER_SECRET_KEY: 'sk_test_fake',
    CARD_PROVIDER_WEBHOOK_SECRET: 'whsec_fake',
    CARD_PROVIDER_PRICE_MAP: JSON.stringify(fakePriceMap()),
    CARD_PROVIDER_API_URL: url,
    PUBLIC_URL,
    ...more,
  })
const endpoint = (events: readonly string[] = HANDLED_EVENTS) =>
  fake.state.endpoints.push({ id: 'we_1', url: `${PUBLIC_URL}${WEBHOOK_PATH}`, events })
const bad = async (more: Record<string, string> = {}) =>
  (await checkCardProvider(settingsOf(more))).filter(({ state }) => state !== 'ok').map(({ text }) => text)
const price = (id: string) => {
  const found = fake.state.prices.get(id)
  if (found === undefined) throw new Error(`no price ${id}`)
  return found
}

it('finds nothing where all fits', async () => {
  endpoint()
  expect(await bad()).toEqual([])
  expect((await checkCardProvider(settingsOf())).length).toBeGreaterThan(30)
})

it('names every difference of a price, what is not mapped, and what the endpoint does not receive', async () => {
  endpoint(['invoice.paid'])
  price('price_pro_monthly').active = false
  fake.state.prices.set('price_pro_annual', { ...price('price_pro_annual'), currency: 'eur', cents: 1 })
  fake.state.prices.set('price_team_monthly', { ...price('price_team_monthly'), interval: 'annual' })
  fake.state.prices.delete('price_team_annual')
  const { enterprise_annual: _one, seat_pack_monthly: _other, ...map } = fakePriceMap()
  expect(await bad({ CARD_PROVIDER_PRICE_MAP: JSON.stringify(map) })).toEqual([
    'pro_monthly: the price price_pro_monthly is not active',
    'pro_annual: the price price_pro_annual is in eur, not usd, and is 1 cents there and 49000 here',
    'team_monthly: the price price_team_monthly is not charged once a month',
    expect.stringContaining('team_annual: the price price_team_annual cannot be read'),
    'enterprise_annual has no price in CARD_PROVIDER_PRICE_MAP: it cannot be bought',
    'seat_pack_monthly has no price in CARD_PROVIDER_PRICE_MAP: it cannot be bought',
    expect.stringMatching(
      /^the endpoint we_1 does not receive customer\.subscription\.created, .*charge\.dispute\.created$/,
    ),
  ])
})

it('names an endpoint that is missing, and a provider that is away', async () => {
  expect(await bad()).toEqual([`the provider has no endpoint for ${PUBLIC_URL}${WEBHOOK_PATH}`])
  await fake.close()
  expect(await bad()).toEqual([expect.stringContaining('the card provider does not answer')])
  fake = new FakeCard({ now: () => 0 })
  await fake.listen()
})

it('makes what is missing when it is told to, once, and then all fits', async () => {
  const { pro_monthly: _one, api_pack_annual: _other, ...map } = fakePriceMap()
  const before = settingsOf({ CARD_PROVIDER_PRICE_MAP: JSON.stringify(map) })
  const planned = await setUpCardProvider(before, false)
  expect(planned.made).toHaveLength(3)
  expect(planned.settings).toEqual({})
  expect(fake.state.endpoints).toEqual([])
  const prices = fake.state.prices.size
  const done = await setUpCardProvider(before, true)
  expect(done.made).toEqual(planned.made)
  expect(done.settings['CARD_PROVIDER_WEBHOOK_SECRET']).toBe('whsec_fake')
  expect(fake.state.prices.size).toBe(prices + 2)
  // A second run before the settings are changed gives the same prices.
  const again = await setUpCardProvider(before, true)
  expect(again).toEqual({ made: [], settings: { CARD_PROVIDER_PRICE_MAP: done.settings['CARD_PROVIDER_PRICE_MAP'] } })
  expect(fake.state.prices.size).toBe(prices + 2)
  expect(await bad(done.settings)).toEqual([])
})
