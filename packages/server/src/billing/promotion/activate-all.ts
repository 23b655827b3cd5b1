/**
 * Grants a promotion to every eligible account, with one transaction for each account, so that it can stop and
 * continue.
 */
import { isBackfillEligible, type Promotion, promotionValue, reserveGrant } from '@plumbline/billing-core'
import { and, eq, ne } from 'drizzle-orm'
import type { ActorRecord, Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { accountTime } from '../account/open.js'
import { at, findLive } from '../account/subscription.js'
import { bumpVersion, lockRoot } from '../account/writing.js'
import { creditTables } from '../credit-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { type Given, givePromotion } from './give.js'
import { findPromotion, planPrice, promotionAccount, toPromotion } from './record.js'
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

/** Accounts at once on PostgreSQL, where most of the time goes into waiting for its answers. SQLite has one writer. */
const TOGETHER = 4

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
    const page: Page = await granting.read((db) => readPage(db, granting.runtime, promotionId, place))
    const last: SubscriptionRow | undefined = page.rows.at(-1)
    if (last === undefined) {
      await granting.write((tx) => keepFailed(tx, promotionId, done.failed))
      return done
    }
    await eachOf(page.rows, page.together, async ({ orgId }) => {
      done.total++
      const isDone = await apart(granting.runtime, orgId, async () => {
        count(done, await granting.write((tx) => giveOne(tx, granting, orgId, promotionId)))
      })
      if (!isDone) done.failed++
    })
    after = last
  }
}

interface Page {
  readonly rows: readonly SubscriptionRow[]
  /** How many of them may be worked on at once. */
  readonly together: number
}

async function readPage(
  db: Db,
  runtime: Pick<Runtime, 'settings'>,
  promotionId: string,
  after: Place | null,
): Promise<Page> {
  const promotion = await findPromotion(db, promotionId)
  if (promotion === null) return { rows: [], together: 1 }
  const rows = await accountsAfter(db, after)
  // guard: a-budget-that-ends-is-spent-in-order
  const isAnyOrder = db.database === 'pg' && coversAll(runtime, toPromotion(promotion), rows)
  return { rows, together: isAnyOrder ? TOGETHER : 1 }
}

/** True when the budget is enough for all these accounts, so that their order does not decide who gets something. */
function coversAll(
  runtime: Pick<Runtime, 'settings'>,
  promotion: Promotion,
  rows: readonly SubscriptionRow[],
): boolean {
  let left: Promotion | null = promotion
  for (const row of rows) {
    left = reserveGrant(left, promotionValue(left, planPrice(runtime, row)).cents)
    if (left === null) return false
  }
  return true
}

async function eachOf<T>(items: readonly T[], together: number, run: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await run(item)
  }
  await Promise.all(Array.from({ length: together }, worker))
}

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
async function giveOne(
  tx: Tx,
  { runtime, actor }: Granting,
  orgId: string,
  promotionId: string,
): Promise<Given | null> {
  const base = { tx, runtime, actor, nowMs: runtime.clock.now(), audit: noEvidence }
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
