/**
 * An account that a card provider charges, against the model: commands of people on both sides, while requests and answers are lost or
 * fail, and deliveries come twice, out of order, or not at all. When all has settled, both sides are what the model says.
 */
import { dispute, refund } from '../../src/billing/fake/card/billing.js'
import { FAULT_KINDS } from '../../src/billing/fake/card/faults.js'
import { type Engine, openProofDatabase } from '../world/database.js'
import { createRandom, type Random } from '../world/random.js'
import { CardAccount } from './card-model.js'
import { type CardHolder, CardWorld } from './card-world.js'
import { wrongWith } from './faults.js'
import { COMBOS, type Every, FEATURES, type Plan, SOLD, type Verdict } from './model.js'
import { Promotion } from './purse.js'

const PLANS: readonly Plan[] = ['pro', 'team', 'enterprise']
const CODES = { CARD15: 1_500n, CARD250: 25_000n }
const STEPS_AN_ACCOUNT = 25

interface Tally {
  accounts: number
  faults: number
  deliveries: number
  lost: number
}

interface Pair {
  readonly account: CardHolder
  readonly model: CardAccount
  readonly promotion: Promotion
  readonly random: Random
  readonly tally: Tally
}

/** @throws Error that says at which step of which seed they differ, and how */
export async function proveCard(engine: Engine, { steps, seed }: { steps: number; seed: number }): Promise<Tally> {
  const random = createRandom(seed)
  const world = await CardWorld.start(await openProofDatabase(engine))
  const tally = { accounts: 0, faults: 0, deliveries: 0, lost: 0 }
  try {
    for (const [alias, cents] of Object.entries(CODES)) {
      await world.asRoot('POST', '/billing/admin/discounts', { code: `${cents / 100n}:dollar:credit`, alias })
    }
    for (let done = 0; done < steps; ) {
      const promotion = await announce(world, tally.accounts)
      const account = await world.account()
      const told: string[] = []
      const pair = { account, model: await begin(account, random, tally), promotion, random, tally }
      tally.accounts++
      for (let step = 0; step < STEPS_AN_ACCOUNT && done < steps && pair.model.isLive; step++) {
        done++
        const differs = await take(pair, told)
        if (differs !== null) throw new Error(`seed ${seed}: ${differs}\n  after ${told.join('\n        ')}`)
      }
    }
  } finally {
    await world.close()
  }
  return tally
}

async function announce(world: CardWorld, count: number): Promise<Promotion> {
  const body = {
    name: `card ${count}`,
    trigger: { type: 'manual' },
    unit: 'percent',
    value: 30,
    kind: 'onetime',
    budgetCents: 9_000,
  }
  const { data } = await world.asRoot('POST', '/billing/admin/promotions', body)
  return new Promotion(
    data.promotion.id,
    'manual',
    { unit: 'percent', amount: 30n },
    { budget: 9_000n, cap: null, grantsMax: null },
  )
}

async function begin(account: CardHolder, random: Random, tally: Tally): Promise<CardAccount> {
  const planId = random.pick(PLANS)
  const interval: Every = random.below(4) === 0 ? 'annual' : 'monthly'
  const isFirst = random.below(4) > 0
  const free = isFirst ? null : await account.call('POST', '/billing/subscriptions', { planId: 'developer' })
  misbehave(account, random, tally)
  if (free === null) await account.call('POST', '/billing/subscriptions', { planId, interval })
  else await account.call('PUT', `/billing/subscriptions/${free.data.subscription.id}`, { planId, interval })
  await arrive(account, random, tally)
  // Nothing is granted before it is paid.
  const tier = (await account.call('GET', '/quotas')).data.quota.tier
  if (tier !== 'developer') throw new Error(`${planId} is not paid, and the account is ${tier}`)
  await account.pay()
  await arrive(account, random, tally)
  const [sub] = account.atProvider()
  if (sub === undefined) throw new Error('there is no subscription at the provider')
  return new CardAccount(planId, sub.created, interval, isFirst)
}

