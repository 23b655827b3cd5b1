/**
 * 64 clients at once on three server processes over one PostgreSQL database: codes and budgets are given exactly as often as they are
 * allowed, an end races a renewal, two operators race, and a delivery races the call that caused it. Afterwards each ledger replays, no
 * period was rolled twice, and every limit is that of the subscription.
 */
import { FakeCard } from '../../src/billing/fake/card/fake.js'
import { fakePriceMap } from '../../src/billing/fake/card/state.js'
import { confirmed, signInAgain, superAdmin } from '../../test/support/organizations.js'
import { type Replicas, startReplicas } from '../../test/support/replica-processes.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import { createRandom, type Random } from '../world/random.js'
import { DAY_MS } from './card-world.js'

const REPLICAS = 3
const CLIENTS = 64
/** With a clock of their own, for renewals; and those that a card provider charges. */
const SANDBOXES = 8
const CARDS = 8
/** Accounts of which operators and the account set the plan at once. */
const OVERRIDDEN = 4
const TRIES_MAX = 10

const SETTINGS = {
  BILLING_ENABLED: 'true',
  BILLING_BUNDLES_ENABLED: 'true',
  BILLING_TEST_CLOCKS: 'true',
}

export interface Races {
  readonly races: number
  readonly requests: number
}

type Answer = Awaited<ReturnType<Replicas['app']['call']>>

/** What a race needs: who calls, and which replica answers whom. */
class Track {
  requests = 0
  constructor(
    readonly replicas: Replicas,
    public operator: SignedIn,
    readonly random: Random,
  ) {}

  /** By one replica after the other, so that all have a part in it. */
  call(at: number, as: SignedIn, method: string, path: string, body?: object): Promise<Answer> {
    return this.#callOf(at)(method, path, { as, ...(body === undefined ? {} : { body }) })
  }

  /** One that has no connection left says so, and is asked again. */
  #callOf(at: number): Replicas['app']['call'] {
    const { call } = this.replicas.at(at % REPLICAS)
    return async (...asked) => {
      for (let tries = 1; ; tries++) {
        this.requests++
        const answer = await call(...asked)
        if (answer.code !== 'SERVICE_UNAVAILABLE' || tries === TRIES_MAX) return answer
        await new Promise((resolve) => setTimeout(resolve, 200 * tries))
      }
    }
  }

  async asOperator(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.call(this.requests, this.operator, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }

  /** A confirmation is good for one request, so one that is asked again is confirmed again. */
  async confirmed(at: number, as: SignedIn, method: string, path: string, body?: object): Promise<Answer> {
    const once = this.replicas.at(at % REPLICAS).call
    const again = this.#callOf(at)
    const call: typeof once = (...asked) => (asked[1] === '/auth/step-up' ? again(...asked) : once(...asked))
    for (let tries = 1; ; tries++) {
      this.requests++
      const more = { as, ...(body === undefined ? {} : { body }) }
      const answer = await confirmed({ ...this.replicas.app, call }, method, path, more)
      if (answer.code !== 'SERVICE_UNAVAILABLE' || tries === TRIES_MAX) return answer
    }
  }

  /** @throws Error that names what does not replay, or is not as the subscription says. */
  async check({ orgId }: SignedIn): Promise<void> {
    const { data } = await this.asOperator('GET', `/billing/admin/credits/${orgId}/check`)
    if (data.ok !== true) throw new Error(`the ledger of ${orgId}: ${JSON.stringify(data)}`)
    const found = await this.asOperator('GET', `/billing/admin/entitlements/${orgId}`)
    const { differs } = found.data.entitlement
    if (differs.length > 0) throw new Error(`entitlements of ${orgId}: ${JSON.stringify(found.data.entitlement)}`)
  }
}

/** @throws Error that says which race of which seed went wrong, and how */
export async function proveRaces({ races, seed }: { races: number; seed: number }): Promise<Races> {
  const replicas = await startReplicas(REPLICAS, SETTINGS)
  let requests = 0
  try {
    const track = new Track(replicas, await superAdmin(replicas.app, 'operator'), createRandom(seed))
    const people: SignedIn[] = []
    for (let n = 0; n < CLIENTS; n++) people.push(await signUp(replicas.app, `racer${n}`))
    const sandboxes = await Promise.all(people.slice(0, SANDBOXES).map((person) => sandbox(track, person)))
    const payers = people.slice(SANDBOXES)
    await Promise.all(payers.map((person, n) => subscribe(track, person, n)))
    for (let race = 0; race < races; race++) {
      await redemption(track, payers, race)
      await budget(track, payers, race)
      await endAndRenewal(track, sandboxes)
      await twoOperators(track, payers)
    }
    requests = track.requests
  } finally {
    await replicas.stop()
  }
  requests += await deliveryAndCall({ races, seed })
  return { races: 5 * races, requests }
}

