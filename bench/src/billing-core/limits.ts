/** Effective limits with all fourteen add-ons, including the steps, compared with hand-written sums. */
import { defaultCatalogue, effectiveLimits, type LimitField, limitFields, quote, tiers } from '@plumbline/billing-core'
import { type BenchOptions, type BenchTable, compare, comparisonRows } from '../harness.js'

const BATCH = 1_000

export function limitsTable(options: BenchOptions): BenchTable {
  const catalogue = defaultCatalogue()
  const addons = catalogue.bundles.map((bundle) => ({ bundleId: bundle.id, quantity: bundle.max > 1 ? 2 : 1 }))
  const bundles = new Map(catalogue.bundles.map((bundle) => [bundle.id, bundle]))
  const bare = (tier: (typeof tiers)[number]): Record<LimitField, number> => {
    const limits = { ...catalogue.tiers[tier].limits }
    for (const { bundleId, quantity } of addons) {
      const grants = bundles.get(bundleId)?.grants ?? {}
      for (const field in grants) {
        const key = field as LimitField
        if (limits[key] !== -1) limits[key] += (grants[key] ?? 0) * quantity
      }
    }
    return limits
  }
  for (const tier of tiers) {
    const ours = effectiveLimits(catalogue, tier, addons).limits
    const theirs = bare(tier)
    for (const field of limitFields) if (ours[field] !== theirs[field]) throw new Error(`${tier} ${field} differs`)
  }
  let sink = 0
  const each = (run: (tier: (typeof tiers)[number]) => number) => () => {
    for (let index = 0; index < BATCH; index++) sink += run(tiers[index % tiers.length] ?? 'pro')
    return BATCH
  }
  const measured = compare(
    [
      { name: 'sums by hand, without features, requirements or steps', run: each((tier) => bare(tier).plugins) },
      { name: 'effectiveLimits', run: each((tier) => effectiveLimits(catalogue, tier, addons).limits.plugins) },
      {
        name: 'quote (plan, 14 lines, packing, steps)',
        run: each(() => quote(catalogue, { planId: 'team', interval: 'monthly', addons }).totalCents),
      },
    ],
    options,
  )
  if (sink === 0) throw new Error('nothing was computed')
  return {
    title: 'Limits and quotes of an account with 14 add-ons',
    unit: 'calls/s',
    columns: ['what', 'calls/s', 'of the limit'],
    rows: comparisonRows(measured),
    note: 'Required: effectiveLimits at 500,000/s.',
  }
}
