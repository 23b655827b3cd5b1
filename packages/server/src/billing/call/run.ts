/**
 * Sends an open call and applies what the provider says. Every way in which an answer can be missing leaves a row that says what is
 * known, so that the next attempt does what is right:
 *
 * | What came back | Next |
 * |---|---|
 * | nothing, 409, 429 | the same key again |
 * | 401, 403 | the same key again: it says that an operator has to repair the credentials, and nothing about the call |
 * | 5xx | read; if the effect is not there, a new key: the provider keeps a 500 under the old one |
 * | another 4xx | refused; nothing changed there |
 * | the key was used for another request | as 5xx |
 * | nothing for 20 h | read first: the provider forgets keys after a day |
 */
import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { clockIdOf } from '../account/open.js'
import { inTurn } from '../account/turn.js'
import type { BillingWriting } from '../account/writing.js'
import { providerOf } from '../charge/open.js'
import { ProviderFault } from '../provider/fault.js'
import { findCustomer, findLink, keepCustomer } from '../provider/link.js'
import type { PaymentProvider, ProviderSubscription } from '../provider/port.js'
import { type CallRow, providerTables } from '../provider-tables.js'
import { applyAnswer, applyRefusal } from './apply.js'
import type { CallOutcome, Said, Settling } from './said.js'
import { findCall, OPEN_STATES, sentKey, stateOf } from './wish.js'

const LEASE_MS = 60_000
const READ_FIRST_MS = 20 * 3_600_000
const BACKOFF_MS = 5000
const BACKOFF_MS_MAX = 900_000
/** A call that was refused may have left a customer behind. */
const CUSTOMER_SINCE_MS = 30 * 86_400_000
/** The most reads when the account keeps changing meanwhile. */
const TURNS_MAX = 3

/** Sends the call once, unless another process is handling it. */
export async function runCall(settling: Settling, id: string): Promise<CallOutcome> {
  const call = await settling.write((writing) => claim(writing, id))
  if (call === null) {
    const now = await settling.read((db) => findCall(db, id))
    return now?.state === 'done' || now?.state === 'refused' ? now.state : 'held'
  }
  let said: Said
  let sent = call
  const afterMs = await settling.read((db) => seenAtOf(db, call))
  try {
    const asked = await ask(settling, call)
    said = asked.said
    sent = asked.call
  } catch (error) {
    const fault = error instanceof ProviderFault ? error : new ProviderFault('unknown', String(error), { cause: error })
    if (fault !== error) settling.runtime.log?.write('billing.call_failed', { error, call: id })
    if (fault.isLockedOut)
      settling.runtime.log?.write('billing.provider_locked_out', { providerCode: fault.code, call: id })
    return settling.write((writing) => afterFault(writing, call, fault))
  }
  return apply(settling, sent, said.kind === 'subscription' ? { ...said, afterMs } : said)
}

/** @returns null when the call is not open, or another process has it. */
async function claim({ tx, nowMs }: BillingWriting, id: string): Promise<CallRow | null> {
  const { billingProviderCalls: t } = providerTables(tx)
  const before = await findCall(tx, id)
  if (before === null) return null
  const [row] = await tx
    .update(t)
    .set({
      // An unknown state stays unknown until the provider's state was read.
      state: before.state === 'unknown' ? 'unknown' : 'sent',
      fence: before.fence + 1,
      leaseUntilMs: nowMs + LEASE_MS,
      attempts: before.attempts + 1,
      firstSentAtMs: before.firstSentAtMs ?? nowMs,
      updatedAtMs: nowMs,
    })
    .where(
      and(
        eq(t.id, id),
        eq(t.fence, before.fence),
        inArray(t.state, [...OPEN_STATES]),
        // guard: a-call-is-in-one-hand
        lte(t.leaseUntilMs, nowMs),
      ),
    )
    .returning()
  return row === undefined ? null : { ...row, state: before.state }
}

