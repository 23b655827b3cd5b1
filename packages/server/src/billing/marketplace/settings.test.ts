/** Settings of the marketplace are refused before the start, all at once. */
import { describe, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { openProvider } from '../charge/open.js'
import { marketplaceMistakes, marketplaceSettings } from './settings.js'

const settings = (values: Record<string, string>) => testSettings({ BILLING_PROVIDER: 'marketplace', ...values })
const names = (values: Record<string, string>) => marketplaceMistakes(settings(values)).map(({ name }) => name)
const CODE = { MARKETPLACE_PRODUCT_CODE: 'abc' }
const METERED = {
  ...CODE,
  BILLING_METERING_ENABLED: 'true',
  MARKETPLACE_BUNDLE_DIMENSION_MAP: 'listing',
  MARKETPLACE_DIMENSION_PRICE_MAP: 'listing',
}
const production = (values: Record<string, string>) =>
  marketplaceMistakes({ ...settings({ ...METERED, ...values }), NODE_ENV: 'production' }).map(({ name }) => name)

describe('settings of the marketplace', () => {
  it('are not asked where it does not charge', () => {
    expect(marketplaceMistakes(testSettings({ MARKETPLACE_DIMENSION_MAP: 'no' }))).toEqual([])
  })

  it('are told all at once', () => {
    const values = {
      MARKETPLACE_DIMENSION_MAP: '{"Gold":"gold"}',
      MARKETPLACE_BUNDLE_DIMENSION_MAP: '{"seat_pak":"Seats"}',
      MARKETPLACE_DIMENSION_PRICE_MAP: '{"Seats":1.5}',
      MARKETPLACE_API_URL: 'http://example.com/v1',
      BILLING_TEST_CLOCKS: 'true',
    }
    expect(names(values)).toEqual([
      'MARKETPLACE_PRODUCT_CODE',
      'MARKETPLACE_DIMENSION_MAP',
      'MARKETPLACE_BUNDLE_DIMENSION_MAP',
      'MARKETPLACE_DIMENSION_PRICE_MAP',
      'MARKETPLACE_API_URL',
      'MARKETPLACE_API_URL',
      'BILLING_TEST_CLOCKS',
    ])
    expect(() => openProvider(settings(values))).toThrow(
      /PRODUCT_CODE is required[\s\S]*gold[\s\S]*seat_pack[\s\S]*https/,
    )
    expect(() => marketplaceSettings(settings(values))).toThrow(/PRODUCT_CODE/)
  })

  it('lead to this machine by http, and elsewhere by https alone', () => {
    expect(names({ ...CODE, MARKETPLACE_API_URL: 'http://127.0.0.1:4011' })).toEqual([])
    expect(names({ ...CODE, MARKETPLACE_API_URL: 'https://proxy.example' })).toEqual([])
    expect(names({ ...CODE, MARKETPLACE_API_URL: 'http://proxy.example' })).toEqual(['MARKETPLACE_API_URL'])
    expect(marketplaceSettings(settings({ ...CODE, MARKETPLACE_API_URL: 'http://[::1]:4011' })).isLocal).toBe(true)
    expect(marketplaceSettings(settings({ ...CODE, MARKETPLACE_API_URL: 'https://proxy.example' })).isLocal).toBe(false)
  })

  it('have the region of the platform where none of their own is set', () => {
    const region = (values: Record<string, string>) => marketplaceSettings(settings({ ...CODE, ...values })).region
    expect(region({})).toBe('us-east-1')
    expect(region({ AWS_REGION: 'eu-west-1' })).toBe('eu-west-1')
    expect(region({ AWS_REGION: 'eu-west-1', MARKETPLACE_REGION: 'eu-central-1' })).toBe('eu-central-1')
  })

  it('do not bill a monthly price every hour in production', () => {
    expect(production({})).toEqual(['MARKETPLACE_DIMENSION_PRICE_MAP'])
    expect(production({ BILLING_METERING_MODE: 'period' })).toEqual([])
    expect(production({ MARKETPLACE_DIMENSION_PRICE_MAP: '{"SeatPack":4}' })).toEqual([])
    expect(production({ BILLING_METERING_ENABLED: 'false' })).toEqual([])
    expect(names(METERED)).toEqual([])
  })
})
