/** The second transaction of a call: applies the provider's answer and closes the call's row with it. */
import { cents, confirmPush, ledgerKey, refusePush } from '@plumbline/billing-core'
import { and, eq, gt, inArray, type Placeholder } from 'drizzle-orm'
import { prepared } from '../../runtime/store/prepared.js'
import { openAccount } from '../account/open.js'
import { at, isSameHolding } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { commitChange } from '../change/commit-change.js'
import { takesBackCredit } from '../change/plan-change.js'
import { providerOf } from '../charge/open.js'
import { releaseRedemption } from '../discount/redemption.js'
import { recordEvent } from '../event/record.js'
import { type Account, observe } from '../follow/observe.js'
import { grantAnnounced } from '../follow/period.js'
import { postEntry } from '../ledger/store.js'
import { promotionOf, release } from '../promotion/give.js'
import type { ProviderFault } from '../provider/fault.js'
import { findLink, keepCustomer, putLink, updateLink } from '../provider/link.js'
import { type CallRow, providerTables } from '../provider-tables.js'
import { dropReferral } from '../referral/record.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import type { CallOutcome, Said } from './said.js'
import { accountVersion, OPEN_STATES, stateOf } from './wish.js'

/** @param isFresh True when the answer was read after the account had changed, so that nothing older is applied. */
export async function applyAnswer(
  writing: BillingWriting,
  call: CallRow,
  said: Said,
  isFresh: boolean,
): Promise<CallOutcome | 'stale'> {
  const { inTime, root } = await openAccount(writing, call.orgId)
  if (said.kind === 'subscription' && (await isStale(writing, call, said.afterMs, isFresh))) return 'stale'
  if (!(await close(writing, call, 'done'))) return 'held'
  const row = await findSubscription(inTime, call.subscriptionId)
  if (row === null) return 'done'
  if (said.kind === 'credit') {
    await confirmCredit(inTime, row, call, said.ref)
    return 'done'
  }
  const { seen } = said
  const { kind } = providerOf(inTime.runtime)
  await keepCustomer(inTime, { orgId: call.orgId, provider: kind, customerId: seen.customerId })
  // A superseded subscription is ended at the provider. Here nothing is left to change.
  if (call.kind === 'end' && call.wish.externalId !== undefined) return 'done'
  const isNew = (await findLink(inTime.tx, row.id)) === null
  let link = await putLink(writing.tx, writing.nowMs, { id: row.id, orgId: row.orgId, provider: kind })
  if (call.kind === 'reactivate') link = await updateLink(inTime, link, { cancelUnconfirmed: false })
  // guard: credit-of-before-goes-to-the-provider
  const known = isNew ? await tellOpenCredit(inTime, row) : row
  const account = await observe(inTime, { root, row: known, link }, seen, 'read')
  if (call.kind === 'create' || call.kind === 'apply') await hold(inTime, account, call)
  await checkAlerts(inTime, root)
  return 'done'
}

/** True when something newer was applied while the provider was asked, or when the account changed since the wish. */
async function isStale({ tx }: BillingWriting, call: CallRow, afterMs: number, isFresh: boolean): Promise<boolean> {
  const link = await findLink(tx, call.subscriptionId)
  if (link !== null && link.seenAtMs !== afterMs && call.wish.externalId === undefined) return true
  return !isFresh && (await accountVersion(tx, call.orgId)) !== call.version
}

/** Applies what was wished, now that the provider has confirmed it. */
async function hold(writing: BillingWriting, { root, row, link }: Account, call: CallRow): Promise<void> {
  if (row.status === 'canceled') return
  const after = stateOf(call)
  const isSame = isSameHolding(row, after)
  const isLater = call.wish.charge === 'period_end'
  if (isSame && (!isLater || row.pendingChange === null)) return
  const { pruned = [], cascaded = [], lostCombos = [] } = call.wish.change ?? {}
  const pendingChange = isLater && !isSame ? after : null
  const when = isLater ? ('period_end' as const) : ('now' as const)
  const planned = { when, after, pendingChange, invoiceNow: null, pruned, cascaded, lostCombos }
  const held = await commitChange(writing, root, row, { planned, atMs: writing.nowMs })
  // guard: credit-of-an-announced-invoice-is-granted-at-once
  await grantAnnounced(writing, held.row, link, takesBackCredit(writing.runtime, { before: row, when, after }))
}

/** The provider refused: nothing is granted, and what was reserved is released. */
export async function applyRefusal(writing: BillingWriting, call: CallRow, fault: ProviderFault): Promise<CallOutcome> {
  const { inTime } = await openAccount(writing, call.orgId)
  const { code, message, isDeclined } = fault
  if (!(await close(writing, call, 'refused', { code, message, isDeclined }))) return 'held'
  const row = await findSubscription(inTime, call.subscriptionId)
  if (row === null) return 'refused'
  const ids = { orgId: row.orgId, subscriptionId: row.id }
  if (call.kind === 'create' && row.status === 'incomplete') {
    await dropReferral(inTime, row)
    await dropReserved(inTime, row)
  }
  if (call.kind === 'credit') await reverseCredit(inTime, row, call)
  const details = { reason: 'refused_by_provider', call: call.kind, code }
  await recordEvent(inTime, { ...ids, type: 'subscription_updated', details })
  return 'refused'
}

