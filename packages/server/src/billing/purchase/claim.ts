/**
 * `POST /billing/marketplace/claim`: a person takes over a purchase with its token. They become the owner of its
 * organization, or move the purchase to an organization that they own.
 */

import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { adoptOrganization, dropOwnerless, findOrganization, sessionOf, tokenHash } from '../../identity/index.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { ownAccount } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { BILLING_ERRORS } from '../account/gate.js'
import { isSandbox } from '../account/open.js'
import { at, findLive, presentSubscription, SubscriptionView } from '../account/subscription.js'
import { type BillingWriting, lockRoot, type Root, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { findPurchase, nextHour, useClaim, writePurchase } from '../buyer/record.js'
import { marketplaceTables, type PurchaseRow } from '../marketplace-tables.js'
import { freezeHours } from '../metering/freeze.js'
import { givePromotions } from '../promotion/give.js'
import { move } from '../state/move.js'
import type { SubscriptionRow } from '../tables.js'
import { beginPurchased } from './begin.js'
import { planOf } from './follow.js'
import { requireMarketplace } from './resolve.js'

export const claimPurchase = command({
  name: 'billing.purchase.claim',
  summary: 'Claim a purchase at the marketplace by its claim token',
  description:
    'Without `orgId` you become the owner of the organization that was made for the purchase. With it the purchase moves to that organization, which you own and which has no live subscription.',
  http: { method: 'post', path: '/billing/marketplace/claim' },
  access: ownAccount(),
  tenant: noTenant,
  acrossOrganizations: 'the organization of the purchase has no member yet',
  audit: [...SUBSCRIPTION_ACTIONS, 'billing.marketplace.claim'],
  rateLimit: 'billing-claim',
  input: {
    body: strictObject({
      token: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'As `POST /billing/marketplace/resolve` gave it',
      }),
      orgId: Type.Optional(Uuid),
    }),
  },
  output: strictObject({ orgId: Uuid, subscription: SubscriptionView }),
  errors: [
    ...BILLING_ERRORS,
    'CLAIM_NOT_FOUND',
    'CONFLICT',
    'DUPLICATE_ENTRY',
    'INSUFFICIENT_PERMISSIONS',
    'VALIDATION_ERROR',
  ],
  async run(context, { body: { token, orgId } }) {
    const { tx, runtime, nowMs } = context
    requireMarketplace(runtime)
    const { userId } = sessionOf(context.principal)
    const writing = context as BillingWriting
    const hash = tokenHash(token)
    const found = await findClaim(tx, hash)
    if (found === null) throw unknownClaim()
    if (orgId !== undefined && orgId !== found.orgId) await requireOwn(tx, orgId, userId)
    // Two accounts are locked in the order of their ids, as everywhere.
    const target = orgId ?? found.orgId
    for (const id of [...new Set([found.orgId, target])].sort()) await lockRoot(writing, id)
    const purchase = await findPurchase(tx, found.id)
    // guard: an-expired-claim-gives-nothing
    if (purchase === null || purchase.claimExpiresAtMs === null || purchase.claimExpiresAtMs <= nowMs)
      throw unknownClaim()
    if (!(await useClaim(writing, purchase, hash))) throw unknownClaim()
    const claimed: PurchaseRow = { ...purchase, claimHash: null, claimExpiresAtMs: null, claimedAtMs: nowMs }
    const from = await lockRoot(writing, purchase.orgId)
    const row =
      target === purchase.orgId
        ? await adopt(writing, from, claimed, userId)
        : await moveTo(writing, { from, to: await ownRoot(writing, target, userId) }, claimed)
    await context.audit('billing.marketplace.claim', {
      orgId: target,
      targetType: 'subscription',
      targetId: row.id,
      affectedOrgId: target,
      details: { purchaseId: purchase.id, subscriptionId: row.id, planId: row.planId, fromOrgId: purchase.orgId },
    })
    return changed({ orgId: target, subscription: presentSubscription(runtime, row) })
  },
})

const unknownClaim = (): Refusal =>
  new Refusal(
    'CLAIM_NOT_FOUND',
    'no purchase has this claim token, it was used, or it is older than 24 hours: open the product at the marketplace again for a new one',
  )

async function findClaim(db: Db, hash: string): Promise<PurchaseRow | null> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  const [row] = await db.select().from(t).where(eq(t.claimHash, hash))
  return row ?? null
}

async function requireOwn(db: Db, orgId: string, userId: string): Promise<void> {
  const org = await findOrganization(db, orgId)
  // guard: a-purchase-moves-to-an-organization-of-ones-own
  if (org === null || org.deletedAtMs !== null || org.isSystem || org.parentOrgId !== null || org.ownerId !== userId) {
    throw invalidField('/body/orgId', 'must be the id of a root organization that you own', 'not_yours')
  }
}

/** Checked again under its lock: who owns it now. */
async function ownRoot(writing: BillingWriting, orgId: string, userId: string): Promise<Root> {
  await requireOwn(writing.tx, orgId, userId)
  const root = await lockRoot(writing, orgId)
  if ((await findLive(writing.tx, orgId)) !== null) {
    throw new Refusal(
      'DUPLICATE_ENTRY',
      'the organization has a live subscription: end that first, or claim without orgId',
      {
        details: { field: 'orgId' },
      },
    )
  }
  if (await isSandbox(writing.tx, orgId)) {
    throw new Refusal('CONFLICT', 'the organization has a test clock: name another one')
  }
  return root
}

async function adopt(
  writing: BillingWriting,
  root: Root,
  purchase: PurchaseRow,
  userId: string,
): Promise<SubscriptionRow> {
  await adoptOrganization(writing, root, userId)
  const live = await liveOf(writing, purchase)
  return givePromotions(writing, live, 'subscription_created')
}

/**
 * The subscription ends there and begins here. Hours that are being reported stay with the account for which they were
 * opened.
 */
async function moveTo(
  writing: BillingWriting,
  { from, to }: { readonly from: Root; readonly to: Root },
  purchase: PurchaseRow,
): Promise<SubscriptionRow> {
  const live = await liveOf(writing, purchase)
  const frozen = await freezeHours(writing, from, purchase)
  await move(writing, from, live, { type: 'ended', reason: 'claimed' })
  await dropOwnerless(writing, from)
  const plan = planOf(writing.runtime, purchase.entitlements, at(writing.nowMs), live.interval as 'monthly')
  const row = await beginPurchased(writing, to, plan, { isClaimed: true })
  const begun = { orgId: to.id, subscriptionId: row.id, meteredFromMs: nextHour(writing.nowMs) }
  await writePurchase(writing, frozen, begun)
  return row
}

async function liveOf({ tx }: BillingWriting, { orgId, subscriptionId }: PurchaseRow): Promise<SubscriptionRow> {
  const live = await findLive(tx, orgId)
  if (live === null || live.id !== subscriptionId) {
    throw new Refusal('CONFLICT', 'the purchase has ended at the marketplace: subscribe there again')
  }
  return live
}
