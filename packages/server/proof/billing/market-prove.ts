/**
 * Purchases at the marketplace against the model: buyers come, claim and come again, entitlements change and end there, and the notices
 * of it arrive late, twice, in another order, or never. After each step every organization holds what the model says.
 */
import type { Envelope } from '../../src/billing/fake/marketplace/notice.js'
import { registrationToken, type Subscriber } from '../../src/billing/fake/marketplace/state.js'
import type { Store } from '../../src/runtime/store/db.js'
import { type MarketplaceApp, marketplaceApp } from '../../test/support/marketplace.js'
import { signInAgain, superAdmin } from '../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import { createRandom, type Random } from '../world/random.js'
import { type Hint, type Home, type Kind, Purchase } from './market-model.js'
import type { Plan, Verdict } from './model.js'
import { forget } from './months.js'

const PLANS: readonly Plan[] = ['pro', 'team', 'enterprise']
const KINDS: readonly Kind[] = ['customer', 'license']
const PEOPLE = 3
const PURCHASES_MAX = 5
const STEPS_TOGETHER = 50
/** What the notices of an older listing and the events of a newer one say. */
const HINTS: Readonly<Record<Kind, Readonly<Record<string, Hint>>>> = {
  customer: { 'unsubscribe-pending': 'ending', 'unsubscribe-success': 'ended', 'subscribe-success': 'subscribed' },
  license: { 'unsubscribe-success': 'ended', 'subscribe-success': 'subscribed' },
}

export interface Market {
  steps: number
  purchases: number
  claims: number
  refused: number
  lost: number
}

interface Bought {
  readonly subscriber: Subscriber
  readonly model: Purchase
}

interface Person {
  signedIn: SignedIn
  readonly home: Home
}

interface Notice {
  readonly bought: Bought
  readonly envelope: Envelope
  readonly hint: Hint
  readonly sentMs: number
}

/** @throws Error that says at which step of which seed they differ, and how */
export async function proveMarket(store: Store, { steps, seed }: { steps: number; seed: number }): Promise<Market> {
  const market = await marketplaceApp(store)
  const random = createRandom(seed)
  const tally: Market = { steps: 0, purchases: 0, claims: 0, refused: 0, lost: 0 }
  try {
    let root = await superAdmin(market.app, 'operator')
    for (let round = 0; tally.steps < steps; round++) {
      await forget(store)
      const people: Person[] = []
      for (let n = 0; n < PEOPLE; n++) {
        const signedIn = await signUp(market.app, `buyer${round}-${n}`)
        people.push({ signedIn, home: { orgId: signedIn.orgId, live: null } })
      }
      const shop = new Shop(market, random, people, tally)
      for (let step = 0; step < STEPS_TOGETHER && tally.steps < steps; step++) {
        root = await shop.wait(root)
        const differs = (await shop.step()) ?? (await shop.compare(root))
        if (differs !== null) throw new Error(`seed ${seed}: ${differs}\n  after ${shop.told.join('\n        ')}`)
      }
      tally.purchases += shop.bought.length
    }
  } finally {
    await market.close()
  }
  return tally
}

class Shop {
  readonly told: string[] = []
  readonly bought: Bought[] = []
  #late: Notice[] = []

  constructor(
    readonly market: MarketplaceApp,
    readonly random: Random,
    readonly people: readonly Person[],
    readonly tally: Market,
  ) {}

