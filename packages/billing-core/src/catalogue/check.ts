/** Reports every mistake of a catalogue definition at once, each with the path of the value and what would be valid. */
import { parseCents } from '../money/cents.js'
import { intervals } from '../period/interval.js'
import { show } from '../refusal/refusal.js'
import { MAX_ACTIVE_COMBOS } from './combos.js'
import type { Bundle, CatalogueDefinition, CatalogueIssue, Combo, Prices } from './types.js'
import { features, isSoldTier, limitFields, tiers } from './vocabulary.js'

type Report = (field: string, message: string) => void

/** Ids are part of the names of settings. So they contain only characters that can be upper-cased without loss. */
const ID = /^[a-z][a-z0-9_]{0,63}$/

export function checkDefinition(definition: CatalogueDefinition): CatalogueIssue[] {
  const issues: CatalogueIssue[] = []
  const report: Report = (field, message) => issues.push({ field, message })
  checkTiers(definition, report)
  checkPlans(definition, report)
  checkUnique(definition.bundles, 'bundles', report)
  checkUnique(definition.combos, 'combos', report)
  const active = new Map(definition.bundles.filter((bundle) => bundle.isActive).map((bundle) => [bundle.id, bundle]))
  for (const bundle of definition.bundles) checkBundle(bundle, active, report)
  checkCycles(active, report)
  for (const combo of definition.combos) checkCombo(combo, active, report)
  const combos = definition.combos.filter((combo) => combo.isActive).length
  if (combos > MAX_ACTIVE_COMBOS) {
    report('combos', `must have at most ${MAX_ACTIVE_COMBOS} active combos, not ${combos}`)
  }
  if (issues.length === 0) checkTotals(definition, active, report)
  return issues
}

function checkTiers(definition: CatalogueDefinition, report: Report): void {
  for (const tier of tiers) {
    const baseline = definition.tiers[tier]
    for (const field of limitFields) {
      const limit = baseline.limits[field]
      if (!Number.isSafeInteger(limit) || limit < -1) {
        report(`tiers.${tier}.limits.${field}`, `must be a whole number from -1, not ${show(limit)}`)
      }
    }
    checkFeatures(baseline.features, `tiers.${tier}.features`, report)
  }
  for (const field of limitFields) {
    if (definition.tiers.unlimited.limits[field] !== -1) report(`tiers.unlimited.limits.${field}`, 'must be -1')
  }
}

function checkPlans(definition: CatalogueDefinition, report: Report): void {
  const seen = new Set<string>()
  for (const plan of definition.plans) {
    const path = `plans.${plan.id}`
    if (!isSoldTier(plan.id)) report(path, 'must be developer, pro, team or enterprise')
    if (plan.tier !== plan.id) report(`${path}.tier`, 'must equal the plan id')
    if (seen.has(plan.id)) report(path, 'is defined twice')
    seen.add(plan.id)
    checkPrices(plan.prices, path, report)
  }
  for (const tier of tiers) if (isSoldTier(tier) && !seen.has(tier)) report(`plans.${tier}`, 'is missing')
}

function checkUnique(items: readonly { readonly id: string }[], path: string, report: Report): void {
  const seen = new Set<string>()
  for (const { id } of items) {
    if (!ID.test(id)) report(`${path}.${id}`, 'id must be lower-case letters, digits and _, beginning with a letter')
    if (seen.has(id)) report(`${path}.${id}`, 'is defined twice')
    seen.add(id)
  }
}

