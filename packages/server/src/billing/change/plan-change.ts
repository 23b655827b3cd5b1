/**
 * Computes what a change of plan, interval or add-ons would do, once for the preview and for the change itself, so that
 * the amount shown is the amount charged.
 */
import {
  type AppliedCombo,
  type Cents,
  cents,
  changePlan,
  compareCombos,
  type DrawnInvoice,
  drawInvoice,
  type EffectiveLimits,
  effectiveLimits,
  type Holding,
  loweredOverages,
  type NextInvoice,
  nextInvoice,
  type Overage,
  type PrunedAddon,
  pack,
  periodEnd,
  priceLines,
  prorate,
  pruneForTier,
  quantityOf,
  sum,
  ZERO,
} from '@plumbline/billing-core'
import { toIso } from '../../runtime/clock.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Settings } from '../../runtime/settings/load.js'
import { granted, toRefusal } from '../account/gate.js'
import { type Cascaded, NO_USAGE, setInOrder } from '../account/set-addons.js'
import { at, isSameHolding, toCore } from '../account/subscription.js'
import { invoiceAccount, pendingOf } from '../invoice/account.js'
import { promisedCents } from '../promotion/promised.js'
import { isFree } from '../provider/things.js'
import type { PendingChange, SubscriptionRow } from '../tables.js'
import type { ChangeFacts } from './change-facts.js'
import { secondWithinPeriod, withinPeriod } from './within-period.js'

export const WHENS = ['now', 'period_end'] as const
export type When = (typeof WHENS)[number]

/** An add-on at an absolute quantity; 0 removes it. */
export interface AskedAddon {
  readonly bundleId: string
  readonly quantity: number
}

export interface Asked {
  readonly planId?: string
  readonly interval?: string
  readonly when?: When
  /** These add-ons are set; the others stay. */
  readonly addons?: readonly AskedAddon[]
  /** The request names one add-on in its own fields, and not in a list. */
  readonly isOneAddon?: boolean
}

export interface PlannedChange {
  readonly when: When
  readonly after: Holding
  /** The change that is pending for the next period afterwards. */
  readonly pendingChange: PendingChange | null
  readonly pruned: readonly PrunedAddon[]
  readonly cascaded: readonly Cascaded[]
  readonly overages: readonly Overage[]
  readonly effective: EffectiveLimits
  readonly lostCombos: readonly AppliedCombo[]
  readonly gainedCombos: readonly AppliedCombo[]
  /** The invoice that is drawn with the change; null when there is none. */
  readonly invoiceNow: DrawnInvoice | null
  readonly nextInvoice: NextInvoice | null
}

/**
 * Plans a change. Exceeded limits are listed and do not refuse it here.
 *
 * @throws Refusal 400; 409 for a change at once while another one waits at the provider.
 */
export function planTheChange(
  runtime: Pick<Runtime, 'settings'>,
  row: SubscriptionRow,
  asked: Asked,
  given: ChangeFacts,
): PlannedChange {
  const { tiers } = runtime.settings
  const before = toCore(row)
  const moved = moveTo(runtime, heldThen(row, asked), asked)
  const { addons, cascaded } = setAddons(runtime, moved, asked.addons ?? [], asked.isOneAddon)
  const after: Holding = { planId: moved.planId, interval: moved.interval, addons }
  const begins = given.charging === 'begins' && !isFree(after)
  const when = begins ? beginsNow(asked) : whenOf(before, after, asked)
  const isThere = given.charging === 'there'
  if (begins || isThere) given.requireSellable(after)
  if (isThere && when === 'now' && !isSameHolding(row, after)) requireNothingWaits(row, given)
  const effective = effectiveLimits(tiers, after.planId, addons)
  const { limits } = effectiveLimits(tiers, before.planId, before.addons)
  const combos = compareCombos(pack(tiers, before.addons, before.interval), pack(tiers, after.addons, after.interval))
  return {
    when,
    after,
    pruned: moved.pruned,
    cascaded,
    overages: loweredOverages(limits, effective.limits, given.usage) ?? [],
    effective,
    lostCombos: combos.lost,
    gainedCombos: combos.gained,
    ...(begins ? firstInvoicesOf(runtime, row, after, given) : invoicesOf(runtime, row, { asked, when, after }, given)),
  }
}

/** What add-ons are set in: for the end of the period in the change that waits for it, so that both take effect then. */
export function heldThen(row: SubscriptionRow, { planId, interval, when }: Omit<Asked, 'addons'>): Holding {
  const isOfAddons = planId === undefined && interval === undefined
  // guard: what-waits-is-kept-when-add-ons-wait-too
  const waiting = isOfAddons && when === 'period_end' ? pendingOf(row) : null
  return waiting ?? toCore(row)
}

interface Moved extends Holding {
  readonly pruned: readonly PrunedAddon[]
}

