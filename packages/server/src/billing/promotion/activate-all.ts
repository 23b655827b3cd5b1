/**
 * Grants a promotion to every eligible account, with one transaction for a few accounts, so that it can stop and
 * continue.
 */
import { isBackfillEligible } from '@plumbline/billing-core'
import { and, eq, ne } from 'drizzle-orm'
import type { ActorRecord, Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { accountTime } from '../account/open.js'
import { at, findLive } from '../account/subscription.js'
import { bumpVersion, lockRoot } from '../account/writing.js'
import { creditTables } from '../credit-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { type Given, givePromotion } from './give.js'
import { givePage } from './give-page.js'
import { findPromotion, promotionAccount, toPromotion } from './record.js'
import { accountsAfter, type Place } from './walk.js'

export interface Activation {
  total: number
  matched: number
  granted: number
  alreadyGranted: number
  skippedBudget: number
  /** Accounts that could not be worked on. The backfill tries them again. */
  failed: number
  spentCents: number
}

/** What the transaction of one account needs, in a request or a job. */
export interface Granting {
  readonly runtime: Runtime
  readonly actor: ActorRecord
  read<T>(run: (db: Tx) => Promise<T>): Promise<T>
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * Accounts in one transaction. PostgreSQL answers one statement for all of them in the time of one for one account.
 * SQLite has one writer, for which other requests wait.
 */
const TOGETHER = { pg: 50, sqlite: 5 } as const

const REASONS = { granted: 'granted', already_granted: 'alreadyGranted', budget_exhausted: 'skippedBudget' } as const

export async function activateForAll(granting: Granting, promotionId: string): Promise<Activation> {
  const done: Activation = {
    total: 0,
    matched: 0,
    granted: 0,
    alreadyGranted: 0,
    skippedBudget: 0,
    failed: 0,
    spentCents: 0,
  }
  let after: Place | null = null
  for (;;) {
    const place: Place | null = after
    const { rows, database } = await readPage(granting, place)
    const last: SubscriptionRow | undefined = rows.at(-1)
    if (last === undefined) {
      await granting.write((tx) => keepFailed(tx, promotionId, done.failed))
      return done
    }
    for (let from = 0; from < rows.length; from += TOGETHER[database]) {
      const orgIds = rows.slice(from, from + TOGETHER[database]).map(({ orgId }) => orgId)
      await giveAll(granting, promotionId, { orgIds, done })
    }
    after = last
  }
}

interface Page {
  readonly rows: readonly SubscriptionRow[]
  readonly database: keyof typeof TOGETHER
}

const readPage = (granting: Granting, after: Place | null): Promise<Page> =>
  granting.read(async (db) => ({ rows: await accountsAfter(db, after), database: db.database }))

/** In one transaction where that gives the same, else one account after the other. */
async function giveAll(
  granting: Granting,
  promotionId: string,
  { orgIds, done }: { readonly orgIds: readonly string[]; readonly done: Activation },
): Promise<void> {
  done.total += orgIds.length
  const given = await givenTogether(granting, promotionId, orgIds)
  if (given !== null) {
    for (const each of given) count(done, each)
    return
  }
  for (const orgId of orgIds) {
    const isDone = await apart(granting.runtime, orgId, async () => {
      count(done, await granting.write((tx) => giveOne(tx, granting, orgId, promotionId)))
    })
    if (!isDone) done.failed++
  }
}

/** Null when nothing was given. Whatever the fault is, it is told where the accounts are worked on one by one. */
async function givenTogether(granting: Granting, promotionId: string, orgIds: readonly string[]) {
  try {
    return await granting.write((tx) => givePage(baseOf(tx, granting), orgIds, promotionId))
  } catch {
    return null
  }
}

const baseOf = (tx: Tx, { runtime, actor }: Granting) => ({
  tx,
  runtime,
  actor,
  nowMs: runtime.clock.now(),
  audit: noEvidence,
})

async function keepFailed(tx: Tx, promotionId: string, failedAccounts: number): Promise<void> {
  const { billingPromotions: t } = creditTables(tx)
  await tx
    .update(t)
    .set({ failedAccounts })
    .where(and(eq(t.id, promotionId), ne(t.failedAccounts, failedAccounts)))
}

function count(done: Activation, given: Given | null): void {
  if (given === null) return
  done.matched++
  const counted = REASONS[given.reason as keyof typeof REASONS]
  if (counted !== undefined) done[counted]++
  if (given.granted) done.spentCents += given.cents ?? 0
}

/** Null for an account that is not eligible. Checked again under its lock, with the promotion's current state. */
async function giveOne(tx: Tx, granting: Granting, orgId: string, promotionId: string): Promise<Given | null> {
  const { runtime } = granting
  const base = baseOf(tx, granting)
  await lockRoot(base, orgId)
  const promotion = await findPromotion(tx, promotionId)
  const row = await findLive(tx, orgId)
  if (promotion === null || row === null) return null
  const { nowMs, sandbox } = await accountTime(tx, orgId, base.nowMs)
  if (promotion.sandbox !== sandbox) return null
  if (!isBackfillEligible(toPromotion(promotion), promotionAccount(runtime, row), at(nowMs))) return null
  const given = await givePromotion({ ...base, nowMs }, row, promotion, 'manual')
  if (given.granted) await bumpVersion(base, orgId)
  return given
}

/** A grant uses no credit, so it writes no evidence of its own. The evidence of the activation covers all grants. */
async function noEvidence(): Promise<void> {
  throw new TypeError('a grant of a promotion wrote evidence')
}
