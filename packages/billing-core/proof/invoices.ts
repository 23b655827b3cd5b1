/**
 * Two years of random accounts: before every roll the next invoice is asked for, then the roll is lived through on a
 * ledger (grants, drain) by an oracle that adds up in BigInt and knows only prices, grants and balances. What was shown
 * must be what was drawn, to the cent and the grant.
 */
import {
  apply,
  availableOf,
  type Catalogue,
  cents,
  consume,
  createSubscription,
  defaultCatalogue,
  grant,
  type Holding,
  type Instant,
  type InvoiceAccount,
  instant,
  type LedgerOutcome,
  type LedgerState,
  type NextInvoice,
  nextInvoice,
  openLedger,
  type ProrationLine,
  planPeriodRoll,
  prorate,
  type Result,
  type Subscription,
  soldTiers,
  transition,
} from '../src/index.js'
import { must, Random } from './random.js'

/** Returns how many invoices were compared. */
export function proveInvoices(accounts: number, seed: number): number {
  const random = new Random(seed)
  const catalogue = defaultCatalogue()
  let compared = 0
  for (let index = 0; index < accounts; index++) compared += liveTwoYears(catalogue, random)
  return compared
}

const BEGIN = instant('2026-01-31T08:30:00.000Z')
const END = instant('2028-01-31T08:30:00.000Z')

function liveTwoYears(catalogue: Catalogue, random: Random): number {
  const opened = openLedger([])
  if (!opened.ok) throw new Error('an empty ledger opens')
  const ledger = opened.state
  let rows = 0
  const id = (): string => `cr_${++rows}`
  let subscription = firstSubscription(catalogue, random)
  let granted: Instant | null = random.chance(0.5) ? BEGIN : null
  let compared = 0
  while (subscription.currentPeriodEnd < END) {
    const { currentPeriodStart: start, currentPeriodEnd: boundary } = subscription
    const prorations: ProrationLine[] = []
    if (random.chance(0.4)) {
      const to = { ...subscription, planId: random.pick(soldTiers), addons: randomAddons(catalogue, random) }
      const at = random.pick([start, boundary])
      prorations.push(...take(prorate(catalogue, subscription, to, { start, end: boundary }, at)).lines)
      subscription = { ...subscription, planId: to.planId, addons: to.addons }
    }
    const pendingChange: Holding | null = random.chance(0.2)
      ? {
          planId: random.pick(soldTiers),
          interval: random.pick(['monthly', 'annual']),
          addons: randomAddons(catalogue, random),
        }
      : null
    if (random.chance(0.3)) {
      const amount = cents(random.whole(1, 40_000))
      const command = { id: id(), orgId: 'org_a', subscriptionId: 'sub_1', sourceId: 'disc_9', at: start }
      commit(ledger, grant(ledger, { ...command, cents: amount, dedupeKey: `g:${start}` }))
    }
    const account: InvoiceAccount = {
      subscription,
      pendingChange,
      prorations,
      availableCents: availableOf(ledger, 'sub_1'),
      lastGrantedPeriodStart: granted,
      discount: null,
      promotions: [],
      isFirstSubscription: true,
      subscriptionStartedAt: BEGIN,
      creditSupported: true,
      hasPaymentMethod: true,
    }
    const shown = nextInvoice(catalogue, account, random.pick([start, boundary]))
    must(shown !== null, () => 'an active account has no next invoice')
    const holding = pendingChange ?? subscription
    subscription = take(
      transition({ ...subscription, ...holding }, { type: 'period_check', provider: { view: 'local' } }, boundary),
    ).subscription
    if (shown !== null) {
      must(
        shown.period?.start === subscription.currentPeriodStart && shown.period.end === subscription.currentPeriodEnd,
        () => `the invoice is for ${shown.period?.start}, the roll opens ${subscription.currentPeriodStart}`,
      )
      rollLedger(catalogue, ledger, shown, { subscription, prorations, granted, id })
    }
    granted = subscription.currentPeriodStart
    compared++
  }
  return compared
}

const firstSubscription = (catalogue: Catalogue, random: Random): Subscription => ({
  ...take(
    createSubscription(
      {
        id: 'sub_1',
        orgId: 'org_a',
        planId: random.pick(soldTiers),
        interval: random.chance(0.8) ? 'monthly' : 'annual',
        status: 'active',
        existing: null,
      },
      BEGIN,
    ),
  ).subscription,
  addons: randomAddons(catalogue, random),
})