function checkBundle(bundle: Bundle, active: ReadonlyMap<string, Bundle>, report: Report): void {
  const path = `bundles.${bundle.id}`
  checkPrices(bundle.prices, path, report)
  for (const [field, amount] of Object.entries(bundle.grants)) {
    if (!(limitFields as readonly string[]).includes(field)) report(`${path}.grants.${field}`, 'is not a limit field')
    else if (!Number.isSafeInteger(amount) || amount < 0) {
      report(`${path}.grants.${field}`, `must be a whole number from 0, not ${show(amount)}`)
    }
  }
  checkFeatures(bundle.features, `${path}.features`, report)
  if (bundle.tiers.length === 0) report(`${path}.tiers`, 'must name at least one tier')
  for (const tier of bundle.tiers) {
    if (!isSoldTier(tier)) report(`${path}.tiers`, `must not name ${show(tier)}; only sold tiers can buy`)
  }
  if (!Number.isSafeInteger(bundle.max) || bundle.max < 1) report(`${path}.max`, 'must be a whole number from 1')
  if (!bundle.stackable && bundle.max !== 1) report(`${path}.max`, 'must be 1 because the bundle does not stack')
  if (!bundle.isActive) return
  for (const id of bundle.requires) {
    if (!active.has(id)) report(`${path}.requires`, `names ${id}, which is not an active bundle`)
  }
}

/** Searches `requires` depth-first and reports each bundle that requires itself, directly or through others. */
function checkCycles(active: ReadonlyMap<string, Bundle>, report: Report): void {
  for (const start of active.keys()) {
    const reached = new Set<string>()
    const open = [...(active.get(start)?.requires ?? [])]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (reached.has(id)) continue
      reached.add(id)
      open.push(...(active.get(id)?.requires ?? []))
    }
    if (reached.has(start)) report(`bundles.${start}.requires`, 'leads back to the bundle itself')
  }
}

function checkCombo(combo: Combo, active: ReadonlyMap<string, Bundle>, report: Report): void {
  const path = `combos.${combo.id}`
  checkPrices(combo.prices, path, report)
  if (combo.members.length < 2) report(`${path}.members`, 'must have at least two members')
  const seen = new Set<string>()
  for (const { bundleId, minQuantity } of combo.members) {
    if (seen.has(bundleId)) report(`${path}.members`, `names ${bundleId} twice`)
    seen.add(bundleId)
    if (!Number.isSafeInteger(minQuantity) || minQuantity < 1) {
      report(`${path}.members.${bundleId}`, 'minimum quantity must be a whole number from 1')
    }
    const max = active.get(bundleId)?.max
    // An account cannot hold more than the maximum, so it could never satisfy such a combo.
    if (max !== undefined && minQuantity > max) {
      report(`${path}.members.${bundleId}`, `minimum quantity must be at most ${max}, the most of this bundle`)
    }
  }
}

function checkPrices(prices: Prices, path: string, report: Report): void {
  for (const interval of intervals) {
    const field = `${path}.prices.${interval}`
    const parsed = parseCents(prices[interval], field)
    if (!parsed.ok) report(field, parsed.refusal.message.slice(field.length + 1))
  }
}

function checkFeatures(list: readonly string[], path: string, report: Report): void {
  for (const feature of list) {
    if (!(features as readonly string[]).includes(feature)) report(path, `names ${show(feature)}, not a feature`)
  }
}

/** Checks once that no sum of the package can exceed the safe integers, so that single sums need not check it. */
function checkTotals(definition: CatalogueDefinition, active: ReadonlyMap<string, Bundle>, report: Report): void {
  for (const interval of intervals) {
    let separate = 0
    for (const combo of definition.combos) {
      for (const { bundleId, minQuantity } of combo.members) {
        separate += (active.get(bundleId)?.prices[interval] ?? 0) * minQuantity
      }
    }
    let everything = Math.max(...definition.plans.map((plan) => plan.prices[interval]))
    for (const bundle of active.values()) everything += bundle.prices[interval] * bundle.max
    if (!Number.isSafeInteger(separate)) report('combos', `${interval} prices of all members pass 2^53 - 1 cents`)
    if (!Number.isSafeInteger(everything))
      report('bundles', `${interval} prices of the largest order pass 2^53 - 1 cents`)
  }
}
