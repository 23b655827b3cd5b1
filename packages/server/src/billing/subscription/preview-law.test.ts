/**
 * A preview is refused exactly where its change is refused, with the same code. Exceeded limits are listed instead, and
 * a payment is tried only with the change. Each state meets each change.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { fakePriceMap } from '../fake/card/state.js'

const { api_pack_monthly: _, ...PRICES } = fakePriceMap() as Record<string, string>
const AWAY = { kind: 'lose_answer', match: 'POST /v1/subscriptions', times: 2 } as const

type Body = Readonly<Record<string, unknown>>
const CHANGES: readonly Body[] = [
  { planId: 'pro' },
  { planId: 'team' },
  { planId: 'developer' },
  { interval: 'annual' },
  { interval: 'annual', when: 'now' },
  { planId: 'team', when: 'period_end' },
  { addons: [{ bundleId: 'pipeline_pack', quantity: 2 }] },
  { addons: [{ bundleId: 'pipeline_pack', quantity: 1 }], when: 'period_end' },
  { addons: [{ bundleId: 'pipeline_pack', quantity: 0 }] },
  { addons: [{ bundleId: 'api_pack', quantity: 1 }] },
  { addons: [{ bundleId: 'seat_pack', quantity: 1 }] },
  { addons: [{ bundleId: 'no_pack', quantity: 1 }] },
  { planId: 'pro', addons: [{ bundleId: 'api_pack', quantity: 1 }] },
]

class Buyer {
  constructor(
    readonly card: CardApp,
    readonly person: SignedIn,
  ) {}

  readonly call = (method: string, path: string, body?: Body) =>
    this.card.app.call(method, path, { as: this.person, ...(body === undefined ? {} : { body }) })
  readonly subscription = async () => (await this.call('GET', '/billing/subscription')).data.subscription
  readonly change = async (body: Body) => this.call('PUT', `/billing/subscriptions/${await this.id()}`, body)
  readonly id = async (): Promise<string | undefined> => (await this.subscription())?.id

  customer() {
    return [...this.card.fake.state.customers.values()].find(
      ({ metadata }) => metadata['plumbline_org'] === this.person.orgId,
    )
  }

  async subscribe(planId: string): Promise<void> {
    await this.call('POST', '/billing/subscriptions', { planId })
    const drawn = [...this.card.fake.state.invoices.values()].findLast((each) => each.customer === this.customer()?.id)
    if (drawn !== undefined) await fetch(`${this.card.fake.state.pagesAt}/_fake/pay/${drawn.id}`, { method: 'POST' })
    await this.card.deliverAll()
  }

  /** The change of a live subscription, or its beginning. Null where no such request exists. */
  async commit(body: Body) {
    const id = await this.id()
    if (id !== undefined && (await this.subscription()).status !== 'incomplete') return this.change(body)
    return 'planId' in body && !('addons' in body) ? this.call('POST', '/billing/subscriptions', body) : null
  }
}

const STATES: Readonly<Record<string, (buyer: Buyer) => Promise<unknown>>> = {
  'nothing bought': async () => undefined,
  'a beginning that waits for the provider': async ({ card, call }) => {
    card.fake.faults.add(AWAY)
    await call('POST', '/billing/subscriptions', { planId: 'pro' })
  },
  'a beginning that is not paid': ({ call }) => call('POST', '/billing/subscriptions', { planId: 'pro' }),
  'the free plan': (buyer) => buyer.subscribe('developer'),
  'a paid plan': (buyer) => buyer.subscribe('pro'),
  'a plan that ends with its period': async (buyer) => {
    await buyer.subscribe('pro')
    const at = `/billing/subscriptions/${await buyer.id()}/cancel`
    await confirmed(buyer.card.app, 'POST', at, { as: buyer.person })
  },
  'a change that waits for the end of the period': async (buyer) => {
    await buyer.subscribe('team')
    await buyer.change({ planId: 'pro', when: 'period_end' })
  },
  'a period that is held for another interval': async (buyer) => {
    await buyer.subscribe('pro')
    await buyer.change({ interval: 'annual' })
    await buyer.card.deliverAll()
  },
  'a period that is held for a change that was withdrawn': async (buyer) => {
    await buyer.subscribe('pro')
    await buyer.change({ interval: 'annual' })
    await buyer.card.deliverAll()
    await buyer.call('DELETE', `/billing/subscriptions/${await buyer.id()}/pending-change`)
    await buyer.card.deliverAll()
  },
  'a change that the provider has not answered': async (buyer) => {
    await buyer.subscribe('pro')
    buyer.card.fake.faults.add(AWAY)
    await buyer.change({ addons: [{ bundleId: 'pipeline_pack', quantity: 1 }] })
  },
}

await describeStores('a preview', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let people = 0
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store, { CARD_PROVIDER_PRICE_MAP: JSON.stringify(PRICES) })
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  /** The codes of preview and change; null where it is let through. */
  const tried = async (buyer: Buyer, body: Body): Promise<[string | null, string | null] | null> => {
    const shown = await buyer.call('POST', '/billing/preview', body)
    const id = await buyer.id()
    const live = id === undefined ? null : (await buyer.subscription()).status
    if (live !== null && live !== 'incomplete' && !('planId' in body) && !('interval' in body)) {
      const own = await buyer.call('POST', `/billing/subscriptions/${id}/addons/preview`, body)
      expect([own.status, own.code]).toEqual([shown.status, shown.code])
    }
    const named = shown.status === 200 && shown.data.preview.overages.length > 0
    const done = await buyer.commit(body)
    if (done === null) return null
    const refused = (answer: typeof done) => (answer.status < 300 ? null : (answer.code ?? String(answer.status)))
    return [named ? refused(done) : refused(shown), refused(done)]
  }

  it.each(Object.keys(STATES))(
    'of each change is refused as the change: %s',
    async (state) => {
      const begin = STATES[state] as (buyer: Buyer) => Promise<unknown>
      const found: [Body, string | null, string | null][] = []
      let buyer: Buyer | null = null
      for (const body of CHANGES) {
        if (buyer === null) {
          card.fake.faults.clear()
          buyer = new Buyer(card, await signUp(card.app, `buyer${++people}`))
          await begin(buyer)
        }
        const codes = await tried(buyer, body)
        if (codes === null) continue
        found.push([body, ...codes])
        // What was refused changed nothing, so the state goes on.
        if (codes[1] === null) buyer = null
      }
      expect(found.map(([body, shown]) => [body, shown])).toEqual(found.map(([body, , done]) => [body, done]))
      expect(found.length).toBeGreaterThan(3)
    },
    120_000,
  )

  it('waits for a beginning that the provider has not answered, and so does another beginning', async () => {
    card.fake.faults.clear()
    const buyer = new Buyer(card, await signUp(card.app, `buyer${++people}`))
    await STATES['a beginning that waits for the provider']?.(buyer)
    const body = { planId: 'team' }
    expect((await buyer.call('POST', '/billing/preview', body)).code).toBe('CHANGE_IN_PROGRESS')
    expect((await buyer.call('POST', '/billing/subscriptions', body)).code).toBe('CHANGE_IN_PROGRESS')
  })
})
