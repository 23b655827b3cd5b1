/**
 * Continues calls whose request has ended, pushes credit that the provider does not know yet, and repeats cancelations
 * that the provider has not confirmed.
 */
import { and, asc, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { JobContext } from '../../runtime/jobs/define.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { type BillingWriting, lockRoot, SUBSCRIPTION_ACTIONS, type SubscriptionAction } from '../account/writing.js'
import { providerOf } from '../charge/open.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'
import { CALLS_KIND } from './kind.js'
import { runCall } from './run.js'
import type { Settling } from './said.js'
import { findOpenCall, OPEN_STATES, writeWish } from './wish.js'

const AT_ONCE = 50
const EVERY_MS = 30_000
/** A provider that refuses to cancel is not asked in every round. */
const CANCEL_AGAIN_MS = 3_600_000

export const SYSTEM = { id: 'system', email: null, role: null, impersonatorId: null }

export const settlingIn = ({ runtime, read, write }: JobContext<SubscriptionAction>): Settling => ({
  runtime,
  read,
  write: (run) => write((writing) => run({ ...writing, runtime, actor: SYSTEM } as BillingWriting)),
})

export const callsJob = defineJob({
  kind: CALLS_KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run(context) {
    const { runtime, read, signal } = context
    if (!runtime.settings.BILLING_ENABLED || providerOf(runtime).isLocal) return
    const settling = settlingIn(context)
    await writeLeftWishes(settling)
    const seen: string[] = []
    for (;;) {
      const due = await read((db) => dueCalls(db, runtime.clock.now(), seen))
      for (const id of due) {
        if (signal.aborted) return
        seen.push(id)
        // One account that cannot be settled does not stop the others.
        await runCall(settling, id).catch((error: unknown) =>
          runtime.log?.write('billing.call_failed', { error, call: id }),
        )
      }
      if (due.length < AT_ONCE) return
    }
  },
})

export const callsSchedule = defineSchedule({ name: CALLS_KIND, kind: CALLS_KIND, everyMs: EVERY_MS, payload: {} })

async function dueCalls(db: Db, nowMs: number, seen: readonly string[]): Promise<string[]> {
  const { billingProviderCalls: t } = providerTables(db)
  const rows = await db
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        inArray(t.state, [...OPEN_STATES]),
        lte(t.nextAtMs, nowMs),
        lte(t.leaseUntilMs, nowMs),
        seen.length === 0 ? undefined : notInArray(t.id, [...seen]),
      ),
    )
    .orderBy(asc(t.nextAtMs), asc(t.id))
    .limit(AT_ONCE)
  return rows.map(({ id }) => id)
}

/** Writes wishes that had to wait because another call of the subscription was open. */
export async function writeLeftWishes({ runtime, read, write }: Settling): Promise<void> {
  const nowMs = runtime.clock.now()
  for (const { id, orgId } of await read(unconfirmedCancels)) {
    await apart(runtime, orgId, () =>
      write(async (writing) => {
        await lockRoot(writing, orgId)
        if ((await findOpenCall(writing.tx, id)) !== null) return
        if (await wasAskedSince(writing.tx, id, nowMs - CANCEL_AGAIN_MS)) return
        await writeWish(writing, { orgId, subscriptionId: id, kind: 'cancel', wish: {}, clientKey: null })
      }),
    )
  }
  for (const { id, orgId, subscriptionId, cents, dedupeKey } of await read(pendingCredit)) {
    await apart(runtime, orgId, () =>
      write(async (writing) => {
        await lockRoot(writing, orgId)
        if ((await findOpenCall(writing.tx, subscriptionId)) !== null) return
        const credit = { cents, rowId: id, dedupeKey }
        await writeWish(writing, { orgId, subscriptionId, kind: 'credit', wish: { credit }, clientKey: null })
      }),
    )
  }
}

async function unconfirmedCancels(db: Db): Promise<{ id: string; orgId: string }[]> {
  const { billingProviderLinks: t } = providerTables(db)
  return db
    .select({ id: t.id, orgId: t.orgId })
    .from(t)
    .where(and(eq(t.cancelUnconfirmed, true), eq(t.isEnded, false)))
    .orderBy(asc(t.updatedAtMs))
    .limit(AT_ONCE)
}

async function wasAskedSince(db: Db, subscriptionId: string, sinceMs: number): Promise<boolean> {
  const { billingProviderCalls: t } = providerTables(db)
  const rows = await db
    .select({ at: t.createdAtMs })
    .from(t)
    .where(and(eq(t.subscriptionId, subscriptionId), eq(t.kind, 'cancel')))
  return rows.some((row) => row.at > sinceMs)
}

/** The oldest pending row of each subscription, so that rows reach the provider in their order. */
async function pendingCredit(db: Db) {
  const { billingCreditEntries: t } = billingTables(db)
  const { billingProviderLinks: links } = providerTables(db)
  const rows = await db
    .select({
      id: t.id,
      orgId: t.orgId,
      subscriptionId: t.subscriptionId,
      // A grant that was used in part before the provider charged the account: only what is left goes there.
      cents:
        sql<number>`CASE WHEN ${t.type} = 'grant' THEN ${t.remainingCents} + ${t.reversedCents} ELSE ${t.cents} END`.mapWith(
          Number,
        ),
      dedupeKey: t.dedupeKey,
    })
    .from(t)
    .innerJoin(links, eq(links.id, t.subscriptionId))
    .where(and(eq(t.state, 'pending'), eq(links.isEnded, false)))
    .orderBy(asc(t.seq))
    .limit(AT_ONCE)
  const first = new Map<string, (typeof rows)[number]>()
  for (const row of rows) if (!first.has(row.subscriptionId)) first.set(row.subscriptionId, row)
  return [...first.values()]
}
