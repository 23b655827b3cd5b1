/**
 * Billing over HTTP against the model: each step is one command of an account with a test clock, and after it the answer, the
 * subscription, the balance, the ledger, the invoices and the limits are those of the model.
 */

import type { Store } from '../../src/runtime/store/db.js'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../test/support/billing.js'
import { createRandom, type Random } from '../world/random.js'
import {
  Account,
  COMBOS,
  type Discount,
  type Every,
  FEATURES,
  type Holding,
  type Live,
  PACKS,
  type Plan,
  SOLD,
  TRIAL,
  type Verdict,
} from './model.js'
import { Promotion } from './purse.js'

interface Tally {
  readonly steps: number
  readonly accounts: number
  readonly refused: number
  readonly invoices: number
  readonly trials: number
  readonly referrals: number
  /** Periods that began with one. */
  readonly combos: number
}

const PLANS: readonly Plan[] = ['developer', 'pro', 'team', 'enterprise']
const EVERY: readonly Every[] = ['monthly', 'annual']
const ADDONS = [...Object.keys(PACKS), ...Object.keys(FEATURES)]
const DISCOUNTS = [
  { code: 'MODEL5', unit: 'dollar', value: 5n, kind: 'onetime' },
  { code: 'MODEL700', unit: 'dollar', value: 700n, kind: 'credit' },
  { code: 'MODEL30', unit: 'percent', value: 30n, kind: 'onetime' },
  { code: 'MODEL20', unit: 'percent', value: 20n, kind: 'recurring' },
  { code: 'MODEL11', unit: 'dollar', value: 11n, kind: 'recurring' },
] as const
const PROMOTIONS = [
  { trigger: 'manual', unit: 'dollar', value: 700n, budget: 5_000n, cap: null, grantsMax: 6n },
  { trigger: 'manual', unit: 'percent', value: 33n, budget: 100_000n, cap: 9_000n, grantsMax: null },
  { trigger: 'subscription_created', unit: 'percent', value: 7n, budget: 40_000n, cap: null, grantsMax: null },
  { trigger: 'plan_change', unit: 'dollar', value: 111n, budget: 1_000_000n, cap: null, grantsMax: null },
  { trigger: 'referral', unit: 'dollar', value: 250n, referrer: 170n, budget: 2_000n, cap: null, grantsMax: 9n },
  { trigger: 'manual', recurs: true, unit: 'percent', value: 9n, budget: 30_000n, cap: 1_500n, grantsMax: null },
  { trigger: 'plan_change', recurs: true, unit: 'dollar', value: 60n, budget: 900n, cap: null, grantsMax: null },
] as const
/** Accounts that live side by side, and refer one another. */
const TOGETHER = 3
const STEPS_AN_ACCOUNT = 60
/** From here on each kind of credit has to be met. */
const ENOUGH_STEPS = 1500

