/** Add-ons that are set to new quantities, one after another, by the rules of the catalogue. */
import {
  type Addon,
  type Refusal as BillingRefusal,
  findBundle,
  type Holding,
  setAddon,
  type Usage,
} from '@plumbline/billing-core'
import type { Settings } from '../../runtime/settings/load.js'

/** Limits are compared once for the whole change. */
export const NO_USAGE: Usage = { seats: 0, plugins: 0, pipelines: 0 }

export interface Cascaded {
  readonly bundleId: string
  readonly cascadedFrom: string
}

type Set =
  | { readonly ok: true; readonly addons: Holding['addons']; readonly cascaded: readonly Cascaded[] }
  | {
      readonly ok: false
      readonly refusal: BillingRefusal
      /** Of the add-on that is refused, as it was asked for. */
      readonly index: number
    }

/** Requirements are set before the add-ons that require them, in whatever order they are named. */
export function setInOrder(
  tiers: Settings['tiers'],
  holding: Holding,
  asked: readonly Addon[],
  bundlesEnabled: boolean,
): Set {
  const isBase = ({ bundleId, quantity }: Addon) =>
    quantity === 0 || (findBundle(tiers, bundleId)?.requires ?? []).length === 0
  const numbered = asked.map((each, index) => ({ ...each, index }))
  let addons = holding.addons
  const cascaded: Cascaded[] = []
  for (const { bundleId, quantity, index } of [
    ...numbered.filter(isBase),
    ...numbered.filter((each) => !isBase(each)),
  ]) {
    const subscription = { ...holding, addons }
    const context = {
      bundlesEnabled,
      selfService: true,
      subscription,
      paymentMethod: 'unchecked',
      usage: NO_USAGE,
    } as const
    const change = setAddon(tiers, context, { bundleId, quantity }, 'preview')
    if (!change.ok) return { ok: false, refusal: change.refusal, index }
    addons = change.value.addons
    cascaded.push(...change.value.cascaded)
  }
  return { ok: true, addons, cascaded }
}