async function subscribe(track: Track, person: SignedIn, at: number): Promise<void> {
  const answer = await track.call(at, person, 'POST', '/billing/subscriptions', { planId: 'pro' })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
}

/** The last of a code goes to one of all who ask at once. */
async function redemption(track: Track, payers: readonly SignedIn[], race: number): Promise<void> {
  const max = 1 + track.random.below(payers.length - 1)
  const alias = `RACE-${race}-${track.random.below(1_000_000)}`
  const { data } = await track.asOperator('POST', '/billing/admin/discounts', {
    code: '3:dollar:credit',
    alias,
    maxRedemptions: max,
  })
  const ids = await Promise.all(payers.map((person, n) => liveId(track, person, n)))
  const answers = await Promise.all(
    payers.map((person, n) =>
      track.call(n, person, 'POST', `/billing/subscriptions/${ids[n]}/discounts`, { code: alias }),
    ),
  )
  const given = answers.filter(({ status }) => status === 200).length
  // Ten attempts a minute are allowed: an account that is told so did not take part.
  const tried = answers.filter(({ code }) => code !== 'RATE_LIMIT_EXCEEDED')
  const others = tried.filter(({ status, code }) => status !== 200 && code !== 'DISCOUNT_EXHAUSTED')
  const stored = await track.asOperator('GET', `/billing/admin/discounts/${data.discount.id}`)
  const counted = stored.data.discount.timesRedeemed
  if (given !== Math.min(max, tried.length) || counted !== given || others.length > 0) {
    throw new Error(
      `a code for ${max} was given ${given} times and counted ${counted}: ${JSON.stringify(others[0]?.body)}`,
    )
  }
}

const liveId = async (track: Track, person: SignedIn, at: number): Promise<string> =>
  (await track.call(at, person, 'GET', '/billing/subscription')).data.subscription.id

/** Grants of one promotion at once: as many as the budget has, and none more. */
async function budget(track: Track, payers: readonly SignedIn[], race: number): Promise<void> {
  const [value, allowed] = [100 + track.random.below(900), 1 + track.random.below(payers.length - 1)]
  const budgetCents = value * allowed + track.random.below(value)
  const draft = {
    name: `race ${race}`,
    trigger: { type: 'manual' },
    unit: 'dollar',
    kind: 'onetime',
    value,
    budgetCents,
  }
  const { id } = (await track.asOperator('POST', '/billing/admin/promotions', draft)).data.promotion
  const answers = await Promise.all(
    payers.map(({ orgId }) =>
      track.asOperator('POST', `/billing/admin/promotions/${id}/grant`, { targetOrgId: orgId }),
    ),
  )
  const given = answers.filter(({ data }) => data.granted).length
  const { spend } = (await track.asOperator('GET', `/billing/admin/promotions/${id}/spend`)).data
  const isRight = given === allowed && spend.committedCents === value * allowed && spend.driftCents === 0
  if (!isRight) throw new Error(`a budget of ${budgetCents} for ${value} each gave ${given}: ${JSON.stringify(spend)}`)
}

interface Sandbox {
  person: SignedIn
  readonly clockId: string
  nowMs: number
}

async function sandbox(track: Track, person: SignedIn): Promise<Sandbox> {
  const made = await track.call(0, person, 'POST', '/billing/clocks', { name: 'race' })
  const { id, now } = made.data.clock
  await subscribe(track, person, 1)
  return { person, clockId: id, nowMs: Date.parse(now) }
}

/** Each sandbox: two leaps over the end of the period, a cancel, a reactivate, three changes of add-ons, and a redemption, all at once. */
async function endAndRenewal(track: Track, sandboxes: readonly Sandbox[]): Promise<void> {
  await Promise.all(
    sandboxes.map(async (each) => {
      each.person = await signInAgain(track.replicas.app, each.person)
      const { person, clockId } = each
      const shown = (await track.call(0, person, 'GET', '/billing/subscription')).data.subscription
      if (shown === null) await subscribe(track, person, 0)
      const id = shown?.id ?? (await liveId(track, person, 0))
      const at = `/billing/subscriptions/${id}`
      const before = await invoicesOf(track, person)
      each.nowMs += 33 * DAY_MS
      const leap = { to: new Date(each.nowMs).toISOString() }
      const addon = (quantity: number) => ({ bundleId: 'pipeline_pack', quantity })
      const answers = await Promise.all([
        track.call(0, person, 'POST', `/billing/clocks/${clockId}/advance`, leap),
        track.call(1, person, 'POST', `/billing/clocks/${clockId}/advance`, leap),
        track.confirmed(2, person, 'POST', `${at}/cancel`),
        track.call(0, person, 'POST', `${at}/reactivate`),
        ...[1, 2, 3].map((quantity) => track.call(quantity, person, 'POST', `${at}/addons`, addon(quantity))),
        track.call(1, person, 'DELETE', `${at}/addons/pipeline_pack`),
      ])
      const failed = answers.find(({ status }) => status >= 500)
      if (failed !== undefined) throw new Error(`an end beside a renewal: ${JSON.stringify(failed.body)}`)
      const after = await invoicesOf(track, person)
      const periods = after.filter(({ period }) => period !== null).map(({ period }) => period)
      if (new Set(periods).size !== periods.length) throw new Error(`a period was invoiced twice: ${periods}`)
      if (after.length < before.length) throw new Error('an invoice is gone')
      await track.check(person)
    }),
  )
}

