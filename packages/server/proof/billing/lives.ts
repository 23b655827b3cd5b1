/**
 * Lives of sandbox accounts by the test clock. The invoice that is shown is, line by line, the one that is drawn; and one leap of the
 * clock leaves what any partition of it leaves.
 */
import type { Store } from '../../src/runtime/store/db.js'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../test/support/billing.js'
import { createRandom, type Random } from '../world/random.js'
import { differenceOf } from './difference.js'
import { FEATURES, PACKS } from './model.js'

const PLANS = ['pro', 'team', 'enterprise'] as const
const ADDONS = [...Object.keys(PACKS), ...Object.keys(FEATURES)]
const YEARS_2_DAYS = 731

/** @throws Error that says which account of which seed, and what differs */
export async function provePreviews(store: Store, { previews, seed }: { previews: number; seed: number }) {
  const world = await openWorld(store)
  const random = createRandom(seed)
  const tally = { previews: 0, accounts: 0, changes: 0 }
  while (tally.previews < previews) {
    tally.accounts++
    const life = await begin(world, random, choicesOf(random))
    const told: string[] = []
    for (let day = 0; day < YEARS_2_DAYS && tally.previews < previews; ) {
      const change = await changeAsShown(life, random)
      if (change !== null) {
        tally.changes++
        told.push(change.text)
        if (change.differs !== null) throw new Error(`seed ${seed}, ${told.join(', ')}: ${change.differs}`)
      }
      const shown = (await life.account.get('/billing/invoices/next')).data.invoice
      const days = 20 + random.below(80)
      day += days
      told.push(`${days} days`)
      await advance(life, days)
      tally.previews++
      const differs = shown === null ? null : await differsFromDrawn(life, shown)
      if (differs !== null) throw new Error(`seed ${seed}, ${told.join(', ')}: ${differs}`)
    }
  }
  return tally
}

/** @throws Error that says which life of which seed, and what differs */
export async function proveLeaps(store: Store, { leaps, seed }: { leaps: number; seed: number }) {
  const world = await openWorld(store)
  const random = createRandom(seed)
  let stops = 0
  for (let run = 0; run < leaps; run++) {
    const choices = choicesOf(random)
    const days = 60 + random.below(YEARS_2_DAYS)
    const partition = Array.from({ length: 1 + random.below(4) }, () => 1 + random.below(days - 1)).sort(
      (a, b) => a - b,
    )
    stops += partition.length
    const once = await livedThrough(world, random, choices, [days])
    const often = await livedThrough(world, random, choices, [...new Set([...partition, days])])
    const differs = differenceOf(often, once)
    if (differs !== null)
      throw new Error(`seed ${seed}, run ${run}, ${JSON.stringify(choices)} by ${partition}: ${differs}`)
  }
  return { leaps, stops }
}

/** Its trial, its card that declines, what it redeems. */
const openWorld = (store: Store): Promise<BillingWorld> =>
  BillingWorld.start(store, {
    BILLING_TEST_CLOCKS: 'true',
    BILLING_PLAN_TEAM_TRIAL_DAYS: '14',
  }).then(async (world) => {
    for (const { alias, code } of DISCOUNTS) {
      const made = await world.call('POST', '/billing/admin/discounts', { code, alias, sandbox: true })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    }
    return world
  })

const DISCOUNTS = [
  { alias: 'LIFE50', code: '50:dollar:onetime' },
  { alias: 'LIFE20', code: '20:percent:recurring' },
] as const

interface Life {
  readonly account: BillingAccount
  readonly clockId: string
  readonly id: string
  readonly startMs: number
  nowMs: number
}

interface Choices {
  readonly planId: string
  readonly interval: string
  readonly addons: readonly { readonly bundleId: string; readonly quantity: number }[]
  readonly ends: boolean
  readonly code: string | null
  readonly failing: { readonly from: number; readonly lasts: number } | null
}

function choicesOf(random: Random): Choices {
  const planId = random.pick(PLANS)
  const wanted = ADDONS.filter(() => random.below(3) === 0)
  return {
    planId,
    interval: random.pick(['monthly', 'monthly', 'annual']),
    addons: wanted.map((bundleId) => ({ bundleId, quantity: bundleId in FEATURES ? 1 : 1 + random.below(3) })),
    ends: random.below(6) === 0,
    code: random.pick([null, ...DISCOUNTS.map(({ alias }) => alias)]),
    failing: random.below(4) === 0 ? { from: random.below(50), lasts: 1 + random.below(40) } : null,
  }
}

