/**
 * Qualifies referrals whose referee has paid. Only the referrer's account is locked: no transaction locks two accounts.
 */

import { cents, ledgerKey, qualifyReferral } from '@plumbline/billing-core'
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import type { AuditEntry } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { apart } from '../account/apart.js'
import { supportsCredit } from '../account/credit.js'
import { findRoot } from '../account/find.js'
import { accountTime } from '../account/open.js'
import { at, findLive } from '../account/subscription.js'
import { bumpVersion, lockRoot } from '../account/writing.js'
import { creditTables, type ReferralRow } from '../credit-tables.js'
import { type LedgerWriting, openStored, writeOutcome } from '../ledger/store.js'
import { givePromotion, recordGrant, reserve } from '../promotion/give.js'
import { findPromotion, promotionAccount, promotionsAreOn, toPromotion } from '../promotion/record.js'

const KIND = 'billing.referral'
const AT_ONCE = 100
const SYSTEM = { id: 'system', email: null, role: null, impersonatorId: null }

export const referralJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: ['billing.referral.qualify', 'billing.credit.consumed', 'billing.credit.exhausted'],
  concurrency: 1,
  async run({ runtime, read, write, signal }) {
    if (!runtime.settings.BILLING_ENABLED || !promotionsAreOn(runtime)) return
    let after = ''
    for (;;) {
      const due = await read(async (db) => {
        const { billingReferrals: t } = creditTables(db)
        const isDue = and(eq(t.status, 'pending'), isNotNull(t.paidCents), gt(t.id, after))
        return db.select().from(t).where(isDue).orderBy(asc(t.id)).limit(AT_ONCE)
      })
      for (const referral of due) {
        if (signal.aborted) return
        // The referral is due until it is qualified, so what the referee waits for comes first.
        const isGiven = await apart(runtime, referral.refereeOrgId, () =>
          write((writing) => giveReferee({ ...writing, runtime, actor: SYSTEM }, referral)),
        )
        if (isGiven) {
          await apart(runtime, referral.referrerOrgId, () =>
            write((writing) => qualify({ ...writing, runtime, actor: SYSTEM }, referral)),
          )
        }
        after = referral.id
      }
      if (due.length < AT_ONCE) return
    }
  },
})

export const referralSchedule = () => defineSchedule({ name: KIND, kind: KIND, everyMs: 60_000, payload: {} })

type Qualifying = LedgerWriting & { audit(action: 'billing.referral.qualify', entry: AuditEntry): Promise<void> }

async function qualify(context: Qualifying, { id, referrerOrgId }: ReferralRow): Promise<void> {
  const { tx, runtime } = context
  const { billingReferrals: r } = creditTables(tx)
  const root = await findRoot(tx, referrerOrgId)
  if (root !== null) await lockRoot(context, referrerOrgId)
  const [referral] = await tx.select().from(r).where(eq(r.id, id))
  if (referral === undefined || referral.status !== 'pending') return
  const promotion = await findPromotion(tx, referral.promotionId)
  const live = root === null ? null : await findLive(tx, referrerOrgId)
  const { nowMs, sandbox } = await accountTime(tx, referrerOrgId, context.nowMs)
  const isOtherKind = promotion !== null && promotion.sandbox !== sandbox
  const key = ledgerKey.referrer(referral.promotionId, referrerOrgId, referral.refereeOrgId)
  const input = {
    referral: {
      promotionId: referral.promotionId,
      referrerOrgId,
      refereeOrgId: referral.refereeOrgId,
      refereeGrantCents: cents(referral.refereeGrantCents),
      referrerGrantCents: cents(0),
      status: 'pending',
      qualifiedAt: null,
      createdAt: at(referral.createdAtMs),
    },
    amountPaidCents: cents(referral.paidCents ?? 0),
    promotion: promotion === null ? null : toPromotion(promotion),
    referrer: live === null || isOtherKind ? null : promotionAccount(runtime, live),
    creditSupported: supportsCredit(runtime),
    rowId: runtime.ids.next(),
    now: at(nowMs),
  } as const
  // Without a live subscription there is no ledger. The rules then answer that it cannot be funded before they read
  // one.
  const ledger = live === null ? (null as never) : await openStored(context, live, [key])
  const { outcome, referral: after } = qualifyReferral(ledger, input)
  if (after.status !== 'qualified') return
  let granted = 0
  if (outcome !== null && live !== null && (await reserve(tx, referral.promotionId, after.referrerGrantCents))) {
    granted = after.referrerGrantCents
    await writeOutcome(context, live, outcome)
    await recordGrant(context, live, referral.promotionId, granted)
    await bumpVersion(context, referrerOrgId)
  }
  await tx.update(r).set({ status: 'qualified', referrerGrantCents: granted, qualifiedAtMs: nowMs }).where(eq(r.id, id))
  const { promotionId, refereeOrgId } = referral
  await context.audit('billing.referral.qualify', {
    targetType: 'promotion',
    targetId: promotionId,
    affectedOrgId: referrerOrgId,
    details: { promotionId, refereeOrgId, referrerOrgId, cents: granted },
  })
}

/** The referee's own credit, when it waits for the payment or could not be granted before. */
async function giveReferee(context: LedgerWriting, { id, refereeOrgId, promotionId }: ReferralRow): Promise<void> {
  const { tx } = context
  const { billingReferrals: r } = creditTables(tx)
  if ((await findRoot(tx, refereeOrgId)) === null) return
  await lockRoot(context, refereeOrgId)
  const promotion = await findPromotion(tx, promotionId)
  const row = await findLive(tx, refereeOrgId)
  if (promotion === null || row === null) return
  const { nowMs } = await accountTime(tx, refereeOrgId, context.nowMs)
  const given = await givePromotion({ ...context, nowMs }, row, promotion, 'referral')
  if (!given.granted) return
  await tx
    .update(r)
    .set({ refereeGrantCents: given.cents ?? 0 })
    .where(eq(r.id, id))
  await bumpVersion(context, refereeOrgId)
}
