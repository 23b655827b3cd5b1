/**
 * Billing over HTTP against the model: each step is one command of an account with a test clock, and after it the answer, the
 * subscription, the balance, the ledger, the invoices and the limits are those of the model.
 */

import type { Store } from '../../src/runtime/store/db.js'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../test/support/billing.js'
import { createRandom, type Random } from '../world/random.js'
import { Account, type Every, FEATURES, PACKS, type Plan, type Verdict } from './model.js'

interface Tally {
  readonly steps: number
  readonly accounts: number
  readonly refused: number
  readonly invoices: number
}

const PLANS: readonly Plan[] = ['developer', 'pro', 'team', 'enterprise']
const EVERY: readonly Every[] = ['monthly', 'annual']
const ADDONS = [...Object.keys(PACKS), ...Object.keys(FEATURES)]
const CODES = [
  ['MODEL5', 500n],
  ['MODEL700', 70_000n],
] as const
const STEPS_AN_ACCOUNT = 60

/** @throws Error that says at which step of which seed they differ, and how */
export async function proveBilling(store: Store, options: { steps: number; seed: number }): Promise<Tally> {
  const world = await BillingWorld.start(store, { BILLING_TEST_CLOCKS: 'true' })
  const random = createRandom(options.seed)
  for (const [alias, cents] of CODES) {
    const body = { code: `${cents / 100n}:dollar:onetime`, alias, sandbox: true }
    expectStatus(await world.call('POST', '/billing/admin/discounts', body), 201)
  }
  const tally = { steps: 0, accounts: 0, refused: 0, invoices: 0 }
  while (tally.steps < options.steps) {
    const pair = await open(world, random)
    tally.accounts++
    const told: string[] = []
    for (let step = 0; step < STEPS_AN_ACCOUNT && tally.steps < options.steps; step++) {
      const { text, verdict, answer } = await command(random, pair)
      told.push(text)
      tally.steps++
      if (verdict !== null) tally.refused++
      const differs =
        answer !== verdict ? `answered ${answer ?? 'yes'}, and not ${verdict ?? 'yes'}` : await compare(pair)
      if (differs !== null) throw new Error(`seed ${options.seed}: ${differs}\n  after ${told.join('\n        ')}`)
    }
    tally.invoices += pair.model.invoices.length
  }
  return tally
}

interface Pair {
  readonly account: BillingAccount
  readonly model: Account
  readonly clockId: string
}

async function open(world: BillingWorld, random: Random): Promise<Pair> {
  const account = await world.sibling()
  const made = await account.post('/billing/clocks', { name: 'model' })
  expectStatus(made, 201)
  const { id, now } = made.data.clock
  // The days that short months lack are tried as well.
  const toMs = Date.parse(now) + random.below(40) * DAY_MS + 1
  expectStatus(await account.post(`/billing/clocks/${id}/advance`, { to: new Date(toMs).toISOString() }), 200)
  return { account, model: new Account(toMs), clockId: id }
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

async function command(random: Random, { account, model, clockId }: Pair): Promise<Done> {
  const id = (await account.subscription())?.id ?? NONE
  const at = `/billing/subscriptions/${id}`
  const done = async (text: string, verdict: Verdict, sent: Promise<Answer>): Promise<Done> => ({
    text,
    verdict,
    answer: codeOf(await sent),
  })
  const { live } = model
  const kind = live === null && random.below(3) > 0 ? 0 : random.below(13)
  switch (kind) {
    case 0: {
      const [planId, interval] = [random.pick(PLANS), random.pick(EVERY)]
      const sent = account.post('/billing/subscriptions', { planId, interval })
      return done(`subscribe ${planId} ${interval}`, model.subscribe(planId, interval), sent)
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
      const [bundleId, quantity] = [random.pick(ADDONS), 1 + random.below(4)]
      const sent = account.post(`${at}/addons`, { bundleId, quantity })
      return done(`${quantity} ${bundleId}`, model.setAddon(bundleId, BigInt(quantity)), sent)
    }
    case 8: {
      const bundleId = random.pick(ADDONS)
      return done(`no ${bundleId}`, model.removeAddon(bundleId), account.call('DELETE', `${at}/addons/${bundleId}`))
    }
    case 9: {
      const [code, cents] = random.pick(CODES)
      return done(`redeem ${code}`, model.redeem(code, cents), account.post(`${at}/discounts`, { code }))
    }
    case 10: {
      const { world, person } = account
      return done('cancel', model.setEnding(true), world.confirmed('POST', `${at}/cancel`, undefined, person))
    }
    case 11:
      return done('reactivate', model.setEnding(false), account.post(`${at}/reactivate`))
    default: {
      const toMs = model.nowMs + 1 + random.below(50 * DAY_MS)
      model.advance(toMs)
      const sent = account.post(`/billing/clocks/${clockId}/advance`, { to: new Date(toMs).toISOString() })
      return done(`until ${new Date(toMs).toISOString()}`, null, sent)
    }
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
    ['tier', quota.tier, live?.plan ?? 'developer'],
    [
      'limits',
      ['pipelines', 'apiCalls', 'seats'].map((type) => String(usage.find((each) => each.type === type)?.limit)),
      model.limits().map(String),
    ],
  ]
  const wrong = pairs.find(([, server, own]) => JSON.stringify(server) !== JSON.stringify(own))
  return wrong === undefined ? null : `${wrong[0]}: ${JSON.stringify(wrong[1])}, and not ${JSON.stringify(wrong[2])}`
}

interface Shown {
  readonly subtotalCents: number
  readonly creditCents: number
  readonly totalCents: number
  readonly status: string
}

const invoiceText = ({ subtotalCents, creditCents, totalCents, status }: Shown): string =>
  `${subtotalCents} ${creditCents} ${totalCents} ${status}`

// biome-ignore lint/suspicious/noExplicitAny: an answer
const factsOf = (shown: any) => ({
  plan: shown.planId,
  every: shown.interval,
  status: shown.status,
  from: shown.currentPeriodStart,
  to: shown.currentPeriodEnd,
  isEnding: shown.cancelAtPeriodEnd,
  addons: shown.addons.map(
    ({ bundleId, quantity }: { bundleId: string; quantity: number }) => `${bundleId} ${quantity}`,
  ),
  pending: shown.pendingChange?.interval ?? null,
})

function modelFacts({ live }: Account) {
  if (live === null) return null
  return {
    plan: live.plan,
    every: live.every,
    status: 'active',
    from: new Date(live.startMs).toISOString(),
    to: new Date(live.endMs).toISOString(),
    isEnding: live.isEnding,
    addons: [...live.addons].map(([id, quantity]) => `${id} ${quantity}`).sort(),
    pending: live.pending?.every ?? null,
  }
}