function moveTo({ settings: { tiers } }: Pick<Runtime, 'settings'>, before: Holding, asked: Asked): Moved {
  const { planId, interval, addons } = asked
  if (planId === undefined && interval === undefined && addons !== undefined) return { ...before, pruned: [] }
  return granted(changePlan(tiers, before, { planId, interval }, NO_USAGE))
}

/**
 * Sets the named add-ons to their quantities, as `setInOrder` does.
 *
 * @throws Refusal 400 for an add-on that is unknown, not sold, above its maximum or without its requirement; 404 while
 * add-ons are off.
 */
export function setAddons(
  { settings }: Pick<Runtime, 'settings'>,
  holding: Holding,
  asked: readonly AskedAddon[],
  isOneAddon = false,
): { readonly addons: Holding['addons']; readonly cascaded: readonly Cascaded[] } {
  const { tiers, BILLING_BUNDLES_ENABLED: bundlesEnabled } = settings
  const twice = asked.findIndex(
    (each, index) => asked.findIndex(({ bundleId }) => bundleId === each.bundleId) !== index,
  )
  if (twice !== -1) throw invalidField(`/body/addons/${twice}/bundleId`, 'must not be named twice')
  const set = setInOrder(tiers, holding, asked, bundlesEnabled)
  if (!set.ok) throw toRefusal(set.refusal, isOneAddon ? '/body' : `/body/addons/${set.index}`)
  return set
}

/** @throws Refusal 409 when the first paid period is asked for later. */
function beginsNow({ when = 'now' }: Asked): When {
  // guard: what-begins-at-the-provider-begins-now
  if (when === 'now') return when
  throw new Refusal(
    'CONFLICT',
    'the account pays for no period yet that a change could wait for: ask without `when`, and the first one begins now',
    { details: { reason: 'nothing_paid' } },
  )
}

/**
 * What waits for the end of the period is told to the provider at once, without a charge. A change that is charged would
 * be reckoned from there, and not from what is paid. For another interval the provider holds the period, also after the
 * change was withdrawn.
 *
 * @throws Refusal 409 while a change waits, or the period is held.
 */
function requireNothingWaits(
  { pendingChange, interval, currentPeriodEndMs }: SubscriptionRow,
  { isPeriodHeld }: ChangeFacts,
): void {
  const until = toIso(currentPeriodEndMs)
  // guard: what-is-held-is-refused-before-it-is-asked
  if (isPeriodHeld || (pendingChange !== null && pendingChange.interval !== interval)) {
    throw new Refusal(
      'CONFLICT',
      `this period is held until ${until} for the change of the interval: ask with \`when: "period_end"\`, or after that`,
      { details: { reason: 'period_held' } },
    )
  }
  // guard: what-waits-at-the-provider-is-not-prorated
  if (pendingChange === null) return
  throw new Refusal(
    'CONFLICT',
    `a change waits until ${until}: ask with \`when: "period_end"\`, or withdraw it first with DELETE /billing/subscriptions/:id/pending-change`,
    { details: { reason: 'change_waits' } },
  )
}

function whenOf(before: Holding, after: Holding, asked: Asked): When {
  const isOtherInterval = after.interval !== before.interval
  if (isOtherInterval && asked.when === 'now') {
    throw invalidField(
      '/body/when',
      'must be `period_end` for another interval: it begins with the next period',
      'when',
    )
  }
  return asked.when ?? (isOtherInterval ? 'period_end' : 'now')
}

type Invoices = Pick<PlannedChange, 'invoiceNow' | 'nextInvoice' | 'pendingChange'>

/** A provider charges what begins with it for a whole period. Credit is told to the provider after that. */
function firstInvoicesOf(
  runtime: Pick<Runtime, 'settings'>,
  row: SubscriptionRow,
  after: Holding,
  given: ChangeFacts,
): Invoices {
  const { tiers } = runtime.settings
  const start = at(given.atMs)
  const period = { periodAnchor: start, currentPeriodStart: start, currentPeriodEnd: periodEnd(start, after.interval) }
  const subscription = { ...toCore(row), ...after, ...period, cancelAtPeriodEnd: false }
  const availableCents = withPromised(runtime, cents(row.balanceCents), { row, after }, given)
  const beginning = { subscription, availableCents, pendingChange: null, lastGrantedPeriodStart: start }
  const own = { ...invoiceAccount(row, given.sources), ...beginning }
  return {
    invoiceNow: drawInvoice(priceLines(tiers, after), ZERO),
    nextInvoice: nextInvoice(tiers, own, start),
    pendingChange: null,
  }
}

