/** Add-ons that an operator gives to a purchase are billed by their dimension at the marketplace. */
import { type Addon, type BundleId, quantityOf } from '@plumbline/billing-core'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { marketplaceSettings } from '../marketplace/settings.js'

/**
 * @throws Refusal 400 `PRICE_NOT_CONFIGURED` for more of an add-on that would never be billed. With metering off nothing
 * is billed, and everything can be given.
 */
export function requireDimensions(
  { settings }: Pick<Runtime, 'settings'>,
  held: readonly Addon[],
  asked: readonly { readonly bundleId: string; readonly quantity: number }[],
): void {
  if (!settings.BILLING_METERING_ENABLED) return
  const { bundles } = marketplaceSettings(settings)
  const dimensions: ReadonlyMap<string, string> = bundles
  const at = asked.findIndex(
    ({ bundleId, quantity }) => quantity > quantityOf(held, bundleId as BundleId) && !dimensions.has(bundleId),
  )
  const without = asked[at]
  // guard: what-is-not-metered-is-not-given
  if (without === undefined) return
  throw new Refusal(
    'PRICE_NOT_CONFIGURED',
    `add-on ${without.bundleId} has no dimension at the marketplace, so it would never be billed: name one in MARKETPLACE_BUNDLE_DIMENSION_MAP`,
    { details: { field: `/body/addons/${at}/bundleId`, bundleId: without.bundleId } },
  )
}
