/** Records a referral when an account subscribes with a code. An invalid code never makes the subscription fail. */
import { parseReferralCode, recordReferral } from '@plumbline/billing-core'
import { and, eq, gte, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { findRoot } from '../account/find.js'
import { isSandbox } from '../account/open.js'
import { at, findLive } from '../account/subscription.js'
import { creditTables } from '../credit-tables.js'
import type { LedgerWriting } from '../ledger/store.js'
import { givePromotion } from '../promotion/give.js'
import { activePromotions, promotionAccount, promotionsAreOn, toPromotion } from '../promotion/record.js'
import type { SubscriptionRow } from '../tables.js'

const IGNORED = [
  'malformed_code',
  'unknown_referrer',
  'self_referral',
  'referrer_not_subscribed',
  'already_referred',
  'no_promotion',
] as const

export const ReferralOutcome = strictObject({
  status: choice(['recorded', 'ignored']),
  reason: Type.Optional(choice(IGNORED)),
})

export interface ReferralAnswer {
  readonly status: 'recorded' | 'ignored'
  readonly reason?: (typeof IGNORED)[number]
}

/** @returns The subscription with the referee's credit, and what the code resulted in. */
export async function takeReferral(
  context: LedgerWriting,
  row: SubscriptionRow,
  code: string,
): Promise<{ row: SubscriptionRow; answer: ReferralAnswer }> {
  const { tx, runtime, nowMs } = context
  const ignored = (reason: (typeof IGNORED)[number]) => ({ row, answer: { status: 'ignored' as const, reason } })
  if (!promotionsAreOn(runtime)) return ignored('no_promotion')
  const { billingReferrals: t } = creditTables(tx)
  const referrer = await referrerOf(context, code, row.orgId)
  const before = await tx.select({ id: t.id }).from(t).where(eq(t.refereeOrgId, row.orgId))
  const promotions = (await activePromotions(tx)).filter(({ triggerType }) => triggerType === 'referral')
  const sandbox = await isSandbox(tx, row.orgId)
  const recorded = recordReferral({
    code,
    referrer,
    // A subscription that is not paid yet is judged as if it were.
    referee: { ...promotionAccount(runtime, row), isEntitled: true },
    wasReferred: before.length > 0,
    promotions: promotions.filter((each) => each.sandbox === sandbox).map(toPromotion),
    now: at(nowMs),
  })
  if (recorded.status === 'ignored') return ignored(recorded.reason)
  const id = runtime.ids.next()
  const { promotionId, referrerOrgId, refereeOrgId } = recorded.referral
  await tx.insert(t).values({
    id,
    promotionId,
    referrerOrgId,
    refereeOrgId,
    refereeGrantCents: 0,
    referrerGrantCents: 0,
    status: 'pending',
    paidCents: null,
    qualifiedAtMs: null,
    createdAtMs: nowMs,
  })
  const answer = { status: 'recorded' as const }
  // A trial, and a subscription that is not paid yet, earn nothing. The credit is granted with the first payment.
  const isEarned = row.status === 'active' && runtime.settings.BILLING_REFERRAL_REFEREE_AT !== 'first_payment'
  if (!isEarned) return { row, answer }
  const promotion = promotions.find((each) => each.id === promotionId)
  if (promotion === undefined) return { row, answer }
  const given = await givePromotion(context, row, promotion, 'referral')
  if (given.granted)
    await tx
      .update(t)
      .set({ refereeGrantCents: given.cents ?? 0 })
      .where(eq(t.id, id))
  return { row: given.row, answer }
}

/**
 * Finds the account of a code, which is the id of a root or of one of its teams. An account with the same owner is not
 * a referrer.
 */
async function referrerOf({ tx }: Pick<LedgerWriting, 'tx'>, code: string, refereeOrgId: string) {
  const orgId = parseReferralCode(code)
  const root = orgId === null ? null : await findRoot(tx, orgId)
  if (root === null) return null
  const referee = await findRoot(tx, refereeOrgId)
  // guard: nobody-refers-themself
  if (referee !== null && root.ownerId !== null && root.ownerId === referee.ownerId) {
    return { rootOrgId: refereeOrgId, status: null }
  }
  // What is paid by a test clock earns nothing of an account that pays, and the other way round.
  // guard: a-sandbox-refers-no-account-that-pays
  const isOtherKind = (await isSandbox(tx, root.id)) !== (await isSandbox(tx, refereeOrgId))
  const live = isOtherKind ? null : await findLive(tx, root.id)
  return { rootOrgId: root.id, status: (live?.status ?? null) as 'active' | null }
}

/**
 * Removes what was recorded for a subscription that its provider refused. The next subscription may name a code again.
 */
export async function dropReferral(
  { tx }: Pick<LedgerWriting, 'tx'>,
  { orgId, createdAtMs }: SubscriptionRow,
): Promise<void> {
  const { billingReferrals: t } = creditTables(tx)
  const isOfIt = and(eq(t.refereeOrgId, orgId), gte(t.createdAtMs, createdAtMs))
  await tx.delete(t).where(and(isOfIt, eq(t.status, 'pending'), isNull(t.paidCents)))
}

/** Records the first payment of a referee. The referrer's credit waits for it. */
export async function notePayment(
  { tx }: Pick<LedgerWriting, 'tx'>,
  refereeOrgId: string,
  paidCents: number,
): Promise<void> {
  if (paidCents <= 0) return
  const { billingReferrals: t } = creditTables(tx)
  const [waiting] = await tx.select({ id: t.id, paid: t.paidCents }).from(t).where(eq(t.refereeOrgId, refereeOrgId))
  if (waiting !== undefined && waiting.paid === null) await tx.update(t).set({ paidCents }).where(eq(t.id, waiting.id))
}
