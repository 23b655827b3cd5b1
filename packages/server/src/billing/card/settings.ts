/** The card provider's settings, read together. All mistakes are reported at once, and none contains a secret. */
import { bundlePrice, type PriceMap, parsePriceMap, planPrice } from '@plumbline/billing-core'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import type { SettingValues } from '../../runtime/settings/catalogue.js'
import { granted } from '../account/gate.js'
import type { WantedState } from '../provider/port.js'

export interface CardSettings {
  readonly secretKey: string
  readonly isLive: boolean
  /** Each of them may sign: there are several while one is replaced. */
  readonly webhookSecrets: readonly string[]
  readonly prices: PriceMap
  readonly account: string | null
  /** Null for the provider's default address. */
  readonly api: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' } | null
}

type Read = Pick<
  SettingValues,
  | 'BILLING_PROVIDER'
  | 'CARD_PROVIDER_SECRET_KEY'
  | 'CARD_PROVIDER_WEBHOOK_SECRET'
  | 'CARD_PROVIDER_PRICE_MAP'
  | 'CARD_PROVIDER_ACCOUNT'
  | 'CARD_PROVIDER_API_URL'
>

type Mistake = { readonly name: keyof Read; readonly message: string }
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
const isLiveKey = (key: string): boolean => /^(sk|rk)_live_/.test(key)

/** Returns what is wrong with the settings when the provider is the card provider. */
export function cardMistakes(settings: Read): Mistake[] {
  if (settings.BILLING_PROVIDER !== 'card_provider') return []
  const found: Mistake[] = []
  const say = (name: keyof Read, message: string) => void found.push({ name, message })
  const { CARD_PROVIDER_SECRET_KEY: key, CARD_PROVIDER_API_URL: url } = settings
  if (key === null) say('CARD_PROVIDER_SECRET_KEY', 'is required with BILLING_PROVIDER=card_provider')
  const prices = parsePriceMap(settings.CARD_PROVIDER_PRICE_MAP)
  if (!prices.ok) {
    for (const { message } of prices.issues)
      say('CARD_PROVIDER_PRICE_MAP', message.replace('CARD_PROVIDER_PRICE_MAP ', ''))
  }
  if (url !== null) {
    const { protocol, hostname, pathname, username, search } = new URL(url)
    // guard: plain-http-leads-to-this-machine-alone
    if (protocol === 'http:' && !LOOPBACK.has(hostname)) {
      say('CARD_PROVIDER_API_URL', 'must begin with https://, except for this machine (127.0.0.1, [::1], localhost)')
    }
    // guard: a-live-key-goes-to-its-own-provider
    if (protocol === 'http:' && key !== null && isLiveKey(key)) {
      say('CARD_PROVIDER_API_URL', 'must not be http with a live key: use a live key only with the provider itself')
    }
    if (pathname !== '/' || username !== '' || search !== '') {
      say('CARD_PROVIDER_API_URL', 'must be only an origin, such as http://127.0.0.1:4010')
    }
  }
  return found
}

/** @throws Error when `cardMistakes` finds a mistake. */
export function cardSettings(settings: Read): CardSettings {
  const [mistake] = cardMistakes(settings)
  const { CARD_PROVIDER_SECRET_KEY: secretKey, CARD_PROVIDER_API_URL: url } = settings
  const prices = parsePriceMap(settings.CARD_PROVIDER_PRICE_MAP)
  if (mistake !== undefined || secretKey === null || !prices.ok) throw new Error(`${mistake?.name} ${mistake?.message}`)
  const api = url === null ? null : new URL(url)
  const protocol = api?.protocol === 'http:' ? 'http' : 'https'
  return {
    secretKey,
    isLive: isLiveKey(secretKey),
    webhookSecrets: settings.CARD_PROVIDER_WEBHOOK_SECRET ?? [],
    prices: prices.value,
    account: settings.CARD_PROVIDER_ACCOUNT,
    api:
      api === null
        ? null
        : {
            host: api.hostname.replace(/^\[|\]$/g, ''),
            port: Number(api.port || (protocol === 'http' ? 80 : 443)),
            protocol,
          },
  }
}

/** `cardSettings` of this process: the price map is parsed once, not for each delivery. */
export const cardSettingsOf = perRuntime(({ settings }: Runtime) => cardSettings(settings))

/**
 * The price ids of a state. The free plan has none.
 *
 * @throws Refusal 400 `PRICE_NOT_CONFIGURED`; 409 when nothing is left to charge.
 */
export function priceItems(
  prices: PriceMap,
  { planId, interval, addons }: WantedState,
): { price: string; quantity: number }[] {
  const plan = planId === 'developer' ? null : granted(planPrice(prices, planId, interval))
  const items = [
    ...(plan === null ? [] : [{ price: plan, quantity: 1 }]),
    // guard: what-cannot-be-charged-is-not-granted
    ...addons.map(({ bundleId, quantity }) => ({
      price: granted(bundlePrice(prices, bundleId, interval)),
      quantity,
    })),
  ]
  if (items.length > 0) return items
  throw new Refusal(
    'CONFLICT',
    'nothing would be left to charge: cancel the subscription, and the account has the free plan after it ends',
  )
}