/** @returns False when the row is closed already, or another process has it. */
async function close(
  { tx, nowMs }: BillingWriting,
  call: CallRow,
  state: 'done' | 'refused',
  answer: CallRow['answer'] = null,
): Promise<boolean> {
  const { billingProviderCalls: t } = providerTables(tx)
  const closed = await tx
    .update(t)
    .set({ state, answer, leaseUntilMs: 0, updatedAtMs: nowMs })
    .where(
      and(
        eq(t.id, call.id),
        inArray(t.state, [...OPEN_STATES]),
        // guard: an-answer-is-applied-by-who-asked
        eq(t.fence, call.fence),
      ),
    )
    .returning({ id: t.id })
  return closed.length > 0
}

export async function findSubscription(
  { tx }: Pick<BillingWriting, 'tx'>,
  id: string,
): Promise<SubscriptionRow | null> {
  const [row] = await subscriptionOf(tx, { id })
  return row ?? null
}

const subscriptionOf = prepared((db, value: (name: 'id') => Placeholder) => {
  const { billingSubscriptions: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.id, value('id')))
})

async function dropReserved({ tx }: BillingWriting, row: SubscriptionRow): Promise<void> {
  const { billingSubscriptions: t } = billingTables(tx)
  const { billingProviderLinks: links } = providerTables(tx)
  await tx.delete(links).where(eq(links.id, row.id))
  await tx.delete(t).where(and(eq(t.id, row.id), eq(t.status, 'incomplete')))
}

async function confirmCredit(writing: BillingWriting, row: SubscriptionRow, call: CallRow, ref: string): Promise<void> {
  const key = call.wish.credit?.dedupeKey ?? ''
  const fulfillmentRef = { kind: 'balance_transaction', ref }
  const next = await postEntry(writing, row, key, (ledger) => confirmPush(ledger, { dedupeKey: key, fulfillmentRef }))
  await writeSubscription(writing, next, { pendingRows: Math.max(0, next.pendingRows - 1) })
  // guard: what-a-preview-did-not-count-makes-it-stale
  await bumpVersion(writing, row.orgId)
}

/**
 * Credit that an account earned before a provider charged it, such as on the free plan, is in no balance there. It waits
 * to be sent like credit of now.
 */
async function tellOpenCredit(writing: BillingWriting, row: SubscriptionRow): Promise<SubscriptionRow> {
  const { billingCreditEntries: t } = billingTables(writing.tx)
  const waiting = await writing.tx
    .update(t)
    .set({ state: 'pending', fulfillmentRef: null })
    .where(and(eq(t.subscriptionId, row.id), eq(t.type, 'grant'), eq(t.state, 'posted'), gt(t.remainingCents, 0)))
    .returning({ id: t.id })
  if (waiting.length === 0) return row
  return writeSubscription(writing, row, { pendingRows: row.pendingRows + waiting.length })
}

async function reverseCredit(writing: BillingWriting, row: SubscriptionRow, call: CallRow): Promise<void> {
  const key = call.wish.credit?.dedupeKey ?? ''
  // A debit that the provider refuses stays booked here. The next comparison books what the provider still has.
  if ((call.wish.credit?.cents ?? 0) < 0) return confirmCredit(writing, row, call, `refused:${call.id}`)
  const reversal = { id: writing.runtime.ids.next(), at: at(writing.nowMs), grantKey: key }
  const next = await postEntry(writing, row, [key, ledgerKey.refusedPush(key)], (ledger) =>
    refusePush(ledger, reversal),
  )
  // guard: what-was-refused-is-given-back
  await releaseRefused(writing, row, key)
  await writeSubscription(writing, next, { pendingRows: Math.max(0, next.pendingRows - 1) })
}

/** What the grant took from its promotion or discount can be used again, as far as it was not used up before. */
async function releaseRefused({ tx }: BillingWriting, row: SubscriptionRow, grantKey: string): Promise<void> {
  const { billingCreditEntries: t } = billingTables(tx)
  const rows = await tx
    .select({ key: t.dedupeKey, sourceId: t.sourceId, cents: t.cents })
    .from(t)
    .where(and(eq(t.orgId, row.orgId), inArray(t.dedupeKey, [grantKey, ledgerKey.refusedPush(grantKey)])))
  const granted = rows.find(({ key }) => key === grantKey)
  const reversal = rows.find(({ key }) => key !== grantKey)
  if (granted === undefined || reversal === undefined) return
  const recovered = 0 - reversal.cents
  const isWhole = recovered === granted.cents
  const promotionId = promotionOf(granted.sourceId)
  if (promotionId !== null) await release(tx, promotionId, cents(recovered), isWhole)
  else if (isWhole) await releaseRedemption(tx, granted.sourceId, row.orgId)
}