/** @throws Error that says at which step of which seed they differ, and how */
export async function proveBilling(store: Store, options: { steps: number; seed: number }): Promise<Tally> {
  const world = await BillingWorld.start(store, {
    BILLING_TEST_CLOCKS: 'true',
    [`BILLING_PLAN_${TRIAL.plan.toUpperCase()}_TRIAL_DAYS`]: String(TRIAL.days),
  })
  const random = createRandom(options.seed)
  const minted: Minted[] = []
  for (const { code, unit, value, kind } of DISCOUNTS) {
    const body = { code: `${value}:${unit}:${kind}`, alias: code, sandbox: true }
    const made = await world.call('POST', '/billing/admin/discounts', body)
    expectStatus(made, 201)
    minted.push({ id: made.data.discount.id, code, unit, value, isRecurring: kind === 'recurring' })
  }
  const tally = { steps: 0, accounts: 0, refused: 0, invoices: 0, trials: 0, referrals: 0, combos: 0 }
  let known: readonly Promotion[] = []
  while (tally.steps < options.steps) {
    // Budgets are used up after some accounts, and new ones are made then.
    const promotions = tally.accounts % (3 * TOGETHER) === 0 ? await announce(world, tally.accounts) : known
    known = promotions
    const pairs: Pair[] = []
    while (pairs.length < TOGETHER) pairs.push(await open(world, random, promotions))
    tally.accounts += TOGETHER
    const told: string[] = []
    for (let step = 0; step < STEPS_AN_ACCOUNT * TOGETHER && tally.steps < options.steps; step++) {
      const pair = random.pick(pairs)
      const wasLive = pair.model.live !== null
      const { text, verdict, answer } = await command(random, pair, { minted, pairs })
      told.push(`${pair.model.name}: ${text}`)
      tally.steps++
      if (verdict !== null && !WELCOME.has(verdict)) tally.refused++
      if (!wasLive && pair.model.live?.isTrial === true) tally.trials++
      tally.referrals += pairs.filter(({ model }) => model.isReferralDue).length
      const referrers = await settleReferrals(world, random, pairs)
      const differs =
        answer !== verdict
          ? `answered ${answer ?? 'yes'}, and not ${verdict ?? 'yes'}`
          : await compareAll([...new Set([pair, ...referrers])])
      if (differs !== null) throw new Error(`seed ${options.seed}: ${differs}\n  after ${told.join('\n        ')}`)
    }
    for (const { model } of pairs) {
      tally.invoices += model.invoices.length
      tally.combos += model.combos
    }
  }
  if (tally.steps >= ENOUGH_STEPS && tally.combos === 0)
    throw new Error('no period began with a combo: nothing was tried of them')
  return tally
}

const WELCOME: ReadonlySet<string> = new Set(['granted', 'recorded'])

/** By the job, which also looks now and then where nothing is due. @returns whose credit may be another one now. */
async function settleReferrals(world: BillingWorld, random: Random, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  const due = pairs.filter(({ model }) => model.isReferralDue)
  if (due.length === 0 && random.below(20) > 0) return []
  await world.run('billing.referral')
  for (const { model } of due) model.settleReferral()
  return pairs
}

async function compareAll(pairs: readonly Pair[]): Promise<string | null> {
  for (const pair of pairs) {
    const differs = await compare(pair)
    if (differs !== null) return `${pair.model.name}: ${differs}`
  }
  return null
}

type Minted = Discount & { readonly id: string }

interface Pair {
  readonly account: BillingAccount
  readonly model: Account
  readonly clockId: string
}

/** Those of before are over. */
async function announce(world: BillingWorld, round: number): Promise<Promotion[]> {
  const list = await world.get('/billing/admin/promotions?active=true&limit=100')
  for (const { id } of list.data.promotions) await world.call('DELETE', `/billing/admin/promotions/${id}`)
  const made: Promotion[] = []
  for (const each of PROMOTIONS) {
    const { trigger, unit, value, budget, cap, grantsMax } = each
    const [isRecurring, referrer] = ['recurs' in each, 'referrer' in each ? each.referrer : undefined]
    const body = {
      ...{ name: `${trigger} ${round}`, trigger: { type: trigger }, unit, value: Number(value) },
      ...{ kind: isRecurring ? 'recurring' : 'onetime', budgetCents: Number(budget), sandbox: true },
      ...(referrer === undefined ? {} : { referrerValue: Number(referrer) }),
      ...(cap === null ? {} : { perOrgCapCents: Number(cap) }),
      ...(grantsMax === null ? {} : { maxGrants: Number(grantsMax) }),
    }
    const answer = await world.call('POST', '/billing/admin/promotions', body)
    expectStatus(answer, 201)
    const id = answer.data.promotion.id
    const worth = { unit, amount: value, isRecurring, ...(referrer === undefined ? {} : { referrer }) }
    made.push(new Promotion(id, trigger, worth, { budget, cap, grantsMax }))
  }
  return made
}