/** Reads when the effect may exist already; sends otherwise. */
async function ask(settling: Settling, call: CallRow): Promise<{ said: Said; call: CallRow }> {
  const { runtime } = settling
  const provider = providerOf(runtime)
  const nowMs = runtime.clock.now()
  // guard: after-a-day-it-is-read-before-it-is-sent
  const isOld = call.firstSentAtMs !== null && nowMs - call.firstSentAtMs >= READ_FIRST_MS
  // What is sent for a change depends on the provider's state, and a key is valid for one request only.
  const isAgain = call.kind === 'apply' && call.attempts > 1
  if (call.state !== 'unknown' && !isOld && !isAgain) return { said: await send(settling, provider, call), call }
  const found = await find(settling, provider, call)
  // guard: what-may-be-there-is-read-before-it-is-sent
  if (found !== null) return { said: found, call }
  if (call.state !== 'unknown' && !isOld) return { said: await send(settling, provider, call), call }
  // guard: a-key-that-failed-is-not-used-again
  const renewed = await settling.write((writing) => renewKey(writing, call))
  return { said: await send(settling, provider, renewed), call: renewed }
}

/** The provider stores a failure with its key, so a retry with that key would fail again. */
async function renewKey({ tx, nowMs }: BillingWriting, call: CallRow): Promise<CallRow> {
  const { billingProviderCalls: t } = providerTables(tx)
  const next = { keyNumber: call.keyNumber + 1, firstSentAtMs: nowMs, state: 'sent', updatedAtMs: nowMs }
  await tx
    .update(t)
    .set(next)
    .where(and(eq(t.id, call.id), eq(t.fence, call.fence)))
  return { ...call, ...next }
}

async function send(settling: Settling, provider: PaymentProvider, call: CallRow): Promise<Said> {
  const key = sentKey(call)
  const { wish, kind } = call
  if (kind === 'credit') {
    const customerId = await customerOf(settling, provider, call)
    const { cents = 0, rowId = '' } = wish.credit ?? {}
    return { kind: 'credit', ref: (await provider.adjustCredit(key, { customerId, cents: 0 - cents, rowId })).ref }
  }
  if (kind === 'create') {
    const customerId = await customerOf(settling, provider, call)
    const trialEndMs = wish.trialEndsAt === undefined ? null : Date.parse(wish.trialEndsAt)
    const ids = { customerId, subscriptionId: call.subscriptionId, orgId: call.orgId, trialEndMs }
    return saidNow(await provider.createSubscription(key, { ...stateOf(call), ...ids }))
  }
  const externalId = wish.externalId ?? (await externalIdOf(settling, call))
  if (kind === 'apply') {
    const proratedAtMs = wish.proratedAt === undefined ? null : Date.parse(wish.proratedAt)
    const charging = { charge: wish.charge ?? 'now', proratedAtMs }
    return saidNow(await provider.applyState(key, { ...stateOf(call), externalId, ...charging }))
  }
  if (kind === 'end') return saidNow(await provider.end(key, externalId))
  const asked = kind === 'cancel' ? provider.cancelAtPeriodEnd(key, externalId) : provider.reactivate(key, externalId)
  return saidNow(await asked)
}

const saidNow = (seen: ProviderSubscription): Said => ({ kind: 'subscription', seen, afterMs: 0 })

const seenAtOf = async (db: Db, call: CallRow): Promise<number> =>
  (await findLink(db, call.subscriptionId))?.seenAtMs ?? 0

async function externalIdOf({ read }: Settling, call: CallRow): Promise<string> {
  const link = await read((db) => findLink(db, call.subscriptionId))
  if (link?.externalId == null)
    throw new TypeError(`${call.kind} of ${call.subscriptionId}, which the provider does not have`)
  return link.externalId
}

/**
 * Returns the customer of an account; there is one for each account. The key is the organization's, in a sandbox with its
 * test clock, and the resulting customer is stored. When an answer may have been lost, the customer is looked up by our id,
 * and otherwise requested with the next key, because the provider stores a failure with the first one.
 */