function invoicesOf(
  runtime: Pick<Runtime, 'settings'>,
  row: SubscriptionRow,
  { asked, when, after }: { readonly asked: Asked; readonly when: When; readonly after: Holding },
  given: ChangeFacts,
): Invoices {
  const { tiers } = runtime.settings
  const { atMs, sources, charging } = given
  const before = toCore(row)
  const own = invoiceAccount(row, sources)
  const takesBack = takesBackCredit(runtime, { before: row, when, after })
  if (when === 'period_end') {
    const next = nextInvoice(tiers, { ...own, takesBack, pendingChange: after }, at(atMs))
    return { invoiceNow: null, nextInvoice: next, pendingChange: { ...after } }
  }
  const waiting = asked.planId === undefined && asked.interval === undefined ? pendingOf(row) : null
  // A pending change stays pending when add-ons change, and includes them.
  const merged = waiting === null ? null : mergedChange(tiers, before, after, waiting)
  const pending = merged === null || isSameHolding(after, merged) ? null : merged
  const period = { start: before.currentPeriodStart, end: before.currentPeriodEnd }
  // A trial is free, so it is not prorated.
  const proratedAt = at(charging === 'there' ? secondWithinPeriod(row, atMs) : withinPeriod(row, atMs))
  const lines = before.status === 'trialing' ? [] : granted(prorate(tiers, before, after, period, proratedAt)).lines
  const knownCents = cents(own.availableCents - given.untoldCents)
  const invoiceNow = lines.length === 0 ? null : drawInvoice(lines, knownCents)
  const subscription = { ...before, ...after }
  const left = cents((invoiceNow?.creditRemainingCents ?? knownCents) + given.untoldCents)
  const availableCents = withPromised(runtime, left, { row, after }, given)
  const then = { ...own, takesBack, subscription, pendingChange: pending, availableCents }
  const next = nextInvoice(tiers, then, at(atMs))
  return { invoiceNow, nextInvoice: next, pendingChange: pending }
}

/**
 * Whether a change takes back credit of combos that was granted when the coming invoice was announced. The invoice of a
 * change that raises the price at once uses that credit, so it stays.
 */
export function takesBackCredit(
  { settings: { tiers } }: Pick<Runtime, 'settings'>,
  { before, when, after }: { readonly before: SubscriptionRow; readonly when: When; readonly after: Holding },
): boolean {
  if (when === 'period_end') return true
  const priceOf = (holding: Holding) => sum(priceLines(tiers, holding).map((line) => line.cents))
  // guard: credit-for-a-higher-price-stays
  return priceOf(after) <= priceOf(toCore(before))
}

/** The credit that is left after the change, with what promotions grant for it. */
function withPromised(
  runtime: Pick<Runtime, 'settings'>,
  left: Cents,
  { row, after: { planId, interval } }: { readonly row: SubscriptionRow; readonly after: Holding },
  { promised, atMs }: ChangeFacts,
): Cents {
  if (planId === row.planId) return left
  const earned = promisedCents(runtime, promised, { ...row, planId, interval }, { trigger: 'plan_change', atMs })
  return cents(left + earned)
}

/** What waits, with the add-ons that change now at their new quantity. Those that were scheduled stay scheduled. */
function mergedChange(tiers: Settings['tiers'], before: Holding, after: Holding, waiting: Holding): Holding {
  const isChanged = (bundleId: string) => quantityOf(before.addons, bundleId) !== quantityOf(after.addons, bundleId)
  const addons = [
    ...after.addons.filter(({ bundleId }) => isChanged(bundleId)),
    ...waiting.addons.filter(({ bundleId }) => !isChanged(bundleId)),
  ].sort((a, b) => (a.bundleId < b.bundleId ? -1 : 1))
  return { ...waiting, addons: pruneForTier(tiers, after.planId, waiting.planId, addons).kept }
}

/** @throws Refusal 409 with every exceeded limit; `ADDON_OVER_CAP` when only add-ons change. */
export function refuseOverages(
  overages: readonly Overage[],
  code: 'PLAN_OVER_CAP' | 'ADDON_OVER_CAP' = 'PLAN_OVER_CAP',
): void {
  if (overages.length === 0) return
  const texts = overages.map(({ quotaType, currentUsage, targetCap }) => `${quotaType} ${currentUsage} of ${targetCap}`)
  const after = code === 'PLAN_OVER_CAP' ? 'the limits of the plan' : 'the limits without the add-on'
  throw new Refusal(code, `the usage is above ${after}: ${texts.join(', ')}; reduce it first`, {
    details: { overages },
  })
}

/**
 * Returns what of a change is left to do; null when the account holds it already. What is asked for the end of the period
 * and is the current state withdraws the change that waits.
 */
export function leftToDo(row: SubscriptionRow, planned: PlannedChange, isPlan = false): PlannedChange | null {
  if (!isSameHolding(row, planned.after)) return planned
  if (row.pendingChange === null || (planned.when === 'now' && !isPlan)) return null
  return { ...planned, when: 'period_end', pendingChange: null }
}