async function open(world: BillingWorld, random: Random, promotions: readonly Promotion[]): Promise<Pair> {
  const account = await world.sibling()
  const made = await account.post('/billing/clocks', { name: 'model' })
  expectStatus(made, 201)
  const { id, now } = made.data.clock
  // The days that short months lack are tried as well.
  const toMs = Date.parse(now) + random.below(40) * DAY_MS + 1
  expectStatus(await account.post(`/billing/clocks/${id}/advance`, { to: new Date(toMs).toISOString() }), 200)
  return { account, model: new Account(toMs, promotions, account.person.username), clockId: id }
}

interface Done {
  readonly text: string
  readonly verdict: Verdict
  readonly answer: string | null
}

type Answer = Awaited<ReturnType<BillingAccount['get']>>

const expectStatus = (answer: Answer, status: number): void => {
  if (answer.status !== status) throw new Error(JSON.stringify(answer.body))
}

const codeOf = ({ status, code }: Answer): string | null => (status < 300 ? null : (code ?? String(status)))

/** The id of no subscription, for an account that has none. */
const NONE = '01900000-0000-7000-8000-000000000000'

interface Around {
  readonly minted: readonly Minted[]
  readonly pairs: readonly Pair[]
}

const done = async (text: string, verdict: Verdict, sent: Promise<Answer>): Promise<Done> => ({
  text,
  verdict,
  answer: codeOf(await sent),
})

const TIME_PASSES = 17

const hasCombo = ({ addons }: Holding): boolean => COMBOS.some(({ of }) => of.every((id) => addons.has(id)))

async function command(random: Random, pair: Pair, { minted, pairs }: Around): Promise<Done> {
  const id = (await pair.account.subscription())?.id ?? NONE
  const at = `/billing/subscriptions/${id}`
  const { live } = pair.model
  const isAlone = live === null && random.below(3) > 0
  // A combo is met when the period after it begins.
  const isAwaited = live !== null && hasCombo(live.pending ?? live) && random.below(3) === 0
  const kind = isAlone ? 0 : isAwaited ? TIME_PASSES : random.below(19)
  return (
    (await subscriptionCommand(kind, at, random, pair, pairs)) ??
    (await discountCommand(kind, at, random, pair, minted)) ??
    (await clockCommand(kind, random, pair))
  )
}

/** Plans, intervals, add-ons and the end of a subscription. @returns null when the kind is another one. */
async function subscriptionCommand(
  kind: number,
  at: string,
  random: Random,
  pair: Pair,
  pairs: readonly Pair[],
): Promise<Done | null> {
  const { account, model } = pair
  const { live } = model
  switch (kind) {
    case 0: {
      const [planId, interval] = [random.pick(PLANS), random.pick(EVERY)]
      const referrer = random.below(2) === 0 ? null : random.pick(pairs)
      return subscribe(pair, { planId, interval, referrer })
    }
    case 1:
    case 2: {
      const planId = random.pick(PLANS.filter((each) => each !== live?.plan))
      return done(`plan ${planId}`, model.changePlan(planId), account.call('PUT', at, { planId }))
    }
    case 3: {
      const interval = random.pick(EVERY.filter((each) => each !== live?.every))
      return done(`interval ${interval}`, model.changeInterval(interval), account.call('PUT', at, { interval }))
    }
    case 4:
      return done('drop change', model.dropChange(), account.call('DELETE', `${at}/pending-change`))
    case 5:
    case 6:
    case 7: {
      // What is missing of a combo, so that periods begin with it.
      const missing = kind === 5 ? undefined : missingOfCombo(random, live)
      const bundleId = missing ?? random.pick(ADDONS)
      const quantity = missing === undefined ? 1 + random.below(4) : 1
      const sent = account.post(`${at}/addons`, { bundleId, quantity })
      return done(`${quantity} ${bundleId}`, model.setAddon(bundleId, BigInt(quantity)), sent)
    }
    case 18: {
      const bundleId = random.pick(ADDONS)
      const quantity = 1 + random.below(4)
      const sent = account.post(`${at}/addons`, { bundleId, quantity, when: 'period_end' })
      return done(`${quantity} ${bundleId} later`, model.setAddonLater(bundleId, BigInt(quantity)), sent)
    }
    case 8: {
      const bundleId = random.pick(ADDONS)
      return done(`no ${bundleId}`, model.removeAddon(bundleId), account.call('DELETE', `${at}/addons/${bundleId}`))
    }
    case 10: {
      const { world, person } = account
      return done('cancel', model.setEnding(true), world.confirmed('POST', `${at}/cancel`, undefined, person))
    }
    case 11:
      return done('reactivate', model.setEnding(false), account.post(`${at}/reactivate`))
    default:
      return null
  }
}