const nowS = ({ world }: CardHolder): number => Math.floor(world.card.app.clock.now() / 1000)

/** One or two requests of those to come fail, in any of their ways. */
function misbehave({ world }: CardHolder, random: Random, tally: Tally): boolean {
  const count = Math.max(0, random.below(5) - 2)
  for (let n = 0; n < count; n++) {
    const kind = random.pick(FAULT_KINDS.filter((each) => each !== 'delay'))
    world.fake.faults.add({ kind, after: random.below(5), times: 1 + random.below(2) })
    tally.faults++
  }
  return count > 0
}

/** Everything comes to its end: deliveries in any order, some of them twice, some only as they are looked for. */
async function arrive(account: CardHolder, random: Random, tally: Tally): Promise<void> {
  const { card, fake } = account.world
  const disturbed = random.below(3)
  for (let round = 0; round < 2; round++) {
    const told = card.waiting.splice(0)
    const sent = told.flatMap((each) => {
      if (random.below(8) < disturbed) return []
      return random.below(4) < disturbed ? [each, each] : [each]
    })
    tally.lost += told.filter((each) => !sent.includes(each)).length
    tally.deliveries += sent.length
    if (disturbed > 0) sent.sort(() => random.below(2) - 0.5)
    for (const each of sent) await card.deliver(fake.signed(each))
    await account.settle(false)
  }
  fake.faults.clear()
  await account.settle()
  await card.job('billing.lifecycle')
}

/** One step and what it came to. @returns what differs; null for nothing. */
async function take(pair: Pair, told: string[]): Promise<string | null> {
  const { account, random, tally } = pair
  const isDisturbed = misbehave(account, random, tally)
  const before = account.world.fake.state.invoices.size
  const { text, ask, expect } = await command(pair)
  told.push(text)
  const answer = await ask()
  await arrive(account, random, tally)
  const drawn = [...account.world.fake.state.invoices.values()]
  const atS = drawn.length > before ? (drawn.at(-1)?.created ?? 0) : nowS(account)
  const verdict = expect(atS)
  const mayDiffer = isDisturbed && (answer === null || answer === '503')
  if (answer !== verdict && !mayDiffer) {
    const why = account.world.card.app.errors.at(-1)
    return `answered ${answer ?? 'yes'}, and not ${verdict ?? 'yes'}${answer === 'INTERNAL_ERROR' ? `: ${(why as Error)?.stack}` : ''}`
  }
  return compare(pair)
}

interface Step {
  readonly text: string
  /** Nothing for what happens elsewhere. */
  ask(): Promise<string | null>
  /** What it comes to in the model. @param atS when the provider did it. */
  expect(atS: number): Verdict
}

const does = (run: () => unknown) => (): Verdict => {
  run()
  return null
}

type Send = (method: string, path: string, body: object) => Step['ask']

async function command(pair: Pair): Promise<Step> {
  const { account, model, random } = pair
  const id = (await account.subscription())?.id
  const at = `/billing/subscriptions/${id}`
  const send: Send = (method, path, body) => async () => {
    const { status, code } = await account.call(method, path, body)
    return status < 300 ? null : (code ?? String(status))
  }
  const kind = model.failedS === null ? random.below(20) : random.pick([9, 10, 10, 11, 13])
  return (
    subscriptionStep(kind, at, send, pair) ??
    (await creditStep(kind, at, send, pair)) ??
    (await paymentStep(kind, pair)) ??
    later(pair)
  )
}

