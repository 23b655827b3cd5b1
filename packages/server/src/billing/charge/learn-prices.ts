/**
 * Reads what the prices of a change cost at the provider, before the change is planned, so that its preview and its
 * commit refuse what would be charged differently from what is shown. While the provider is away nothing is learned,
 * and the provider's prices are read before anything is charged.
 */
import type { Interval } from '@plumbline/billing-core'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { findLive } from '../account/subscription.js'
import { ProviderFault } from '../provider/fault.js'
import { providerOf } from './open.js'

interface Asked {
  readonly planId?: string
  readonly interval?: string
  readonly addons?: readonly { readonly bundleId: string }[]
}

export async function learnPrices(context: PrepareContext, asked: Asked) {
  const { runtime, read } = context
  const provider = providerOf(runtime)
  if (!runtime.settings.BILLING_ENABLED || provider.isLocal) return
  const row = await read((db) => findLive(db, tenantId(context)))
  const held = [row, row?.pendingChange].filter((each) => each != null)
  const wanted = [...held, { planId: 'developer', interval: 'monthly', addons: [], ...asked }]
  const ids = wanted.flatMap(({ planId, addons }) => [planId, ...addons.map(({ bundleId }) => bundleId)])
  const things = [...new Set(wanted.map(({ interval }) => interval))].flatMap((interval) =>
    [...new Set(ids)].map((id) => ({ id, interval: interval as Interval })),
  )
  try {
    await provider.learnPrices(things)
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
  }
}
