/**
 * Carries out a change: at once when no provider charges, otherwise as a wish that the provider is asked for. Nothing
 * is granted before the provider confirms, and limits decrease only together with the price.
 */

import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { BillingWriting, Root } from '../account/writing.js'
import { type Committed, type CommittedChange, commitChange } from '../change/commit-change.js'
import { providerOf } from '../charge/open.js'
import { findLink } from '../provider/link.js'
import type { CallRow, Wish } from '../provider-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { writeWish } from './wish.js'

export interface CarriedOut extends Committed {
  /** The call to the provider; null when the change is done. */
  readonly call: CallRow | null
}

type Writing = BillingWriting & { readonly claimKey: string | null }

export async function carryOut(
  context: Writing,
  root: Root,
  row: SubscriptionRow,
  change: { readonly planned: CommittedChange; readonly atMs: number },
): Promise<CarriedOut> {
  const provider = providerOf(context.runtime)
  const link = provider.isLocal ? null : await findLink(context.tx, row.id)
  const { when, after, pruned, cascaded, lostCombos } = change.planned
  const isFree = after.planId === 'developer' && after.addons.length === 0
  // guard: nothing-is-granted-before-the-provider-says-yes
  if (provider.isLocal || (link === null && isFree)) {
    return { ...(await commitChange(context, root, row, change)), call: null }
  }
  // guard: what-waits-at-the-provider-is-not-prorated
  if (link !== null && when === 'now' && row.pendingChange?.interval === row.interval) throw changeWaits(row)
  provider.requireSellable(after)
  const state = { planId: after.planId, interval: after.interval, addons: after.addons }
  const wish: Wish = { state, charge: when, change: { pruned, cascaded, lostCombos } }
  const ids = { orgId: root.id, subscriptionId: row.id, clientKey: context.claimKey }
  // A free subscription does not exist at the provider yet, so it is created there now.
  const kind = link === null ? 'create' : 'apply'
  const asked = kind === 'create' ? { ...wish, charge: 'now' as const } : wish
  return { row, invoiceId: null, call: await writeWish(context, { ...ids, kind, wish: asked }) }
}

/**
 * What waits for the end of the period is told to the provider at once, without a charge. A change that is charged would
 * be reckoned from there, and not from what is paid.
 */
const changeWaits = ({ currentPeriodEndMs }: SubscriptionRow): Refusal =>
  new Refusal(
    'CONFLICT',
    `a change waits until ${toIso(currentPeriodEndMs)}: ask with \`when: "period_end"\`, or withdraw it first with DELETE /billing/subscriptions/:id/pending-change`,
    { details: { reason: 'change_waits' } },
  )