function missingOfCombo(random: Random, live: Live | null): string | undefined {
  if (live === null) return undefined
  const sold = COMBOS.filter(({ of }) => of.every((id) => SOLD[id]?.soldOn.includes(live.plan)))
  return sold.length === 0 ? undefined : random.pick(sold).of.find((each) => !live.addons.has(each))
}

/** Discounts and promotions. @returns null when the kind is another one. */
async function discountCommand(
  kind: number,
  at: string,
  random: Random,
  { account, model }: Pair,
  minted: readonly Minted[],
): Promise<Done | null> {
  switch (kind) {
    case 9: {
      const discount = random.pick(minted)
      const { code } = discount
      return done(`redeem ${code}`, model.redeem(discount), account.post(`${at}/discounts`, { code }))
    }
    case 12: {
      const discount = random.pick(minted)
      const sent = account.call('DELETE', `${at}/discounts/${discount.id}`)
      return done(`no ${discount.code}`, model.dropDiscount(discount), sent)
    }
    case 13:
    case 14: {
      const promotion = random.pick(model.promotions)
      const reason = model.grant(promotion)
      const body = { targetOrgId: account.orgId }
      const answer = await account.world.call('POST', `/billing/admin/promotions/${promotion.id}/grant`, body)
      return {
        text: `promotion of ${promotion.value.amount}`,
        verdict: reason,
        answer: answer.data?.reason ?? answer.code ?? null,
      }
    }
    default:
      return null
  }
}

/** Payments that fail, and time that passes. */
async function clockCommand(kind: number, random: Random, { account, model, clockId }: Pair): Promise<Done> {
  if (kind === 15) {
    const choice = random.pick(['over', null, 1 + random.below(40)] as const)
    const untilMs = typeof choice === 'number' ? model.nowMs + choice * DAY_MS : choice
    model.failPayments(untilMs)
    const body =
      untilMs === 'over' ? { failing: false } : untilMs === null ? {} : { until: new Date(untilMs).toISOString() }
    return done(`payments fail until ${untilMs}`, null, account.post(`/billing/clocks/${clockId}/fail-payments`, body))
  }
  const toMs = model.nowMs + 1 + random.below(50 * DAY_MS)
  model.advance(toMs)
  const sent = account.post(`/billing/clocks/${clockId}/advance`, { to: new Date(toMs).toISOString() })
  return done(`until ${new Date(toMs).toISOString()}`, null, sent)
}

async function subscribe(
  { account, model }: Pair,
  { planId, interval, referrer }: { planId: Plan; interval: Every; referrer: Pair | null },
): Promise<Done> {
  const code = referrer === null ? {} : { referralCode: referrer.account.orgId }
  const verdict = model.subscribe(planId, interval, referrer?.model ?? null)
  const answer = await account.post('/billing/subscriptions', { planId, interval, ...code })
  const { status, reason } = answer.data?.referral ?? {}
  return {
    text: `subscribe ${planId} ${interval}${referrer === null ? '' : ` by ${referrer.model.name}`}`,
    verdict,
    answer: codeOf(answer) ?? (status === 'ignored' ? reason : (status ?? null)),
  }
}

