/**
 * Carries out a change: at once when no provider charges, otherwise as a wish that the provider is asked for. Nothing
 * is granted before the provider confirms, and limits decrease only together with the price.
 */
import type { BillingWriting, Root } from '../account/writing.js'
import { type Committed, type CommittedChange, commitChange } from '../change/commit-change.js'
import { providerOf } from '../charge/open.js'
import { findLink } from '../provider/link.js'
import { isFree } from '../provider/things.js'
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
  // The provider learns of an account with what it pays for at once. Until then everything is decided here.
  const isHere = link === null && (isFree(after) || when === 'period_end')
  // guard: nothing-is-granted-before-the-provider-says-yes
  if (provider.isLocal || isHere) {
    return { ...(await commitChange(context, root, row, change)), call: null }
  }
  const state = { planId: after.planId, interval: after.interval, addons: after.addons }
  const wish: Wish = { state, charge: when, change: { pruned, cascaded, lostCombos } }
  const ids = { orgId: root.id, subscriptionId: row.id, clientKey: context.claimKey }
  // A free subscription does not exist at the provider yet, so it is created there now.
  const kind = link === null ? 'create' : 'apply'
  return { row, invoiceId: null, call: await writeWish(context, { ...ids, kind, wish }) }
}