async function invoicesOf(track: Track, person: SignedIn): Promise<{ period: string | null }[]> {
  const { invoices } = (await track.call(2, person, 'GET', '/billing/invoices?limit=200')).data
  return invoices.map((each: { periodStart: string | null; subscriptionId?: string }) => ({ period: each.periodStart }))
}

/** Operators set plans while the account changes its own: one of them is last, and limits are its. */
async function twoOperators(track: Track, payers: readonly SignedIn[]): Promise<void> {
  const from = track.random.below(payers.length - OVERRIDDEN)
  const some = payers.slice(from, from + OVERRIDDEN)
  const plans = ['pro', 'team', 'enterprise'] as const
  await Promise.all(
    some.map(async (person, n) => {
      const id = await liveId(track, person, n)
      const override = (at: number, planId: string) =>
        track.confirmed(at, track.operator, 'PUT', `/billing/admin/subscriptions/${id}`, { planId })
      const answers = await Promise.all([
        ...plans.map((planId, at) => override(n + at, planId)),
        ...plans.map((planId, at) => track.call(at, person, 'PUT', `/billing/subscriptions/${id}`, { planId })),
      ])
      const failed = answers.find(
        ({ status, code }) => status >= 300 && code !== 'PLAN_OVER_CAP' && code !== 'CONFLICT',
      )
      if (failed !== undefined) throw new Error(`two operators: ${JSON.stringify(failed.body)}`)
      await track.check(person)
      const shown = (await track.call(n, person, 'GET', '/billing/subscription')).data.subscription
      const { quota } = (await track.call(n + 1, person, 'GET', '/quotas')).data
      if (shown.tier !== quota.tier) throw new Error(`the plan is ${shown.tier}, and limits are those of ${quota.tier}`)
    }),
  )
}