async function begin(world: BillingWorld, random: Random, choices: Choices): Promise<Life> {
  const account = await world.sibling()
  const { id: clockId, now } = (await account.post('/billing/clocks', { name: 'life' })).data.clock
  const { planId, interval, addons, code } = choices
  const { id } = await account.subscribe(planId, { interval })
  const at = `/billing/subscriptions/${id}`
  // Those that the plan does not sell are refused, here as there.
  for (const each of addons) await account.post(`${at}/addons`, each)
  if (code !== null) await account.post(`${at}/discounts`, { code })
  random.next()
  const nowMs = Date.parse(now)
  return { account, clockId, id, startMs: nowMs, nowMs }
}

const iso = (ms: number): string => new Date(ms).toISOString()

async function advance(life: Life, days: number): Promise<void> {
  life.nowMs += days * DAY_MS
  const answer = await life.account.post(`/billing/clocks/${life.clockId}/advance`, { to: iso(life.nowMs) })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

/** A change with the token of its preview costs what was shown. */
async function changeAsShown({ account, id }: Life, random: Random) {
  if (random.below(2) === 0) return null
  const at = `/billing/subscriptions/${id}`
  const bundleId = random.pick(ADDONS)
  const body = { bundleId, quantity: bundleId in FEATURES ? 1 : 1 + random.below(4) }
  const shown = await account.post(`${at}/addons/preview`, body)
  const before = (await account.get('/billing/invoices?limit=1')).data.pagination.total
  const done = await account.post(`${at}/addons`, { ...body, previewToken: shown.data?.previewToken })
  const { invoices, pagination } = (await account.get('/billing/invoices?limit=1')).data
  const text = `${body.quantity} ${bundleId}`
  if (shown.status !== 200) {
    const isRefused = done.status >= 400
    return { text, differs: isRefused ? null : `previewed with ${shown.code}, done with ${done.status}` }
  }
  if (done.status !== 200) return { text, differs: `shown, and refused with ${done.code}` }
  const drawn = pagination.total === before ? null : invoices[0]
  return { text, differs: moneyDiffers(drawn, shown.data.invoiceNow) }
}

const FIELDS = ['lines', 'subtotalCents', 'creditCents', 'totalCents'] as const

// biome-ignore lint/suspicious/noExplicitAny: invoices as they are answered
function moneyDiffers(drawn: any, shown: any): string | null {
  if (drawn === null || shown === null) {
    return drawn === shown ? null : `shown ${JSON.stringify(shown)}, drawn ${JSON.stringify(drawn)}`
  }
  const of = (invoice: Record<string, unknown>) => Object.fromEntries(FIELDS.map((name) => [name, invoice[name]]))
  return differenceOf(of(drawn), of(shown))
}

// biome-ignore lint/suspicious/noExplicitAny: an invoice as it is answered
async function differsFromDrawn({ account }: Life, shown: any): Promise<string | null> {
  const { invoices } = (await account.get('/billing/invoices?limit=100')).data
  const drawn = invoices.find((each: { createdAt: string }) => each.createdAt === shown.dueAt)
  return drawn === undefined ? null : moneyDiffers(drawn, shown)
}

async function livedThrough(world: BillingWorld, random: Random, choices: Choices, days: readonly number[]) {
  const life = await begin(world, random, choices)
  const { account, startMs } = life
  const { failing, ends } = choices
  if (failing !== null) {
    const from = startMs + failing.from * DAY_MS
    const body = { from: iso(from), until: iso(from + failing.lasts * DAY_MS) }
    await account.post(`/billing/clocks/${life.clockId}/fail-payments`, body)
  }
  if (ends) await account.cancel()
  let at = 0
  for (const day of days) {
    await advance(life, day - at)
    at = day
  }
  const { invoices } = (await account.get('/billing/invoices?limit=1000')).data
  const since = (text: string): number => Date.parse(text) - startMs
  const subscription = await account.subscription()
  return {
    invoices: invoices.map((each: Record<string, unknown>) => [
      since(each['createdAt'] as string),
      ...['subtotalCents', 'creditCents', 'totalCents', 'status'].map((name) => each[name]),
    ]),
    subscription: [subscription?.status, subscription?.planId, subscription?.creditBalanceCents],
    events: (await account.events()).map(({ type, createdAt }) => [type, since(createdAt)]),
  }
}
