/** What a state of a subscription is charged for. */
import type { Holding, PricedThing } from '@plumbline/billing-core'
import type { WantedState } from './port.js'

export const thingsOf = ({ planId, interval, addons }: WantedState): PricedThing[] =>
  [planId, ...addons.map(({ bundleId }) => bundleId)].map((id) => ({ id, interval }))

/** What nothing has to be paid for, and no provider knows. */
export const isFree = ({ planId, addons }: Holding): boolean => planId === 'developer' && addons.length === 0
