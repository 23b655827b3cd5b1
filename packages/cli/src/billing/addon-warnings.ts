/**
 * Warnings about the given add-ons. Limits and prices are computed for every add-on that an account could hold, even
 * one that it could not buy now.
 */
import { type Addon, bundlesFor, type Catalogue, effectiveLimits, type Tier } from '@plumbline/billing-core'
import type { Io } from '../command.js'

export function warnAboutAddons(catalogue: Catalogue, tier: Tier, addons: readonly Addon[], io: Io): void {
  const sold = new Set(bundlesFor(catalogue, tier).map((bundle) => bundle.id))
  for (const { bundleId } of addons) {
    if (sold.has(bundleId)) continue
    io.stderr.write(
      `warning: ${bundleId} is not sold on tier ${tier}; it is counted as an add-on that the account already holds\n`,
    )
  }
  for (const step of effectiveLimits(catalogue, tier, addons).steps) {
    if (step.kind !== 'addon_without_requirement') continue
    io.stderr.write(`warning: ${step.bundleId} grants nothing without ${step.missing.join(' and ')}; add it too\n`)
  }
}