/** A change of the plan, of the add-ons, or of the end. @returns null when the kind is another one. */
function subscriptionStep(kind: number, at: string, send: Send, { account, model, random }: Pair): Step | null {
  if (model.pending !== null && [1, 3, 15].includes(kind)) {
    const expect = does(() => model.dropChange())
    return { text: 'drops what waits', ask: send('DELETE', `${at}/pending-change`, {}), expect }
  }
  switch (kind) {
    case 17:
    case 18:
    case 19:
      return laterStep(kind, at, send, { model, random })
    case 0:
    case 1: {
      const planId = random.pick(PLANS.filter((each) => each !== model.plan))
      const expect = (atS: number) => model.change(planId, model.keptOn(planId), atS)
      return { text: `plan ${planId}`, ask: send('PUT', at, { planId }), expect }
    }
    case 2:
    case 3: {
      const sold = Object.keys(SOLD).filter((each) => SOLD[each]?.soldOn.includes(model.plan))
      const bundleId = random.pick(sold)
      const quantity = bundleId in FEATURES ? 1 : 1 + random.below(4)
      const addons = new Map(model.addons).set(bundleId, BigInt(quantity))
      const expect = (atS: number) => model.change(model.plan, addons, atS)
      return { text: `${quantity} ${bundleId}`, ask: send('POST', `${at}/addons`, { bundleId, quantity }), expect }
    }
    case 4: {
      const bundleId = random.pick(Object.keys(SOLD))
      const addons = new Map(model.addons)
      const expect = (atS: number) => (addons.delete(bundleId) ? model.change(model.plan, addons, atS) : 'NOT_FOUND')
      return { text: `no ${bundleId}`, ask: send('DELETE', `${at}/addons/${bundleId}`, {}), expect }
    }
    case 14: {
      const interval = random.pick(['monthly', 'annual'] as const)
      const expect = does(() => model.changeLater(model.plan, interval))
      return { text: interval, ask: send('PUT', at, { interval }), expect }
    }
    case 15: {
      // What is missing of a combo.
      const combo = random.pick(COMBOS).of.filter((each) => SOLD[each]?.soldOn.includes(model.plan))
      const bundleId = combo.find((each) => !model.addons.has(each))
      if (bundleId === undefined) return null
      const addons = new Map(model.addons).set(bundleId, 1n)
      const expect = (atS: number) => model.change(model.plan, addons, atS)
      return { text: `1 ${bundleId}`, ask: send('POST', `${at}/addons`, { bundleId, quantity: 1 }), expect }
    }
    case 7: {
      const isEnding = random.below(2) === 0
      const nowMs = account.world.card.app.clock.now()
      const ask = isEnding ? () => account.cancel(at) : send('POST', `${at}/reactivate`, {})
      return { text: isEnding ? 'cancel' : 'reactivate', ask, expect: does(() => model.setEnding(isEnding, nowMs)) }
    }
    default:
      return null
  }
}

/** What holds with the next period. */
function laterStep(
  kind: 17 | 18 | 19,
  at: string,
  send: Send,
  { model, random }: Pick<Pair, 'model' | 'random'>,
): Step {
  const when = 'period_end'
  switch (kind) {
    case 17: {
      const bundleId = random.pick(Object.keys(SOLD))
      const quantity = bundleId in FEATURES ? 1 : 1 + random.below(4)
      const expect = () => model.setAddonLater(bundleId, BigInt(quantity))
      const ask = send('POST', `${at}/addons`, { bundleId, quantity, when })
      return { text: `${quantity} ${bundleId} later`, ask, expect }
    }
    case 18: {
      const bundleId = random.pick([...model.upcoming.addons.keys(), ...Object.keys(SOLD)])
      const expect = () => model.setAddonLater(bundleId, 0n)
      return { text: `no ${bundleId} later`, ask: send('DELETE', `${at}/addons/${bundleId}?when=${when}`, {}), expect }
    }
    default: {
      const planId = random.pick(PLANS)
      const expect = does(() => model.changeLater(planId, model.every))
      return { text: `plan ${planId} later`, ask: send('PUT', at, { planId, when }), expect }
    }
  }
}