/** The provider tells of each change, twice, on every replica, before its own answer is there. */
async function deliveryAndCall({ races, seed }: { races: number; seed: number }): Promise<number> {
  const fake = new FakeCard({ onEvent: (event) => void told.push(event) })
  const told: Parameters<FakeCard['signed']>[0][] = []
  const url = await fake.listen()
  const replicas = await startReplicas(REPLICAS, {
    ...SETTINGS,
    BILLING_PROVIDER: 'card_provider',
    CARD_PROVIDER_SECRET_KEY: 'sk_test_fake',
    CARD_PROVIDER_WEBHOOK_SECRET: 'whsec_fake',
    CARD_PROVIDER_PRICE_MAP: JSON.stringify(fakePriceMap()),
    CARD_PROVIDER_API_URL: url,
    // A delivery that could not be given back is free before its sender gives up.
    BILLING_WEBHOOK_INPROGRESS_TTL_SECONDS: '20',
  })
  let isOver = false
  try {
    const track = new Track(replicas, await superAdmin(replicas.app, 'operator'), createRandom(seed))
    const people: SignedIn[] = []
    for (let n = 0; n < CARDS; n++) people.push(await signUp(replicas.app, `card${n}`))
    const deliver = async () => {
      while (!isOver || told.length > 0) {
        const events = told.splice(0)
        await Promise.all(events.flatMap((event) => replicas.urls.map((to) => post(to, fake.signed(event)))))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    // A call that the job sends again is told of later, so deliveries go on until both sides say the same.
    const race = async () => {
      await Promise.all(people.map((person, n) => raceCard(track, fake, person, n, races)))
      for (const person of people) await settled(track, fake, person)
    }
    const delivering = deliver()
    const racing = race()
    racing.catch(() => undefined)
    // Where a delivery is refused, that ends the races too.
    await Promise.race([racing, delivering])
    isOver = true
    await delivering
    return track.requests
  } catch (error) {
    const logged = Array.from({ length: REPLICAS }, (_, at) => replicas.output(at)).join('')
    const failures = logged
      .split('\n')
      .filter((line) => /"level":"(warn|error)"/.test(line) && !line.includes('store.slow_write'))
    console.error(failures.slice(-40).join('\n'))
    throw error
  } finally {
    isOver = true
    await replicas.stop()
    await fake.close()
  }
}

/** A delivery that another replica has in hand is answered 409, and is sent again, as one is that finds too many others. */
async function post(url: string, { body, signature }: { body: string; signature: string }): Promise<void> {
  let last = ''
  for (let tries = 0; tries < 100; tries++) {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const answer = await fetch(`${url}/api/billing/card-provider/webhook`, { method: 'POST', headers, body })
    last = await answer.text()
    if (answer.status < 300) return
    await new Promise((resolve) => setTimeout(resolve, 20 * Math.min(tries + 1, 25)))
  }
  throw new Error(`a delivery is not taken: ${last}`)
}

async function raceCard(track: Track, fake: FakeCard, person: SignedIn, at: number, races: number): Promise<void> {
  await track.call(at, person, 'POST', '/billing/subscriptions', { planId: 'pro' })
  await until(`card${at} has an invoice`, () => invoiceOf(fake, person) !== undefined)
  await fetch(`${fake.state.pagesAt}/_fake/pay/${invoiceOf(fake, person)?.id}?card=good`, { method: 'POST' })
  const shown = async () => (await track.call(at, person, 'GET', '/billing/subscription')).data.subscription
  await until(`card${at} is active`, async () => (await shown())?.status === 'active')
  const { id } = await shown()
  for (let race = 0; race < races; race++) {
    const planId = ['team', 'enterprise', 'pro'][race % 3] ?? 'pro'
    const body = { bundleId: 'pipeline_pack', quantity: 1 + (race % 5) }
    const answers = await Promise.all([
      track.call(at, person, 'PUT', `/billing/subscriptions/${id}`, { planId }),
      track.call(at + 1, person, 'POST', `/billing/subscriptions/${id}/addons`, body),
    ])
    const failed = answers.find(
      ({ status, code }) => status >= 300 && code !== 'CHANGE_IN_PROGRESS' && code !== 'CONFLICT',
    )
    if (failed !== undefined) throw new Error(`a delivery beside a call: ${JSON.stringify(failed.body)}`)
    await until(`a change of card${at} is over`, async () => (await shown())?.pendingChange === null)
  }
}

const customerOf = (fake: FakeCard, { orgId }: SignedIn) =>
  [...fake.state.customers.values()].filter(({ metadata }) => metadata['plumbline_org'] === orgId)
const invoiceOf = (fake: FakeCard, person: SignedIn) =>
  [...fake.state.invoices.values()].findLast(({ customer }) => customer === customerOf(fake, person)[0]?.id)

/** Both sides say the same, and each invoice is there once. */
async function settled(track: Track, fake: FakeCard, person: SignedIn): Promise<void> {
  const customers = customerOf(fake, person)
  const [customer] = customers
  const subs = () => [...fake.state.subscriptions.values()].filter((each) => each.customer === customer?.id)
  if (customers.length !== 1 || subs().length !== 1)
    throw new Error(`${customers.length} customers, ${subs().length} subscriptions`)
  const told = async () => {
    const { invoices } = (await track.call(0, person, 'GET', '/billing/invoices?limit=200')).data
    const shown = (await track.call(1, person, 'GET', '/billing/subscription')).data.subscription
    const held = [shown.planId, ...shown.addons.map(({ bundleId }: { bundleId: string }) => bundleId)]
    return JSON.stringify({
      invoices: invoices.length,
      items: held
        .map((name) => `price_${name}_monthly`)
        .sort()
        .join(),
      credit: shown.creditBalanceCents,
    })
  }
  const atProvider = () =>
    JSON.stringify({
      invoices: [...fake.state.invoices.values()].filter((each) => each.customer === customer?.id).length,
      items: (subs()[0]?.items ?? [])
        .map(({ price }) => price)
        .sort()
        .join(),
      credit: 0 - Math.min(0, customer?.balance ?? 0),
    })
  let last = ''
  await until(
    () => `${person.username} says ${atProvider()}, but says ${last}`,
    async () => {
      last = await told()
      return last === atProvider()
    },
  )
  await track.check(person)
  const { events } = (await track.call(2, person, 'GET', '/billing/events?type=payment_succeeded&limit=200')).data
  const paid = events.map(({ details }: { details: { invoiceId: string } }) => details.invoiceId)
  if (new Set(paid).size !== paid.length) throw new Error('a payment was told twice')
}

const WAIT_MS = 120_000

async function until(what: string | (() => string), isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`it never came about: ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
