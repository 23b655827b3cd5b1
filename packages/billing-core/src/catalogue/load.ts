/**
 * Loads the catalogue that the settings of a deployment describe: the defaults with every override applied.
 *
 * INVARIANT: either every override is valid and the result passes `checkDefinition`, or all mistakes are reported.
 */
import { type Cents, cents } from '../money/cents.js'
import { formatCents } from '../money/format.js'
import { intervals } from '../period/interval.js'
import { didYouMean } from '../settings/nearest.js'
import { type Loaded, SettingReader, type SettingValues } from '../settings/read.js'
import { checkDefinition } from './check.js'
import { defaultDefinition } from './create.js'
import { indexCatalogue, offeredCombos } from './lookup.js'
import type { Bundle, Catalogue, CatalogueDefinition, Combo, Plan, Prices, TierBaseline } from './types.js'
import { isSoldTier, type Limits, limitFields, soldTiers, type Tier, tiers } from './vocabulary.js'

/** Loads a catalogue from settings. Pass `defaults` to start from a definition other than that of the specification. */
export function loadCatalogue(
  settings: SettingValues,
  defaults: CatalogueDefinition = defaultDefinition,
): Loaded<Catalogue> {
  const reader = new SettingReader(settings)
  const definition: CatalogueDefinition = {
    tiers: readTiers(reader, defaults),
    plans: defaults.plans.map((plan) => readPlan(reader, plan)),
    bundles: defaults.bundles.map((bundle) => readBundle(reader, bundle)),
    combos: defaults.combos.map((combo) => readCombo(reader, combo)),
  }
  const known = new Set(overrideNames(defaults))
  for (const name of Object.keys(settings)) reportUnknown(reader, name, known)
  if (reader.issues.length === 0) {
    for (const { field, message } of checkDefinition(definition)) {
      reader.issues.push({ field, message: `${field} ${message}` })
    }
  }
  if (reader.issues.length > 0) return { ok: false, issues: reader.issues, warnings: reader.warnings }
  const catalogue = indexCatalogue(definition)
  warnAboutCombos(reader, catalogue)
  return { ok: true, value: catalogue, warnings: reader.warnings }
}

const PREFIXES = ['BILLING_PLAN_', 'BILLING_BUNDLE_', 'BILLING_COMBO_', 'QUOTA_TIER_']

