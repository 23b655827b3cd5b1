/**
 * Carries out a change: at once when no provider charges, otherwise as a wish that the provider is asked for. Nothing
 * is granted before the provider confirms, and limits decrease only together with the price.
 */
import { toIso } from '../../runtime/clock.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import type { BillingWriting, Root } from '../account/writing.js'
import { type Committed, type CommittedChange, commitChange } from '../change/commit-change.js'
import type { PlannedChange } from '../change/plan-change.js'
import { secondWithinPeriod } from '../change/within-period.js'
import { providerOf } from '../charge/open.js'
import { findLink } from '../provider/link.js'
import { isFree } from '../provider/things.js'
import type { CallRow, LinkRow, Wish } from '../provider-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { changeInProgress, findOpenCall, writeWish } from './wish.js'

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
  // guard: nothing-is-granted-before-the-provider-says-yes
  if (provider.isLocal || isDecidedHere(link, change.planned)) {
    return { ...(await commitChange(context, root, row, change)), call: null }
  }
  const state = { planId: after.planId, interval: after.interval, addons: after.addons }
  const wish: Wish = { state, charge: when, change: { pruned, cascaded, lostCombos }, ...shownAt(context, row, change) }
  const ids = { orgId: root.id, subscriptionId: row.id, clientKey: context.claimKey }
  // A free subscription does not exist at the provider yet, so it is created there now.
  const kind = link === null ? 'create' : 'apply'
  return { row, invoiceId: null, call: await writeWish(context, { ...ids, kind, wish }) }
}

/** What a preview showed is charged, however long after it the provider is asked. */
// guard: what-a-preview-showed-is-what-the-provider-charges
const shownAt = (
  { nowMs }: Pick<Writing, 'nowMs'>,
  row: SubscriptionRow,
  { planned, atMs }: { readonly planned: Pick<CommittedChange, 'when'>; readonly atMs: number },
): Pick<Wish, 'proratedAt'> =>
  planned.when === 'now' && atMs < nowMs ? { proratedAt: toIso(secondWithinPeriod(row, atMs)) } : {}

/** The provider learns of an account with what it pays for at once. Until then everything is decided here. */
const isDecidedHere = (link: LinkRow | null, { when, after }: Pick<CommittedChange, 'when' | 'after'>): boolean =>
  link === null && (isFree(after) || when === 'period_end')

/**
 * For a preview of a change that nothing else refuses.
 *
 * @param left What of the change is left to do; null when it is done already.
 * @throws Refusal 409 while the provider has not answered the change before, as the change itself.
 */
export async function requireAnswered(
  runtime: Runtime,
  db: Db,
  row: SubscriptionRow,
  left: PlannedChange | null,
): Promise<void> {
  if (providerOf(runtime).isLocal || left === null || left.overages.length > 0) return
  const link = await findLink(db, row.id)
  // guard: a-preview-says-that-the-provider-is-asked
  if (!isDecidedHere(link, left) && (await findOpenCall(db, row.id)) !== null) throw changeInProgress()
}
