/** What refuses that an account subscribes, for the preview and for the subscription itself. */
import { findOrganization } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { findReserved } from '../account/subscription.js'
import { changeInProgress, findOpenCall } from '../call/wish.js'
import type { SubscriptionRow } from '../tables.js'

/** @throws Refusal 409 for the organization of the system. */
export async function requireBuyer(db: Db, rootOrgId: string): Promise<void> {
  const root = await findOrganization(db, rootOrgId)
  if (root?.isSystem !== true) return
  throw new Refusal('CONFLICT', 'the system organization has every feature: it cannot buy a plan')
}

/**
 * Returns the subscription that a new one supersedes, because it was never paid for; null when there is none.
 *
 * @throws Refusal 409 while the provider is asked about it.
 */
export async function requireSuperseded(db: Db, rootOrgId: string): Promise<SubscriptionRow | null> {
  const reserved = await findReserved(db, rootOrgId)
  if (reserved === null) return null
  // guard: a-preview-of-a-beginning-waits-for-the-one-before
  if ((await findOpenCall(db, reserved.id)) !== null) throw changeInProgress()
  return reserved
}
