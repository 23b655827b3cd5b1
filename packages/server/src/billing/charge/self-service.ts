/** Whether accounts buy here. Where the marketplace sells, plan and add-ons are what it says. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'

export const sellsHere = ({ settings }: Pick<Runtime, 'settings'>): boolean =>
  settings.BILLING_PROVIDER !== 'marketplace'

/** @throws Refusal 409 for plan, interval, end. */
export function requirePlanSoldHere(runtime: Pick<Runtime, 'settings'>): void {
  // guard: the-marketplace-says-what-the-subscription-is
  if (sellsHere(runtime)) return
  throw new Refusal(
    'MANAGED_BY_MARKETPLACE',
    'the marketplace sells here and says what the subscription is: change it on the page of the marketplace',
  )
}

/** @throws Refusal 403 for add-ons. */
export function requireAddonsSoldHere(runtime: Pick<Runtime, 'settings'>): void {
  // guard: add-ons-are-not-bought-past-the-marketplace
  if (sellsHere(runtime)) return
  throw new Refusal(
    'SELF_SERVICE_DISABLED',
    'the marketplace sells here, so add-ons are not bought by yourself: ask the operator of this server',
  )
}