/** What differs, in words; null for nothing. */
async function compare({ account, model }: Pair): Promise<string | null> {
  const shown = await account.subscription()
  const invoices = (await account.get('/billing/invoices?limit=1000&sortOrder=asc')).data.invoices as Shown[]
  const { entries } = (await account.get('/billing/ledger?limit=1000')).data as { entries: { cents: number }[] }
  const quota = await account.quotas()
  const usage = (await account.get('/billing/usage')).data.usage as { type: string; limit: number }[]
  const { live } = model
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['subscription', shown === null ? null : factsOf(shown), live === null ? null : modelFacts(model)],
    ['balance', shown === null ? '0' : String(shown.creditBalanceCents), String(model.balance)],
    ['ledger', entries.reduce((sum, { cents }) => sum + BigInt(cents), 0n).toString(), String(model.balance)],
    [
      'invoices',
      invoices.map(invoiceText),
      model.invoices.map(({ subtotal, credit, total, status }) => `${subtotal} ${credit} ${total} ${status}`),
    ],
    ['tier', quota.tier, model.holds],
    [
      'budgets',
      await budgetsOf(account.world, model),
      model.promotions.map(({ spent, grants }) => `${spent} ${grants} 0`),
    ],
    [
      'limits',
      ['pipelines', 'apiCalls', 'seats'].map((type) => String(usage.find((each) => each.type === type)?.limit)),
      model.limits().map(String),
    ],
  ]
  const wrong = pairs.find(([, server, own]) => JSON.stringify(server) !== JSON.stringify(own))
  return wrong === undefined ? null : `${wrong[0]}: ${JSON.stringify(wrong[1])}, and not ${JSON.stringify(wrong[2])}`
}

/** Spent by the ledger, grants, and what the counters are off. */
const budgetsOf = (world: BillingWorld, { promotions }: Account): Promise<string[]> =>
  Promise.all(
    promotions.map(async ({ id }) => {
      const { spend } = (await world.get(`/billing/admin/promotions/${id}/spend`)).data
      return `${spend.committedCents} ${spend.committedGrants} ${spend.driftCents}`
    }),
  )

interface Shown {
  readonly subtotalCents: number
  readonly creditCents: number
  readonly totalCents: number
  readonly status: string
}

const invoiceText = ({ subtotalCents, creditCents, totalCents, status }: Shown): string =>
  `${subtotalCents} ${creditCents} ${totalCents} ${status}`

const listOf = (addons: readonly { bundleId: string; quantity: number }[]): string[] =>
  addons.map(({ bundleId, quantity }) => `${bundleId} ${quantity}`).sort()

// biome-ignore lint/suspicious/noExplicitAny: an answer
const factsOf = (shown: any) => ({
  plan: shown.planId,
  every: shown.interval,
  status: shown.status,
  from: shown.currentPeriodStart,
  to: shown.currentPeriodEnd,
  isEnding: shown.cancelAtPeriodEnd,
  addons: listOf(shown.addons),
  pending: shown.pendingChange === null ? null : [shown.pendingChange.interval, ...listOf(shown.pendingChange.addons)],
})

function modelFacts({ live }: Account) {
  if (live === null) return null
  return {
    plan: live.plan,
    every: live.every,
    status: live.due !== null ? 'past_due' : live.isTrial ? 'trialing' : 'active',
    from: new Date(live.startMs).toISOString(),
    to: new Date(live.endMs).toISOString(),
    isEnding: live.isEnding,
    addons: [...live.addons].map(([id, quantity]) => `${id} ${quantity}`).sort(),
    pending:
      live.pending === null
        ? null
        : [live.pending.every, ...[...live.pending.addons].map(([id, quantity]) => `${id} ${quantity}`).sort()],
  }
}