/** What a roll writes, computed from prices alone; and then written. */
function rollLedger(
  catalogue: Catalogue,
  ledger: LedgerState,
  shown: NextInvoice,
  lived: {
    readonly subscription: Subscription
    readonly prorations: readonly ProrationLine[]
    readonly granted: Instant | null
    readonly id: () => string
  },
): void {
  const { subscription, prorations, granted, id } = lived
  const { planId, interval, addons, currentPeriodStart: at } = subscription
  const plan = catalogue.plans.find((each) => each.id === planId)
  let due = BigInt(plan?.prices[interval] ?? -1)
  for (const { bundleId, quantity } of addons) {
    due += BigInt(catalogue.bundles.find((each) => each.id === bundleId)?.prices[interval] ?? -1) * BigInt(quantity)
  }
  for (const line of prorations) due += BigInt(line.cents)
  const roll = planPeriodRoll(catalogue, {
    subscription: {
      planId,
      interval,
      addons,
      recurringDiscount: null,
      periodStart: at,
      lastGrantedPeriodStart: granted,
    },
    discount: null,
    promotions: [],
    account: {
      orgId: 'org_a',
      subscriptionId: 'sub_1',
      tier: planId,
      interval,
      planPriceCents: cents(0),
      isFirstSubscription: true,
      isEntitled: true,
      subscriptionStartedAt: at,
    },
    creditSupported: true,
    now: at,
  })
  const row = { orgId: 'org_a', subscriptionId: 'sub_1', at }
  for (const { sourceId, dedupeKey, cents: amount } of roll.grants) {
    commit(ledger, grant(ledger, { ...row, id: id(), sourceId, dedupeKey, cents: amount }))
  }
  must(JSON.stringify(roll.grants) === JSON.stringify(shown.grants), () => 'other grants were shown')
  const charged = due > 0n ? due : 0n
  const balance = BigInt(availableOf(ledger, 'sub_1'))
  const used = balance < charged ? balance : charged
  if (used > 0n) {
    const drain = {
      ...row,
      id: id(),
      sourceId: 'provider',
      dedupeKey: `inv:${at}`,
      cents: cents(Number(used)),
    } as const
    commit(ledger, consume(ledger, drain))
  }
  const carried = due < 0n ? 0n - due : 0n
  if (carried > 0n) {
    const back = { ...row, id: id(), sourceId: 'provider', dedupeKey: `carry:${at}`, cents: cents(Number(carried)) }
    commit(ledger, grant(ledger, back))
  }
  mustShow(shown, { charged, used, carried, remaining: availableOf(ledger, 'sub_1') })
}

interface Lived {
  readonly charged: bigint
  readonly used: bigint
  readonly carried: bigint
  readonly remaining: number
}

function mustShow(shown: NextInvoice, { charged, used, carried, remaining }: Lived): void {
  const [subtotal, total] = [BigInt(shown.subtotalCents), BigInt(shown.totalCents)]
  must(subtotal === charged, () => `subtotal ${shown.subtotalCents}, lived ${charged}`)
  must(BigInt(shown.creditUsedCents) === used, () => `credit ${shown.creditUsedCents}, lived ${used}`)
  must(total === charged - used, () => `total ${shown.totalCents}, lived ${charged - used}`)
  must(BigInt(shown.carriedCents) === carried, () => `carried ${shown.carriedCents}, lived ${carried}`)
  must(shown.creditRemainingCents === remaining, () => 'another balance was shown')
  must(
    shown.lines.reduce((sum, line) => sum + BigInt(line.cents), 0n) === total,
    () => 'the lines do not sum to the total',
  )
}

function randomAddons(catalogue: Catalogue, random: Random): Holding['addons'] {
  return catalogue.bundles
    .filter(() => random.chance(0.3))
    .map((bundle) => ({ bundleId: bundle.id, quantity: random.whole(1, Math.min(bundle.max, 4)) }))
}

function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}

function commit(ledger: LedgerState, result: Result<LedgerOutcome>): void {
  must(apply(ledger, take(result)).ok, () => 'an outcome does not apply')
}