/** A discount or a promotion. @returns null when the kind is another one. */
async function creditStep(kind: number, at: string, send: Send, pair: Pair): Promise<Step | null> {
  const { account, model, promotion, random } = pair
  switch (kind) {
    case 5:
    case 9: {
      const code = random.pick(Object.keys(CODES) as (keyof typeof CODES)[])
      const nowMs = account.world.card.app.clock.now()
      return {
        text: `redeem ${code}`,
        ask: send('POST', `${at}/discounts`, { code }),
        expect: () => model.redeem(code, CODES[code], nowMs),
      }
    }
    case 12:
      return redeemAway(pair)
    case 6: {
      const nowMs = account.world.card.app.clock.now()
      const body = { targetOrgId: account.person.orgId }
      const ask = async () =>
        (await account.world.asRoot('POST', `/billing/admin/promotions/${promotion.id}/grant`, body)).data.reason
      return { text: 'a promotion', ask, expect: () => model.grant(promotion, nowMs) }
    }
    default:
      return null
  }
}

const nothing = async () => null

/** A card, a payment, a refund or a dispute. @returns null when the kind is another one. */
async function paymentStep(kind: number, { account, model, random }: Pair): Promise<Step | null> {
  const { ledger, state } = account.world.fake
  const paid = [...state.charges.values()].at(-1)
  switch (kind) {
    case 8: {
      const customer = account.customer()
      const card = random.pick(['good', 'declines'] as const)
      if (customer !== undefined) customer.card = card
      return { text: `the card ${card}`, ask: nothing, expect: does(() => model.useCard(card)) }
    }
    case 10: {
      await account.pay()
      return { text: 'pays', ask: nothing, expect: does(() => model.pay()) }
    }
    case 11: {
      if (paid === undefined || paid.refunded === paid.cents)
        return { text: 'nothing', ask: nothing, expect: () => null }
      const isDispute = random.below(3) === 0 && !paid.disputed
      const cents = 1 + random.below(paid.cents - paid.refunded)
      const nowMs = account.world.card.app.clock.now()
      if (isDispute) dispute(ledger, paid)
      else refund(ledger, paid, cents)
      const expect = does(() => model.reverse(isDispute ? 'disputed' : BigInt(cents), nowMs))
      return { text: isDispute ? 'a dispute' : `a refund of ${cents}`, ask: nothing, expect }
    }
    default:
      return null
  }
}

/** What the provider did with the credit is not known for more than a day, after which it forgets the key of the request. */
async function redeemAway({ account, model, random }: Pair): Promise<Step> {
  const { card, fake } = account.world
  const code = random.pick(Object.keys(CODES) as (keyof typeof CODES)[])
  const id = (await account.subscription())?.id
  const nowMs = card.app.clock.now()
  const falls = [model.announcedS, model.endS].some((each) => each > nowS(account) && each < nowS(account) + 3 * 86_400)
  if (falls) return { text: 'nothing', ask: async () => null, expect: () => null }
  const ask = async () => {
    fake.faults.clear()
    fake.faults.add({ kind: 'lose_answer', match: 'balance_transactions', times: 10_000 })
    const { status, code: refusal } = await account.call('POST', `/billing/subscriptions/${id}/discounts`, { code })
    await card.calls()
    await account.later(26 * 3_600_000)
    fake.faults.clear()
    return status < 300 ? null : (refusal ?? String(status))
  }
  return { text: `redeem ${code}, answers lost for a day`, ask, expect: () => model.redeem(code, CODES[code], nowMs) }
}

/** A stop before each thing that falls due, so that it is known when it was. */
async function later({ account, model, random }: Pair): Promise<Step> {
  const [from, failed] = [nowS(account), model.failedS]
  const stops =
    failed === null ? [model.announcedS + 1, model.endS + 1] : [4, 8.6, 15.7].map((days) => failed + days * 86_400)
  const next = stops.find((each) => each > from) ?? from + 86_400
  const days = failed === null ? 1 + random.below(model.every === 'annual' ? 300 : 25) : 30
  const toS = Math.min(next, from + days * 86_400)
  account.world.fake.faults.clear()
  await account.later((toS - from) * 1000)
  const atS = nowS(account)
  return {
    text: `${((toS - from) / 86_400).toFixed(1)} days`,
    ask: async () => null,
    expect: does(() => model.tick(atS)),
  }
}

