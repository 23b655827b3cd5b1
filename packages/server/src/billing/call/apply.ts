/** The second transaction of a call: what the provider said takes effect, and the row is closed with it. */
import { confirmPush, ledgerKey, refusePush } from '@plumbline/billing-core'
import { and, eq, inArray } from 'drizzle-orm'
import { at } from '../account/subscription.js'
import { type BillingWriting, lockRoot, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { commitChange } from '../change/commit-change.js'
import { isSameHolding } from '../change/plan-change.js'
import { providerOf } from '../charge/open.js'
import { recordEvent } from '../event/record.js'
import { type Account, observe } from '../follow/observe.js'
import { postEntry } from '../ledger/store.js'
import type { ProviderFault } from '../provider/fault.js'
import { findLink, keepCustomer, putLink, updateLink } from '../provider/link.js'
import { type CallRow, providerTables } from '../provider-tables.js'
import { dropReferral } from '../referral/record.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import type { CallOutcome, Said } from './said.js'
import { accountVersion, OPEN_STATES, stateOf } from './wish.js'

/** @param isFresh it was read after the account had changed, so that nothing older is applied. */
export async function applyAnswer(
  writing: BillingWriting,
  call: CallRow,
  said: Said,
  isFresh: boolean,
): Promise<CallOutcome | 'stale'> {
  const root = await lockRoot(writing, call.orgId)
  if (said.kind === 'subscription' && (await isStale(writing, call, said.afterMs, isFresh))) return 'stale'
  if (!(await close(writing, call, 'done'))) return 'held'
  const row = await findSubscription(writing, call.subscriptionId)
  if (row === null) return 'done'
  if (said.kind === 'credit') {
    await confirmCredit(writing, row, call, said.ref)
    return 'done'
  }
  const { seen } = said
  const { kind } = providerOf(writing.runtime)
  await keepCustomer(writing, { orgId: call.orgId, provider: kind, customerId: seen.customerId })
  // A subscription that was superseded is ended there, and is nothing here.
  if (call.kind === 'end' && call.wish.externalId !== undefined) return 'done'
  let link = await putLink(writing.tx, writing.nowMs, { id: row.id, orgId: row.orgId, provider: kind })
  if (call.kind === 'reactivate') link = await updateLink(writing, link, { cancelUnconfirmed: false })
  const account = await observe(writing, { root, row, link }, seen, 'read')
  if (call.kind === 'create' || call.kind === 'apply') await hold(writing, account, call)
  await checkAlerts(writing, root)
  return 'done'
}

/** Something newer was applied while the provider was asked, or the account changed since the wish. */
async function isStale({ tx }: BillingWriting, call: CallRow, afterMs: number, isFresh: boolean): Promise<boolean> {
  const link = await findLink(tx, call.subscriptionId)
  if (link !== null && link.seenAtMs !== afterMs && call.wish.externalId === undefined) return true
  return !isFresh && (await accountVersion(tx, call.orgId)) !== call.version
}

/** What was wished is held now that the provider has said yes to it. */
async function hold(writing: BillingWriting, { root, row }: Account, call: CallRow): Promise<void> {
  if (row.status === 'canceled') return
  const after = stateOf(call)
  const isSame = isSameHolding(row, after)
  const isLater = call.wish.charge === 'period_end'
  if (isSame && (!isLater || row.pendingChange === null)) return
  const { pruned = [], cascaded = [], lostCombos = [] } = call.wish.change ?? {}
  const pendingChange = isLater && !isSame ? after : null
  const when = isLater ? ('period_end' as const) : ('now' as const)
  const planned = { when, after, pendingChange, invoiceNow: null, pruned, cascaded, lostCombos }
  await commitChange(writing, root, row, { planned, atMs: writing.nowMs })
}

/** The provider said no: nothing is granted, and what was reserved goes. */
export async function applyRefusal(writing: BillingWriting, call: CallRow, fault: ProviderFault): Promise<CallOutcome> {
  await lockRoot(writing, call.orgId)
  const { code, message, isDeclined } = fault
  if (!(await close(writing, call, 'refused', { code, message, isDeclined }))) return 'held'
  const row = await findSubscription(writing, call.subscriptionId)
  if (row === null) return 'refused'
  const ids = { orgId: row.orgId, subscriptionId: row.id }
  if (call.kind === 'create' && row.status === 'incomplete') {
    await dropReferral(writing, row)
    await dropReserved(writing, row)
  }
  if (call.kind === 'credit') await reverseCredit(writing, row, call)
  const details = { reason: 'refused_by_provider', call: call.kind, code }
  await recordEvent(writing, { ...ids, type: 'subscription_updated', details })
  return 'refused'
}

/** @returns false where the row is closed already, or another process has it. */
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
  const { billingSubscriptions: t } = billingTables(tx)
  const [row] = await tx.select().from(t).where(eq(t.id, id))
  return row ?? null
}

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
}

async function reverseCredit(writing: BillingWriting, row: SubscriptionRow, call: CallRow): Promise<void> {
  const key = call.wish.credit?.dedupeKey ?? ''
  const reversal = { id: writing.runtime.ids.next(), at: at(writing.nowMs), grantKey: key }
  const next = await postEntry(writing, row, [key, ledgerKey.refusedPush(key)], (ledger) =>
    refusePush(ledger, reversal),
  )
  await writeSubscription(writing, next, { pendingRows: Math.max(0, next.pendingRows - 1) })
}
