/**
 * Buys, changes, removes and previews an add-on. The gates run in a fixed order, and the first that is closed is the
 * answer. Otherwise the result describes what the account would have and pay.
 */
import { cascade } from '../addons/cascade.js'
import { isCovered } from '../addons/hold.js'
import { quantityOf, withQuantity } from '../addons/list.js'
import { MAX_QUANTITY } from '../catalogue/bundles.js'
import { findBundle, planOf } from '../catalogue/lookup.js'
import type { Addon, Bundle, Catalogue } from '../catalogue/types.js'
import type { BundleId, ComboId, Feature, Limits, SoldTier } from '../catalogue/vocabulary.js'
import { type AppliedCombo, compareCombos, pack } from '../combos/pack.js'
import { cappedFields, type Overage, overages, type Usage } from '../entitlements/entitlement.js'
import type { Step } from '../explain/step.js'
import { effectiveLimits } from '../limits/effective.js'
import type { Cents } from '../money/cents.js'
import type { Interval } from '../period/interval.js'
import { type Quote, quote } from '../quote/quote.js'
import { accept, invalid, type Refused, type Result, refuse, show } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'

export interface AddonHolder {
  readonly planId: SoldTier
  readonly interval: Interval
  readonly addons: readonly Addon[]
}

export interface AddonContext {
  readonly bundlesEnabled: boolean
  /** False with the marketplace, where add-ons are bought elsewhere. */
  readonly selfService: boolean
  readonly subscription: AddonHolder | null
  /** `unchecked`: the provider has no such check, so buying is allowed. */
  readonly paymentMethod: 'present' | 'absent' | 'unchecked'
  /** Null when usage could not be read. A change that lowers a cap is then refused. */
  readonly usage: Usage | null
}

export interface ComboChange {
  readonly comboId: ComboId
  readonly name: string
  readonly creditCents: Cents
}

export interface AddonChange {
  /** Whether the change was committed or only previewed. */
  readonly mode: 'preview' | 'commit'
  readonly addons: readonly Addon[]
  /** Add-ons that were removed because their requirement was removed. */
  readonly cascaded: readonly { readonly bundleId: BundleId; readonly cascadedFrom: BundleId }[]
  readonly effectiveLimits: Limits
  readonly features: readonly Feature[]
  readonly quote: Quote
  readonly lostCombos: readonly ComboChange[]
  readonly gainedCombos: readonly ComboChange[]
  /** Only a preview can have overages: a commit is refused instead. */
  readonly overages: readonly Overage[]
  readonly needsPaymentMethod: boolean
  readonly steps: readonly Step[]
}

/**
 * Sets an add-on to an absolute quantity. An absent `quantity` is 1. A quantity of 0 counts as 1 on commit, and as a
 * removal in a preview.
 */
export function setAddon(
  catalogue: Catalogue,
  context: AddonContext,
  body: { readonly bundleId?: unknown; readonly quantity?: unknown },
  mode: 'preview' | 'commit',
): Result<AddonChange> {
  const closed = surfaceGates(context)
  if (closed !== null) return closed
  if (body.bundleId === undefined)
    return refuse('MISSING_REQUIRED_FIELD', 'bundleId is required', { field: 'bundleId' })
  const { bundleId } = body
  const asked = body.quantity ?? 1
  if (typeof bundleId !== 'string') return invalid('bundleId', `bundleId must be a text, not ${show(bundleId)}`)
  if (typeof asked !== 'number' || !Number.isSafeInteger(asked) || asked < 0 || asked > MAX_QUANTITY) {
    return invalid('quantity', `quantity must be a whole number from 0 to ${MAX_QUANTITY}, not ${show(asked)}`)
  }
  const { subscription } = context
  if (subscription === null) return refuse('NOT_FOUND', 'the account has no subscription')
  const bundle = findBundle(catalogue, bundleId)
  if (bundle === undefined) return unknownBundle(catalogue, bundleId)
  const wanted = mode === 'commit' ? Math.max(1, asked) : asked
  const quantity = bundle.stackable ? wanted : Math.min(1, wanted)
  const held = quantityOf(subscription.addons, bundleId)
  const refused = purchaseGates(catalogue, subscription, bundle, held, quantity)
  if (refused !== null) return refused
  const needsPaymentMethod = quantity > held && context.paymentMethod === 'absent'
  if (needsPaymentMethod && mode === 'commit') {
    return refuse('PAYMENT_METHOD_REQUIRED', 'a payment method is required before add-ons can be bought')
  }
  const steps: Step[] = [{ kind: 'addon_set', bundleId, before: held, after: quantity }]
  const addons = withQuantity(catalogue, subscription.addons, bundleId, quantity)
  return describe(catalogue, context, subscription, addons, mode, needsPaymentMethod, steps)
}