interface Waiting {
  readonly planId: string
  readonly interval: string
  readonly addons: readonly { readonly bundleId: string; readonly quantity: number }[]
}

const waitingOf = (waits: Waiting | null) =>
  waits === null
    ? null
    : [waits.planId, waits.interval, ...waits.addons.map(({ bundleId, quantity }) => `${bundleId} ${quantity}`)]

const waitsIn = ({ pending }: CardAccount) =>
  pending === null
    ? null
    : [pending.plan, pending.every, ...[...pending.addons].map(([name, quantity]) => `${name} ${quantity}`).sort()]

/** What differs, in words; null for nothing. */
async function compare({ account, model, promotion }: Pair): Promise<string | null> {
  const { world } = account
  const id = `'${account.person.orgId}'`
  const shown = await account.subscription()
  const { invoices } = (await account.call('GET', '/billing/invoices?limit=1000&sortOrder=asc')).data
  const { entries } = (await account.call('GET', '/billing/ledger?limit=1000')).data
  const { quota } = (await account.call('GET', '/quotas')).data
  const { usage } = (await account.call('GET', '/billing/usage')).data
  const byHand = await world.database.rows(
    `SELECT dedupe_key FROM billing_credit_entries WHERE org_id = ${id} AND dedupe_key LIKE '%:adjust'`,
  )
  world.root = await world.operatorAgain()
  const { spend } = (
    await world.card.app.call('GET', `/billing/admin/promotions/${promotion.id}/spend`, { as: world.root })
  ).data
  const texts = invoices
    .map((each: Record<string, unknown>) =>
      ['subtotalCents', 'creditCents', 'totalCents', 'amountPaidCents', 'status'].map((name) => each[name]).join(' '),
    )
    .sort()
  const s = nowS(account)
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['status', shown?.status ?? null, model.isLive ? model.status : null],
    ['plan', shown?.planId ?? null, model.isLive ? model.plan : null],
    ['ends', shown?.cancelAtPeriodEnd ?? null, model.isLive ? model.isEnding : null],
    [
      'add-ons',
      (shown?.addons ?? []).map((each: { bundleId: string; quantity: number }) => `${each.bundleId} ${each.quantity}`),
      model.isLive ? [...model.addons].map(([name, quantity]) => `${name} ${quantity}`).sort() : [],
    ],
    ['interval', shown?.interval ?? null, model.isLive ? model.every : null],
    ['waits', waitingOf(shown?.pendingChange ?? null), model.isLive ? waitsIn(model) : null],
    ['period', shown === null ? null : Date.parse(shown.currentPeriodEnd) / 1000, model.isLive ? model.endS : null],
    ['balance', String(shown?.creditBalanceCents ?? 0), String(model.purse.balance)],
    [
      'ledger',
      entries.reduce((sum: number, { cents }: { cents: number }) => sum + cents, 0),
      Number(model.purse.balance),
    ],
    ['rows by hand', byHand, []],
    [
      'invoices',
      texts,
      model.invoices.map((each) => `${each.subtotal} ${each.credit} ${each.total} ${each.paid} ${each.status}`).sort(),
    ],
    ['tier', quota.tier, model.holds(s)],
    [
      'limits',
      ['pipelines', 'apiCalls', 'seats'].map((type) =>
        String(usage.find((each: { type: string }) => each.type === type)?.limit),
      ),
      model.limits(s).map(String),
    ],
    [
      'budget',
      `${spend.committedCents} ${spend.committedGrants} ${spend.driftCents}`,
      `${promotion.spent} ${promotion.grants} 0`,
    ],
  ]
  const wrong = pairs.find(([, server, own]) => JSON.stringify(server) !== JSON.stringify(own))
  if (wrong !== undefined) return `${wrong[0]}: ${JSON.stringify(wrong[1])}, and not ${JSON.stringify(wrong[2])}`
  return model.isLive ? wrongWith(account) : null
}
