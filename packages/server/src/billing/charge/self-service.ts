/** Whether accounts buy here. When the marketplace sells, it determines plan and add-ons. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'

export const sellsHere = ({ settings }: Pick<Runtime, 'settings'>): boolean =>
  settings.BILLING_PROVIDER !== 'marketplace'

/** @throws Refusal 409 for changes of plan, interval and end when the marketplace sells. */
export function requirePlanSoldHere(runtime: Pick<Runtime, 'settings'>): void {
  // guard: the-marketplace-says-what-the-subscription-is
  if (sellsHere(runtime)) return
  throw new Refusal(
    'MANAGED_BY_MARKETPLACE',
    'the subscription was bought at the marketplace: change it on the page of the marketplace',
  )
}

/** @throws Refusal 403 for changes of add-ons when the marketplace sells. */
export function requireAddonsSoldHere(runtime: Pick<Runtime, 'settings'>): void {
  // guard: add-ons-are-not-bought-past-the-marketplace
  if (sellsHere(runtime)) return
  throw new Refusal(
    'SELF_SERVICE_DISABLED',
    'the marketplace sells here, so you cannot buy add-ons yourself: ask the operator of this server',
  )
}