/** Removes an add-on and the add-ons that required it. An add-on that is not held is refused with 404. */
export function removeAddon(catalogue: Catalogue, context: AddonContext, bundleId: BundleId): Result<AddonChange> {
  const closed = surfaceGates(context)
  if (closed !== null) return closed
  const { subscription } = context
  if (subscription === null) return refuse('NOT_FOUND', 'the account has no subscription')
  const held = quantityOf(subscription.addons, bundleId)
  if (held === 0) return refuse('NOT_FOUND', `the subscription holds no ${show(bundleId)}`, { field: 'bundleId' })
  const steps: Step[] = [{ kind: 'addon_set', bundleId, before: held, after: 0 }]
  const addons = withQuantity(catalogue, subscription.addons, bundleId, 0)
  return describe(catalogue, context, subscription, addons, 'commit', false, steps)
}

function surfaceGates(context: AddonContext): Refused | null {
  if (!context.bundlesEnabled) return refuse('NOT_FOUND', 'add-ons are not offered here')
  if (!context.selfService) {
    return refuse('SELF_SERVICE_DISABLED', 'add-ons of this account are bought at the marketplace')
  }
  return null
}

/**
 * Checks that the tier sells the bundle (a held quantity may decrease), that the quantity is allowed, and that the
 * requirement is met.
 */
function purchaseGates(
  catalogue: Catalogue,
  subscription: AddonHolder,
  bundle: Bundle,
  held: number,
  quantity: number,
): Refused | null {
  if (quantity > held && !bundle.tiers.includes(subscription.planId)) {
    return invalid('bundleId', `bundleId ${bundle.id} is not sold on tier ${subscription.planId}`, {
      tiers: bundle.tiers,
    })
  }
  if (quantity > bundle.max) {
    return invalid('quantity', `quantity of ${bundle.id} must be at most ${bundle.max}, not ${quantity}`)
  }
  if (quantity === 0) return null
  const tierFeatures = catalogue.tiers[subscription.planId].features
  const isHeld = (id: BundleId): boolean => quantityOf(subscription.addons, id) > 0
  const missing = bundle.requires.filter((id) => !isCovered(catalogue, id, isHeld, tierFeatures))
  if (missing.length === 0) return null
  return invalid('bundleId', `bundleId ${bundle.id} requires ${missing.join(' and ')}; add that first`, { missing })
}

function unknownBundle(catalogue: Catalogue, bundleId: string): Refused {
  const near = didYouMean(
    bundleId,
    catalogue.bundles.map((bundle) => bundle.id),
  )
  return invalid('bundleId', `bundleId must name a bundle, not ${show(bundleId)}${near}`)
}

function describe(
  catalogue: Catalogue,
  context: AddonContext,
  subscription: AddonHolder,
  wanted: readonly Addon[],
  mode: 'preview' | 'commit',
  needsPaymentMethod: boolean,
  steps: Step[],
): Result<AddonChange> {
  const { tier } = planOf(catalogue, subscription.planId)
  const { kept, removed } = cascade(catalogue, tier, wanted, steps)
  const before = effectiveLimits(catalogue, tier, subscription.addons)
  const after = effectiveLimits(catalogue, tier, kept)
  const over = loweredOverages(before.limits, after.limits, context.usage)
  if (over === null && mode === 'commit') {
    return refuse('SERVICE_UNAVAILABLE', 'usage cannot be read now, so caps cannot be lowered; try again')
  }
  if (over !== null && over.length > 0 && mode === 'commit') {
    return refuse('ADDON_OVER_CAP', describeOverages(over), { details: { overages: over } })
  }
  const priced = quote(catalogue, { planId: subscription.planId, interval: subscription.interval, addons: kept })
  const { lost, gained } = compareCombos(pack(catalogue, subscription.addons, subscription.interval), priced.packing)
  return accept({
    mode,
    addons: kept,
    cascaded: removed,
    effectiveLimits: after.limits,
    features: after.features,
    quote: priced,
    lostCombos: lost.map(toComboChange),
    gainedCombos: gained.map(toComboChange),
    overages: over ?? [],
    needsPaymentMethod,
    steps: [...steps, ...after.steps, ...priced.steps],
  })
}

/**
 * Returns the overages on caps that the change lowers; null when usage is unknown and a cap is lowered. An account that
 * exceeds a cap for another reason may still buy add-ons.
 */
export function loweredOverages(before: Limits, after: Limits, usage: Usage | null): readonly Overage[] | null {
  const lowered = cappedFields.filter(
    (field) => after[field] !== -1 && (before[field] === -1 || after[field] < before[field]),
  )
  if (lowered.length === 0) return []
  if (usage === null) return null
  return overages(after, usage).filter((overage) => lowered.includes(overage.quotaType))
}

export function describeOverages(over: readonly Overage[]): string {
  return over
    .map(
      ({ quotaType, currentUsage, targetCap }) => `${quotaType} in use: ${currentUsage}, allowed after: ${targetCap}`,
    )
    .join('; ')
}

function toComboChange({ comboId, name, savingCents }: AppliedCombo): ComboChange {
  return { comboId, name, creditCents: savingCents }
}
