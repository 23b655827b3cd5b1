/** Settings of the card provider are refused before the start, all at once, and a live key never leaves for another host in the clear. */
import { describe, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { openProvider } from '../charge/open.js'
import { cardMistakes, cardSettings } from './settings.js'

const settings = (values: Record<string, string>) => testSettings({ BILLING_PROVIDER: 'card_provider', ...values })
const names = (values: Record<string, string>) => cardMistakes(settings(values)).map(({ name }) => name)
const KEY = { CARD_PROVIDER_SECRET_KEY: 'sk_test_x' }
const LIVE = { CARD_PROVIDER_SECRET_KEY: 'sk_live_x' }

describe('settings of the card provider', () => {
  it('are not asked where nobody charges', () => {
    expect(cardMistakes(testSettings({ CARD_PROVIDER_PRICE_MAP: 'no' }))).toEqual([])
  })

  it('are told all at once, without the text of a secret', () => {
    const values = {
      CARD_PROVIDER_PRICE_MAP: '{"pro_weekly":"x","gold_monthly":"y"}',
      CARD_PROVIDER_API_URL: 'http://example.com/v1',
    }
    expect(names(values)).toEqual([
      'CARD_PROVIDER_SECRET_KEY',
      'CARD_PROVIDER_PRICE_MAP',
      'CARD_PROVIDER_PRICE_MAP',
      'CARD_PROVIDER_API_URL',
      'CARD_PROVIDER_API_URL',
    ])
    expect(() => openProvider(settings(values))).toThrow(/SECRET_KEY is required[\s\S]*pro_weekly[\s\S]*https/)
    expect(
      JSON.stringify(cardMistakes(settings({ ...LIVE, CARD_PROVIDER_API_URL: 'http://127.0.0.1:1' }))),
    ).not.toContain('sk_live')
  })

  it.each([
    ['http://127.0.0.1:4010', KEY, []],
    ['http://localhost:4010', KEY, []],
    ['http://[::1]:4010', KEY, []],
    ['https://stripe.example.com', LIVE, []],
    ['http://example.com', KEY, ['CARD_PROVIDER_API_URL']],
    ['http://127.0.0.1.example.com', KEY, ['CARD_PROVIDER_API_URL']],
    ['http://127.0.0.1:4010', LIVE, ['CARD_PROVIDER_API_URL']],
    ['https://user@example.com', KEY, ['CARD_PROVIDER_API_URL']],
    ['https://example.com/v1', KEY, ['CARD_PROVIDER_API_URL']],
  ])('%s', (url, key, wrong) => {
    expect(names({ ...key, CARD_PROVIDER_API_URL: url })).toEqual(wrong)
  })

  it('lead to the host that they name', () => {
    const { api, isLive } = cardSettings(settings({ ...KEY, CARD_PROVIDER_API_URL: 'http://[::1]:4010' }))
    expect([api, isLive]).toEqual([{ host: '::1', port: 4010, protocol: 'http' }, false])
    expect(cardSettings(settings(LIVE))).toMatchObject({ api: null, isLive: true })
  })
})
