/**
 * What the prices of the map cost at the card provider. A price that costs there what it costs here can be sold; any
 * other would be charged differently from what is shown. The amount of a price never changes there, so each is read
 * once in this process.
 */
import { type Catalogue, findPrice, type PricedThing, type PriceMap } from '@plumbline/billing-core'
import { Refusal } from '../../runtime/errors.js'
import type { WantedState } from '../provider/port.js'
import { orNull, type Sdk } from './sdk.js'
import { priceItems } from './settings.js'
import { differencesOfCharge, type Sold, soldIn } from './sold.js'

export class SoldPrices {
  readonly #prices: PriceMap
  readonly #sold: ReadonlyMap<string, Sold>
  /** By price id: what is different. */
  readonly #read = new Map<string, readonly string[]>()

  constructor(prices: PriceMap, tiers: Catalogue) {
    this.#prices = prices
    this.#sold = new Map(soldIn(tiers).map((each) => [each.key, each]))
  }

  /**
   * The items of a state. Prices that were not read yet pass here.
   *
   * @throws Refusal as `priceItems`, and 400 `PRICE_NOT_CONFIGURED` for a price that costs something else.
   */
  items(wanted: WantedState): { price: string; quantity: number }[] {
    const items = priceItems(this.#prices, wanted)
    for (const { price } of items) this.#requireSame(price)
    return items
  }

  /** Reads the prices of these things that are not known yet. */
  async learn(sdk: Sdk, things: readonly PricedThing[], timeoutMs?: number): Promise<void> {
    const ids = new Set(things.flatMap(({ id, interval }) => this.#prices.byThing.get(`${id}_${interval}`) ?? []))
    await Promise.all([...ids].map((id) => (this.#read.has(id) ? undefined : this.#readOne(sdk, id, timeoutMs))))
  }

  async #readOne(sdk: Sdk, id: string, timeoutMs?: number): Promise<void> {
    const sold = this.#soldFor(id)
    if (sold === undefined) return
    const price = await orNull(sdk.prices.retrieve(id, {}, timeoutMs === undefined ? {} : { timeout: timeoutMs }))
    this.#read.set(id, price === null ? ['is not there'] : differencesOfCharge(price, sold))
  }

  #soldFor(price: string): Sold | undefined {
    const thing = findPrice(this.#prices, price)
    return thing === null ? undefined : this.#sold.get(`${thing.id}_${thing.interval}`)
  }

  #requireSame(price: string): void {
    const [different] = this.#read.get(price) ?? []
    const sold = this.#soldFor(price)
    // guard: what-is-charged-is-what-is-shown
    if (different === undefined || sold === undefined) return
    const { id, interval, key, isPlan } = sold
    throw new Refusal(
      'PRICE_NOT_CONFIGURED',
      `${isPlan ? 'plan' : 'add-on'} ${id} cannot be sold, because its ${interval} price ${price} ${different}: the operator of the server names another price for ${key} in CARD_PROVIDER_PRICE_MAP`,
      { details: { ...(isPlan ? { planId: id } : { bundleId: id }), interval, priceId: price } },
    )
  }
}