async function customerOf(settling: Settling, provider: PaymentProvider, call: CallRow): Promise<string> {
  const { orgId } = call
  const known = await settling.read((db) => findCustomer(db, orgId))
  if (known !== null) return known
  // guard: a-customer-that-may-be-there-is-looked-for
  const sinceMs = call.attempts > 1 ? call.createdAtMs - CUSTOMER_SINCE_MS : null
  const made = sinceMs === null ? null : await provider.findCustomer({ orgId, sinceMs })
  const clockId = await settling.read((db) => clockIdOf(db, orgId))
  // The provider answers a key of before with the customer that was deleted with its clock.
  // guard: a-deleted-customer-is-not-asked-for-again
  const idemKey = clockId === null ? `cust_${orgId}` : `cust_${orgId}_${clockId}`
  const customerId = made ?? (await provider.ensureCustomer(sentKey({ ...call, idemKey }), { orgId, name: orgId }))
  await settling.write((writing) => keepCustomer(writing, { orgId, provider: provider.kind, customerId }))
  return customerId
}

/** Returns the effect of the call when it exists at the provider. */
async function find(settling: Settling, provider: PaymentProvider, call: CallRow): Promise<Said | null> {
  const customerId = await settling.read((db) => findCustomer(db, call.orgId))
  if (call.kind === 'credit') {
    if (customerId === null) return null
    const { cents = 0, rowId = '' } = call.wish.credit ?? {}
    const found = await provider.findCredit({ customerId, cents: 0 - cents, rowId })
    return found === null ? null : { kind: 'credit', ref: found.ref }
  }
  const link = await settling.read((db) => findLink(db, call.subscriptionId))
  const externalId = call.wish.externalId ?? link?.externalId ?? null
  const seen = await provider.readSubscription({ externalId, customerId, subscriptionId: call.subscriptionId })
  return seen !== null && hasEffect(call, seen) ? saidNow(seen) : null
}

function hasEffect(call: CallRow, seen: ProviderSubscription): boolean {
  switch (call.kind) {
    case 'create':
      return !seen.isEnded
    case 'apply':
      return seen.callKey === call.idemKey || seen.callKey?.startsWith(`${call.idemKey}:`) === true
    case 'cancel':
      return seen.cancelAtPeriodEnd || seen.isEnded
    case 'reactivate':
      return !seen.cancelAtPeriodEnd
    default:
      return seen.isEnded
  }
}

/** Applies the answer. When the account changed since the wish, applies the provider's current state. */
async function apply(settling: Settling, call: CallRow, first: Said): Promise<CallOutcome> {
  const provider = providerOf(settling.runtime)
  let said = first
  for (let turn = 1; ; turn++) {
    const isFresh = turn > 1
    const outcome = await inTurn(settling.runtime, call.orgId, () =>
      settling.write((writing) => applyAnswer(writing, call, said, isFresh)),
    )
    if (outcome !== 'stale' || said.kind !== 'subscription' || turn > TURNS_MAX)
      return outcome === 'stale' ? 'open' : outcome
    try {
      const { externalId, customerId } = said.seen
      const seenAtMs = await settling.read((db) => seenAtOf(db, call))
      const again = await provider.readSubscription({ externalId, customerId, subscriptionId: call.subscriptionId })
      if (again !== null) said = { kind: 'subscription', seen: again, afterMs: seenAtMs }
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      return settling.write((writing) => afterFault(writing, call, new ProviderFault('unknown', error.message)))
    }
  }
}

/** Records what is known after a failure. */
async function afterFault(writing: BillingWriting, call: CallRow, fault: ProviderFault): Promise<CallOutcome> {
  const { tx, nowMs } = writing
  if (fault.kind === 'refused') return applyRefusal(writing, call, fault)
  const { billingProviderCalls: t } = providerTables(tx)
  const waitMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** Math.min(call.attempts - 1, 10))
  await tx
    .update(t)
    .set({
      // Once it is unknown whether the effect exists, a missing answer does not change that.
      state: fault.kind === 'unknown' || call.state === 'unknown' ? 'unknown' : 'sent',
      leaseUntilMs: 0,
      nextAtMs: nowMs + waitMs,
      answer: { code: fault.code, message: fault.message },
      updatedAtMs: nowMs,
    })
    .where(and(eq(t.id, call.id), eq(t.fence, call.fence)))
  return 'open'
}
