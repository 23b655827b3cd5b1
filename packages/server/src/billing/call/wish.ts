/**
 * A call to the provider is first a row. The wish is committed with its change, the request is sent after the commit,
 * and the answer is applied in a second transaction. When the process dies in between, the row is left, and a job
 * continues.
 *
 * INVARIANT: a subscription has at most one open call; a unique index enforces this.
 */
import { and, desc, eq, inArray } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import type { BillingBase } from '../account/writing.js'
import type { WantedState } from '../provider/port.js'
import { type CallRow, providerTables, type Wish } from '../provider-tables.js'
import { billingTables } from '../tables.js'

export const CALL_KINDS = ['create', 'apply', 'cancel', 'reactivate', 'end', 'credit'] as const
export type CallKind = (typeof CALL_KINDS)[number]
export const CALL_STATES = ['queued', 'sent', 'unknown', 'done', 'refused'] as const
export type CallState = (typeof CALL_STATES)[number]
export const OPEN_STATES = ['queued', 'sent', 'unknown'] as const

export interface NewCall {
  readonly orgId: string
  readonly subscriptionId: string
  readonly kind: CallKind
  readonly wish: Wish
  readonly clientKey: string | null
}

/**
 * Writes the wish.
 *
 * @throws Refusal 409 `CHANGE_IN_PROGRESS` while another call of the subscription is open.
 */
export async function writeWish(context: BillingBase, call: NewCall): Promise<CallRow> {
  const { tx, runtime, nowMs, actor } = context
  const { billingProviderCalls: t } = providerTables(tx)
  // guard: one-open-call-a-subscription
  if ((await findOpenCall(tx, call.subscriptionId)) !== null) throw changeInProgress()
  const version = await accountVersion(tx, call.orgId)
  const row: CallRow = {
    id: runtime.ids.next(),
    ...call,
    version,
    idemKey: await unusedKey(tx, call, version),
    keyNumber: 1,
    state: 'queued',
    fence: 0,
    leaseUntilMs: 0,
    attempts: 0,
    firstSentAtMs: null,
    nextAtMs: nowMs,
    answer: null,
    actorId: actor.id === 'system' ? null : actor.id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  await tx.insert(t).values(row)
  return row
}

export const changeInProgress = (): Refusal =>
  new Refusal('CHANGE_IN_PROGRESS', 'the provider has not answered the change before: try again in a moment', {
    headers: { 'retry-after': '10' },
  })

/** A refused call does not change the account, so the next call may have the same version. It needs a key of its own. */
async function unusedKey(tx: Db, call: NewCall, version: number): Promise<string> {
  const { billingProviderCalls: t } = providerTables(tx)
  const key = keyOf(call, version)
  if (call.kind === 'credit') return key
  const sent = await tx
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.orgId, call.orgId),
        eq(t.subscriptionId, call.subscriptionId),
        eq(t.kind, call.kind),
        eq(t.version, version),
      ),
    )
  // guard: a-call-after-a-refusal-has-its-own-key
  return sent.length === 0 ? key : `${key}.${sent.length + 1}`
}

function keyOf({ kind, subscriptionId, wish }: NewCall, version: number): string {
  if (kind === 'create') return `sub_${subscriptionId}_${version}`
  if (kind === 'credit') return `credit-${wish.credit?.rowId}`
  return `${kind === 'apply' ? 'state' : kind}_${subscriptionId}_${version}`
}

/** The key with which the call is sent. */
export const sentKey = ({ idemKey, keyNumber }: Pick<CallRow, 'idemKey' | 'keyNumber'>): string =>
  keyNumber === 1 ? idemKey : `${idemKey}:${keyNumber}`

export async function accountVersion(db: Db, orgId: string): Promise<number> {
  const { billingAccounts: t } = billingTables(db)
  const [row] = await db.select({ version: t.version }).from(t).where(eq(t.orgId, orgId))
  return row?.version ?? 0
}

export async function findOpenCall(db: Db, subscriptionId: string): Promise<CallRow | null> {
  const { billingProviderCalls: t } = providerTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.subscriptionId, subscriptionId), inArray(t.state, [...OPEN_STATES])))
  return row ?? null
}

/** Returns the call of an earlier request with the same Idempotency-Key. */
export async function findCallOfClient(db: Db, orgId: string, clientKey: string | null): Promise<CallRow | null> {
  if (clientKey === null) return null
  const { billingProviderCalls: t } = providerTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.clientKey, clientKey)))
    .orderBy(desc(t.createdAtMs))
  return row ?? null
}

export const stateOf = ({ wish }: Pick<CallRow, 'wish'>): WantedState => {
  if (wish.state === undefined) throw new TypeError('a call without the state that it asks for')
  return wish.state as WantedState
}

export async function findCall(db: Db, id: string): Promise<CallRow | null> {
  const { billingProviderCalls: t } = providerTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, id))
  return row ?? null
}
