/**
 * Renders steps as sentences for people: one line for each step, amounts in dollars, ids as they are written in
 * settings.
 */
import { negate } from '../money/arithmetic.js'
import type { Cents } from '../money/cents.js'
import { formatCents } from '../money/format.js'
import type { Addend, Step } from './step.js'

/** Renders all steps, separated by line feeds. */
export function renderSteps(steps: readonly Step[]): string {
  return steps.map(renderStep).join('\n')
}

/** Renders one step as one line, without a line feed. */
export function renderStep(step: Step): string {
  switch (step.kind) {
    case 'limit':
      return renderLimit(step)
    case 'feature':
      return `feature ${step.feature}: from ${step.from === 'tier' ? `tier ${step.source}` : `add-on ${step.source}`}`
    case 'addon_ignored':
      return step.reason === 'unknown'
        ? `add-on ${step.bundleId}: left out, the catalogue has no such bundle`
        : `add-on ${step.bundleId}: left out, its quantity is not a number above 0`
    case 'addon_without_requirement':
      return `add-on ${step.bundleId}: left out, it requires ${step.missing.join(' and ')}`
    case 'addon_clamped':
      return `add-on ${step.bundleId}: counted ${times(step.quantity)} instead of ${times(step.asked)}, the most allowed`
    case 'addon_set':
      return `add-on ${step.bundleId}: quantity ${step.before} becomes ${step.after}`
    case 'addon_removed':
      return `add-on ${step.bundleId}: removed, ${removalReason(step)}`
    case 'addon_kept':
      return `add-on ${step.bundleId}: kept${step.soldOnTier ? '' : ', though the tier does not sell it; it may only shrink'}`
    case 'combo_applied':
      return `combo ${step.comboId}: ${formatCents(step.together)} instead of ${formatCents(step.separate)} ${step.interval}, saves ${formatCents(step.saving)}`
    case 'combo_unsatisfied':
      return `combo ${step.comboId}: not held, ${step.missing
        .map(({ bundleId, held, needed }) => `${bundleId} ${held} of ${needed}`)
        .join(', ')}`
    case 'combo_without_saving':
      return `combo ${step.comboId}: saves nothing ${step.interval}`
    case 'combo_outbid':
      return `combo ${step.comboId}: shares a member with ${step.by.join(' and ')}; ${outbid(step.bestWith, step.chosen)}`
    case 'combo_total':
      return step.combos.length === 0
        ? 'no combo applies'
        : `best packing: ${step.combos.join(' + ')} saves ${formatCents(step.saving)}`
    case 'percent':
      return `${step.percent} % of ${formatCents(step.price)} = ${formatCents(step.cents)}, half a cent rounded up`
    case 'fixed':
      return `fixed value ${formatCents(step.cents)}`
    case 'clamped':
      return `${formatCents(step.from)} cut to ${formatCents(step.to)} by ${step.limit}`
    case 'check':
      return `${step.passed ? 'passed' : 'refused'}: ${step.check}${step.code === undefined ? '' : ` (${step.code})`}`
    case 'price':
      return `${step.label}${step.quantity === 1 ? '' : ` ${times(step.quantity)}`}: ${formatCents(step.cents)}`
    case 'prorated':
      return `${step.label}: ${prorationReason(step)}`
    case 'credit':
      return `credit: ${formatCents(step.used)} of a balance of ${formatCents(step.balance)} against ${formatCents(step.price)}`
    case 'total':
      return `total ${formatCents(step.cents)}`
    case 'drained':
      return `took ${formatCents(step.cents)} from ${step.grant}, ${formatCents(step.left)} left in it`
    case 'granted':
      return `granted ${formatCents(step.cents)} as ${step.key}, balance ${formatCents(step.balance)}`
    case 'recovered':
      return `pulled ${step.grant}: ${formatCents(step.recovered)} of ${formatCents(step.granted)} recovered, ${formatCents(step.spent)} was spent`
    case 'withheld':
      return renderWithheld(step)
    case 'reported':
      return `${step.dimension}: report ${step.units} (${step.bundles.join(' + ')})`
    case 'unmapped':
      return `add-on ${step.bundleId}: not metered, no dimension is mapped`
    case 'share':
      return `${step.name}: weight ${step.weight}, share ${formatCents(step.cents)}`
    case 'budget':
      return `budget ${formatCents(step.budget)}, ${formatCents(step.spent)} spent: ${formatCents(step.cents)} ${step.fits ? 'fits' : 'does not fit'}`
    case 'note':
      return step.text
  }
}

function renderLimit(step: Extract<Step, { kind: 'limit' }>): string {
  if (step.base === -1) {
    const extra = step.addends.length > 0 ? '; add-ons cannot change that' : ''
    return `${step.field}: unlimited in tier ${step.tier}${extra}`
  }
  const terms = step.addends.map((addend: Addend) => ` + ${addend.quantity} × ${addend.amount} ${addend.bundleId}`)
  return `${step.field}: ${step.total} = ${step.base} ${step.tier}${terms.join('')}`
}

function renderWithheld(step: Extract<Step, { kind: 'withheld' }>): string {
  if (step.price === null) return `${step.dimension}: ${step.units} in full, it has no price`
  const value = formatCents(step.price)
  return `${step.dimension}: ${step.withheld} of ${step.units} withheld at ${value} each, ${formatCents(step.left)} of credit left`
}

function removalReason(step: Extract<Step, { kind: 'addon_removed' }>): string {
  switch (step.reason) {
    case 'tier_included':
      return 'the new tier includes what it unlocks'
    case 'tier_ineligible':
      return 'the lower tier does not sell it'
    case 'requires_missing':
      return `it requires ${step.cascadedFrom ?? 'a bundle that is not held'}`
  }
}

/** `$40.83 = $49.00 × 25 of 30 days left`. */
export function prorationReason({ cents, price, left, total }: Extract<Step, { kind: 'prorated' }>): string {
  return `${formatCents(cents)} = ${formatCents(cents < 0 ? negate(price) : price)} × ${partOfTime(left, total)} left`
}

const SECONDS_PER_DAY = 86_400

/** In whole days when both times are whole days, otherwise in seconds. */
function partOfTime(left: number, total: number): string {
  const inDays = left % SECONDS_PER_DAY === 0 && total % SECONDS_PER_DAY === 0
  return inDays ? `${left / SECONDS_PER_DAY} of ${total / SECONDS_PER_DAY} days` : `${left} of ${total} seconds`
}

function outbid(bestWith: Cents, chosen: Cents): string {
  const best = `${formatCents(bestWith)} at most with it, ${formatCents(chosen)} chosen`
  return bestWith === chosen ? `${best}: a tie, the smaller ids win` : best
}

function times(quantity: number): string {
  return `× ${quantity}`
}
