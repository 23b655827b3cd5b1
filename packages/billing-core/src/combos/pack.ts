/**
 * Selects the combos that apply: among all sets of satisfied combos in which every bundle is used at most once, a set
 * with the largest saving.
 *
 * The result is always exact. Of equal savings, the smallest list of sorted combo ids is chosen. A member is a bundle,
 * not a unit: two seat packs cannot count for two combos, and a combo applies once.
 */
import { sumQuantities } from '../addons/hold.js'
import { compareIds, type OfferedCombo, offeredCombos } from '../catalogue/lookup.js'
import type { Addon, Catalogue, ComboMember } from '../catalogue/types.js'
import type { BundleId, ComboId } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'
import { sum } from '../money/arithmetic.js'
import { type Cents, cents } from '../money/cents.js'
import { type Interval, parseInterval } from '../period/interval.js'
import { unwrap } from '../refusal/refusal.js'
import { heaviest, heaviestSet, type Items } from './best-set.js'

export interface AppliedCombo {
  readonly comboId: ComboId
  readonly name: string
  readonly members: readonly ComboMember[]
  readonly separateCents: Cents
  readonly togetherCents: Cents
  readonly savingCents: Cents
}

export interface Packing {
  readonly interval: Interval
  /** Sorted by saving in descending order, then by sort order, then by id. */
  readonly combos: readonly AppliedCombo[]
  readonly savingCents: Cents
  readonly steps: readonly Step[]
}

/**
 * Selects the combos that apply. Only add-ons that were bought count: a feature that the tier includes satisfies no
 * combo.
 *
 * @throws {RefusedError} for an unknown interval.
 */
export function pack(catalogue: Catalogue, addons: readonly Addon[], interval: Interval): Packing {
  unwrap(parseInterval(interval))
  const offered = offeredCombos(catalogue)
  const held = sumQuantities(catalogue, addons)
  const steps: Step[] = []
  let candidates = 0
  offered.forEach((offer, bit) => {
    const missing = missingMembers(offer, held)
    if (missing.length > 0) steps.push({ kind: 'combo_unsatisfied', comboId: offer.combo.id, missing })
    else if (offer.savings[interval] === 0) {
      steps.push({ kind: 'combo_without_saving', comboId: offer.combo.id, interval })
    } else candidates |= 1 << bit
  })
  const items: Items = {
    weights: offered.map((offer) => offer.savings[interval]),
    conflicts: offered.map((offer) => offer.conflicts),
  }
  const chosen = heaviestSet(items, candidates)
  const ranked = chosen
    .map((bit) => offered[bit] as OfferedCombo)
    .sort(
      (a, b) =>
        b.savings[interval] - a.savings[interval] ||
        a.combo.sortOrder - b.combo.sortOrder ||
        compareIds(a.combo.id, b.combo.id),
    )
  const combos = ranked.map((offer) => apply(offer, interval))
  const savingCents = sum(combos.map((combo) => combo.savingCents))
  explainOutbid(offered, items, candidates, chosen, savingCents, steps)
  for (const combo of combos) {
    steps.push({
      kind: 'combo_applied',
      comboId: combo.comboId,
      interval,
      separate: combo.separateCents,
      together: combo.togetherCents,
      saving: combo.savingCents,
    })
  }
  steps.push({ kind: 'combo_total', combos: combos.map((combo) => combo.comboId), saving: savingCents })
  return { interval, combos, savingCents, steps }
}

/** Returns which combos a change of add-ons loses and gains, in packing order. */
export function compareCombos(
  before: Packing,
  after: Packing,
): { readonly lost: readonly AppliedCombo[]; readonly gained: readonly AppliedCombo[] } {
  const absentFrom = (other: Packing) => (combo: AppliedCombo) =>
    !other.combos.some(({ comboId }) => comboId === combo.comboId)
  return { lost: before.combos.filter(absentFrom(after)), gained: after.combos.filter(absentFrom(before)) }
}

function missingMembers(
  { combo }: OfferedCombo,
  held: ReadonlyMap<BundleId, number>,
): readonly { bundleId: BundleId; held: number; needed: number }[] {
  return combo.members
    .map(({ bundleId, minQuantity }) => ({ bundleId, held: held.get(bundleId) ?? 0, needed: minQuantity }))
    .filter((member) => member.held < member.needed)
}

function apply({ combo, separate, savings }: OfferedCombo, interval: Interval): AppliedCombo {
  return {
    comboId: combo.id,
    name: combo.name,
    members: combo.members,
    separateCents: separate[interval],
    togetherCents: combo.prices[interval],
    savingCents: savings[interval],
  }
}

/**
 * For each candidate that was not chosen: the chosen combos it conflicts with, and the best total of a set that
 * contains it.
 */
function explainOutbid(
  offered: readonly OfferedCombo[],
  items: Items,
  candidates: number,
  chosen: readonly number[],
  saving: Cents,
  steps: Step[],
): void {
  offered.forEach((offer, bit) => {
    if ((candidates & (1 << bit)) === 0 || chosen.includes(bit)) return
    const bestWith = (items.weights[bit] ?? 0) + heaviest(items, candidates & ~(1 << bit) & ~offer.conflicts)
    steps.push({
      kind: 'combo_outbid',
      comboId: offer.combo.id,
      by: chosen
        .filter((other) => (offer.conflicts & (1 << other)) !== 0)
        .map((other) => offered[other]?.combo.id ?? ''),
      bestWith: cents(bestWith),
      chosen: saving,
    })
  })
}