/** `apiCalls` → `API_CALLS`. */
export function snakeCaps(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** Returns every name that an override can have, in the order of the tables. */
export function overrideNames(definition: CatalogueDefinition): string[] {
  return [
    ...soldTiers.flatMap((tier) => limitFields.map((field) => `QUOTA_TIER_${snakeCaps(tier)}_${snakeCaps(field)}`)),
    ...definition.plans.flatMap(({ id }) =>
      ['MONTHLY', 'ANNUAL', 'NAME', 'DESCRIPTION', 'FEATURES', 'TRIAL_DAYS'].map(
        (end) => `BILLING_PLAN_${snakeCaps(id)}_${end}`,
      ),
    ),
    ...definition.bundles.flatMap((bundle) =>
      ['MONTHLY', 'ANNUAL', ...(grantField(bundle) ? ['GRANT'] : []), 'TIERS'].map(
        (end) => `BILLING_BUNDLE_${bundle.id.toUpperCase()}_${end}`,
      ),
    ),
    ...definition.combos.flatMap(({ id }) =>
      ['MONTHLY', 'ANNUAL'].map((end) => `BILLING_COMBO_${id.toUpperCase()}_${end}`),
    ),
  ]
}

function readTiers(reader: SettingReader, defaults: CatalogueDefinition): Record<Tier, TierBaseline> {
  return Object.fromEntries(
    tiers.map((tier) => {
      const baseline = defaults.tiers[tier]
      if (!isSoldTier(tier)) return [tier, baseline]
      const limits = limitFields.map((field) => [
        field,
        reader.whole(`QUOTA_TIER_${snakeCaps(tier)}_${snakeCaps(field)}`, -1) ?? baseline.limits[field],
      ])
      return [tier, { ...baseline, limits: Object.fromEntries(limits) as Limits }]
    }),
  ) as Record<Tier, TierBaseline>
}

function readPlan(reader: SettingReader, plan: Plan): Plan {
  const prefix = `BILLING_PLAN_${snakeCaps(plan.id)}`
  return {
    ...plan,
    prices: isFree(plan) ? readFree(reader, prefix, plan.prices) : readPrices(reader, prefix, plan.prices, 'scaled'),
    name: reader.string(`${prefix}_NAME`, 120) ?? plan.name,
    description: reader.string(`${prefix}_DESCRIPTION`) ?? plan.description,
    features:
      reader.list(`${prefix}_FEATURES`, 'distinct texts', (entry): entry is string => entry.trim() !== '') ??
      plan.features,
    trialDays: readTrial(reader, `${prefix}_TRIAL_DAYS`, plan),
  }
}

const TRIAL_DAYS_MAX = 365

function readTrial(reader: SettingReader, name: string, plan: Plan): number {
  const days = reader.whole(name)
  if (days === undefined) return plan.trialDays
  if (days > TRIAL_DAYS_MAX) reader.issue(name, `must be at most ${TRIAL_DAYS_MAX}`)
  if (days > 0 && isFree(plan)) reader.issue(name, 'must be 0 or left out: this plan is free')
  return days
}

/** A plan without a price has no price at the card provider either. A price set here would be shown and never charged. */
const isFree = ({ prices }: Plan): boolean => prices.monthly === 0 && prices.annual === 0

function readFree(reader: SettingReader, prefix: string, prices: Prices): Prices {
  for (const interval of intervals) {
    const name = `${prefix}_${interval.toUpperCase()}`
    const price = readCents(reader, name)
    if (price !== undefined && price !== 0) reader.issue(name, 'must be 0 or left out: this plan is free')
  }
  return prices
}

function readBundle(reader: SettingReader, bundle: Bundle): Bundle {
  const prefix = `BILLING_BUNDLE_${bundle.id.toUpperCase()}`
  const field = grantField(bundle)
  const grant = field === undefined ? undefined : reader.whole(`${prefix}_GRANT`)
  return {
    ...bundle,
    prices: readPrices(reader, prefix, bundle.prices, 'scaled'),
    grants: field === undefined || grant === undefined ? bundle.grants : { [field]: grant },
    tiers: reader.list(`${prefix}_TIERS`, `sold tiers (${soldTiers.join(', ')})`, isSoldTier) ?? bundle.tiers,
  }
}

function readCombo(reader: SettingReader, combo: Combo): Combo {
  return { ...combo, prices: readPrices(reader, `BILLING_COMBO_${combo.id.toUpperCase()}`, combo.prices, 'own') }
}

/**
 * Without a setting of its own, an annual price is ten times the overridden monthly price (`scaled`), or its default
 * (`own`).
 */
function readPrices(reader: SettingReader, prefix: string, prices: Prices, annual: 'scaled' | 'own'): Prices {
  const monthly = readCents(reader, `${prefix}_MONTHLY`)
  const yearly = readCents(reader, `${prefix}_ANNUAL`)
  let fallback = prices.annual
  if (annual === 'scaled' && monthly !== undefined && yearly === undefined) {
    const scaled = monthly * 10
    if (Number.isSafeInteger(scaled)) fallback = cents(scaled)
    else reader.issue(`${prefix}_MONTHLY`, 'times ten, the annual price, passes 2^53 - 1 cents')
  }
  return { monthly: monthly ?? prices.monthly, annual: yearly ?? fallback }
}

function readCents(reader: SettingReader, name: string): Cents | undefined {
  const value = reader.whole(name)
  return value === undefined ? undefined : cents(value)
}

/** Returns the limit field that `_GRANT` sets; undefined when the bundle grants no field or more than one. */
function grantField(bundle: Bundle): string | undefined {
  const fields = Object.keys(bundle.grants)
  return fields.length === 1 ? fields[0] : undefined
}

function reportUnknown(reader: SettingReader, name: string, known: ReadonlySet<string>): void {
  if (known.has(name) || !PREFIXES.some((prefix) => name.startsWith(prefix))) return
  if (name.startsWith('QUOTA_TIER_UNLIMITED_') || name.startsWith('BILLING_PLAN_UNLIMITED_')) {
    reader.issue(name, 'must be removed: the unlimited tier has no price and no limits')
  } else if (/^BILLING_BUNDLE_[A-Z0-9_]+_GRANT$/.test(name) && known.has(name.replace(/_GRANT$/, '_TIERS'))) {
    reader.issue(name, 'must be removed: the bundle does not grant exactly one limit')
  } else {
    reader.issue(name, `is not a setting${didYouMean(name, known)}`)
  }
}

function warnAboutCombos(reader: SettingReader, catalogue: Catalogue): void {
  for (const { combo, separate } of offeredCombos(catalogue)) {
    for (const interval of intervals) {
      if (combo.prices[interval] < separate[interval]) continue
      reader.warn(
        `BILLING_COMBO_${combo.id.toUpperCase()}_${interval.toUpperCase()}`,
        `saves nothing: ${formatCents(combo.prices[interval])} together, ${formatCents(separate[interval])} separately`,
      )
    }
  }
}
