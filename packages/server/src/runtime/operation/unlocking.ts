/** What unlocks a feature that an account lacks: the tiers that include it, and the add-on that is sold for it. */
import { defaultBundles, defaultTiers, type Feature, soldTiers } from '@plumbline/billing-core'
import Type, { type Static } from 'typebox'
import { insufficient, type Refusal } from '../errors.js'
import { strictObject } from './schema.js'

export const Unlocking = strictObject({
  requiredFeature: Type.String(),
  tiers: Type.Array(Type.String(), { description: 'The tiers that include it' }),
  addon: Type.Optional(Type.String({ description: 'The add-on that adds it to other tiers' })),
})
export type Unlocking = Static<typeof Unlocking>

export function waysToUnlock(feature: Feature): Unlocking {
  const tiers = soldTiers.filter((tier) => defaultTiers[tier].features.includes(feature))
  const addon = defaultBundles.find(({ features, isActive }) => isActive && features.includes(feature))
  return { requiredFeature: feature, tiers, ...(addon === undefined ? {} : { addon: addon.id }) }
}

/**
 * 403 that names the feature and each way to get it.
 *
 * @param what names what is locked, where the request has several.
 */
export function lacksFeature(feature: Feature, what?: string): Refusal {
  const { tiers, addon } = waysToUnlock(feature)
  const ways = [
    ...(tiers.length === 0 ? [] : [`change to the tier ${tiers.join(' or ')}`]),
    ...(addon === undefined ? [] : [`buy the add-on ${addon}`]),
  ]
  const locked = what === undefined ? '' : `${what} is locked: `
  return insufficient('feature', `${locked}the plan of the organization lacks ${feature}: ${ways.join(', or ')}`, {
    ...waysToUnlock(feature),
  })
}