  get #nowMs(): number {
    return this.market.app.clock.now()
  }

  /** Sessions are shorter than what passes between two steps. */
  async wait(root: SignedIn): Promise<SignedIn> {
    const { app } = this.market
    app.clock.advance(1000 + this.random.below(9 * 3_600_000))
    for (const person of this.people) person.signedIn = await signInAgain(app, person.signedIn)
    return signInAgain(app, root)
  }

  /** @returns what was answered otherwise than the model says; null where it is the same. */
  async step(): Promise<string | null> {
    const { random, bought, tally } = this
    tally.steps++
    const kind = bought.length < 2 ? 0 : random.below(bought.length < PURCHASES_MAX ? 8 : 7) + 1
    const one = bought[random.below(Math.max(1, bought.length))]
    if (one === undefined || kind === 0 || kind === 8) return this.#buy()
    if (kind <= 2) return this.#resolve(one)
    if (kind <= 4) return this.#claim(one)
    const dimension = kind === 7 ? null : random.pick(PLANS)
    this.told.push(`${one.subscriber.id} is entitled to ${dimension ?? 'nothing, and unsubscribes'}`)
    one.model.dimension = dimension
    one.subscriber.entitlements = dimension === null ? [] : [{ dimension, value: 1, expiresAtMs: null }]
    const actions = dimension === null ? ['unsubscribe-pending', 'unsubscribe-success'] : ['entitlement-updated']
    await this.#tell(one, actions)
    return null
  }

  async #buy(): Promise<string | null> {
    const { random, market } = this
    const [kind, dimension] = [random.pick(KINDS), random.pick(PLANS)]
    const { subscriber } = market.buys(kind, dimension)
    const one = { subscriber, model: new Purchase(kind, dimension) }
    this.bought.push(one)
    const differs = await this.#resolve(one)
    await this.#tell(one, ['subscribe-success'])
    return differs
  }

  async #resolve({ subscriber, model }: Bought): Promise<string | null> {
    const { market } = this
    const [wasKnown, nowMs] = [model.isKnown, this.#nowMs]
    const answer = await market.resolve(registrationToken(market.fake.state, subscriber, nowMs))
    this.told.push(`${subscriber.id} comes`)
    if (answer.status !== (wasKnown ? 200 : 201)) return `resolve answered ${JSON.stringify(answer.body)}`
    const { claim, subscription } = answer.data
    model.resolve(subscription?.orgId ?? '', claim?.token ?? null, nowMs)
    if ((claim === null) !== model.isClaimed) return `a claim token is ${claim === null ? 'missing' : 'given'}`
    return (subscription?.planId ?? null) === model.plan ? null : `resolve shows ${subscription?.planId}`
  }

  async #claim({ subscriber, model }: Bought): Promise<string | null> {
    const { random, people, market } = this
    const person = random.pick(people)
    const target = random.below(3) === 0 ? null : random.below(5) === 0 ? random.pick(people) : person
    const into = target === null ? null : { home: target.home, isOwn: target === person }
    const token = random.below(6) === 0 || model.token === null ? 'mpc_unknown' : model.token
    const verdict: Verdict = model.claim(token, into, this.#nowMs)
    const body = { token, ...(into === null ? {} : { orgId: into.home.orgId }) }
    const answer = await market.app.call('POST', '/billing/marketplace/claim', { as: person.signedIn, body })
    const code = answer.status < 300 ? null : (answer.code ?? String(answer.status))
    this.told.push(`${person.signedIn.username} claims ${subscriber.id} into ${target?.signedIn.username ?? 'its own'}`)
    if (verdict === null) this.tally.claims++
    else this.tally.refused++
    return code === verdict ? null : `the claim is answered ${code ?? 'yes'}, and not ${verdict ?? 'yes'}`
  }

  /** Each notice comes now, twice, with the next step's, or never; those that come do so in any order. */
  async #tell(one: Bought, actions: readonly string[]): Promise<void> {
    const { market, random, tally } = this
    for (const action of actions) market.fake.tell(one.subscriber, action as 'entitlement-updated')
    const sent = market.waiting.splice(0).map((envelope, at): Notice => {
      const hint = HINTS[one.model.kind][actions[at] ?? ''] ?? 'none'
      return { bought: one, envelope, hint, sentMs: Date.parse(envelope.Timestamp) }
    })
    const due = [...this.#late]
    this.#late = []
    for (const notice of sent) {
      const fate = random.below(8)
      if (fate === 0) tally.lost++
      else if (fate === 1) this.#late.push(notice)
      else due.push(notice)
      if (fate === 2) due.push(notice)
    }
    due.sort(() => random.below(2) - 0.5)
    const taken = new Set<string>()
    for (const { bought, envelope, hint, sentMs } of due) {
      const { status, body } = await market.deliver(envelope)
      if (status !== 200) throw new Error(`a notice is answered ${JSON.stringify(body)}`)
      if (!taken.has(envelope.MessageId)) bought.model.notice(hint, sentMs)
      taken.add(envelope.MessageId)
    }
    if (random.below(3) > 0) return
    await market.job('billing.entitlements')
    for (const { model } of this.bought) model.read()
  }

  /** What differs, in words; null for nothing. */
  async compare(root: SignedIn): Promise<string | null> {
    const { app } = this.market
    const homes = new Map<string, Home>()
    for (const { model } of this.bought) if (model.isKnown) homes.set(model.home.orgId, model.home)
    for (const { home } of this.people) homes.set(home.orgId, home)
    for (const { orgId, live } of homes.values()) {
      const listed = await app.call('GET', `/billing/admin/subscriptions?orgId=${orgId}&status=active`, { as: root })
      const own = listed.data.subscriptions.map(
        (each: { planId: string; cancelAtPeriodEnd: boolean }) => `${each.planId} ${each.cancelAtPeriodEnd}`,
      )
      const wanted = live === null ? [] : [`${live.plan} ${live.isEnding}`]
      if (JSON.stringify(own) !== JSON.stringify(wanted)) return `${orgId} has ${own}, and not ${wanted}`
      const held = await app.call('GET', `/billing/admin/entitlements/${orgId}`, { as: root })
      const differs = held.data?.entitlement?.differs ?? []
      if (differs.length > 0) return `entitlements of ${orgId}: ${JSON.stringify(held.data.entitlement)}`
    }
    return null
  }
}
