/**
 * Grants a promotion to several accounts in one transaction, with one statement for all of them where one account alone
 * would need one each. It gives what they would get one after the other, or it gives nothing.
 */
import { isBackfillEligible, type LedgerState, type Promotion } from '@plumbline/billing-core'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { lockAccounts } from '../../identity/index.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { excludedOf, insertRows, type OnConflict, upsertRows } from '../../runtime/store/prepared.js'
import { accountTime } from '../account/open.js'
import { at, findLive, LIVE } from '../account/subscription.js'
import { bumpVersion, writeSubscription } from '../account/writing.js'
import type { PromotionRow } from '../credit-tables.js'
import { type EventRow, eventRow } from '../event/record.js'
import { entriesOf, type LedgerWriting, openFrom, openStored } from '../ledger/store.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { findLink } from '../provider/link.js'
import { providerTables } from '../provider-tables.js'
import { billingTables, type EntryRow, type SubscriptionRow } from '../tables.js'
import { type Given, grantEvent, grantKey, planGrant, reserve } from './give.js'
import { findPromotion, promotionAccount, toPromotion } from './record.js'

/** What a grant of one account writes. */
interface Written {
  readonly before: SubscriptionRow
  readonly after: SubscriptionRow
  readonly entries: readonly EntryRow[]
  readonly events: readonly EventRow[]
}

/**
 * @returns For each account what it got; null for one that is not eligible.
 * @throws Error when the accounts must be worked on one by one: one has a fault, or the budget was spent meanwhile.
 */
export async function givePage(
  context: LedgerWriting,
  orgIds: readonly string[],
  promotionId: string,
): Promise<(Given | null)[]> {
  const { tx } = context
  await lockAccounts(tx, orgIds)
  const stored = await findPromotion(tx, promotionId)
  if (stored === null) return orgIds.map(() => null)
  const read = tx.database === 'sqlite' ? readEach : readAll
  const facts = await read(tx, orgIds, stored)
  const written: Written[] = []
  let promotion = toPromotion(stored)
  const given = facts.map((fact) => {
    const done = fact === null ? null : giveOne(context, fact, { stored, promotion })
    if (done === null) return null
    promotion = done.promotion
    if (done.written !== null) written.push(done.written)
    return done.given
  })
  const spent = given.reduce((sum, each) => sum + (each?.granted === true ? (each.cents ?? 0) : 0), 0)
  if (written.length === 0) return given
  if (!(await reserve(tx, promotionId, spent, written.length))) throw new Error('the budget changed meanwhile')
  await write(context, written)
  return given
}

interface Fact {
  readonly row: SubscriptionRow
  readonly sandbox: boolean
  /** The time of the account; null for the time of the process. */
  readonly clockMs: number | null
  readonly isCharged: boolean
  /** For the key of the grant. */
  readonly ledger: LedgerState
}

/** SQLite runs prepared statements one by one faster than it could prepare one for all. */
async function readEach(tx: Tx, orgIds: readonly string[], promotion: PromotionRow): Promise<(Fact | null)[]> {
  const facts: (Fact | null)[] = []
  for (const orgId of orgIds) {
    const row = await findLive(tx, orgId)
    if (row === null) {
      facts.push(null)
      continue
    }
    const { nowMs, sandbox } = await accountTime(tx, orgId, NO_CLOCK)
    const ledger = await openStored({ tx }, row, [grantKey(row, promotion)])
    const isCharged = (await findLink(tx, row.id)) !== null
    facts.push({ row, sandbox, clockMs: sandbox ? nowMs : null, isCharged, ledger })
  }
  return facts
}

const NO_CLOCK = 0

/** Null for an account without a live subscription. */
async function readAll(db: Db, orgIds: readonly string[], promotion: PromotionRow): Promise<(Fact | null)[]> {
  const t = { ...billingTables(db), ...providerTables(db), ...marketplaceTables(db) }
  const { billingSubscriptions: s, billingCreditEntries: e, billingAccounts: a, billingClocks: c } = t
  const { billingProviderLinks: links, billingCreditHolds: h } = t
  const ids = [...orgIds]
  const rows = await db
    .select()
    .from(s)
    .where(and(inArray(s.orgId, ids), inArray(s.status, [...LIVE])))
  const subscriptionIds = rows.map(({ id }) => id)
  const keys = rows.map((row) => grantKey(row, promotion))
  const accounts = await db
    .select({ orgId: a.orgId, clockId: a.clockId, nowMs: c.nowMs })
    .from(a)
    .leftJoin(c, eq(a.clockId, c.id))
    .where(inArray(a.orgId, ids))
  const open = await db
    .select()
    .from(e)
    .where(and(inArray(e.subscriptionId, subscriptionIds), gt(e.remainingCents, 0)))
  const asked = await db
    .select()
    .from(e)
    .where(and(inArray(e.orgId, ids), inArray(e.dedupeKey, keys)))
  const holds = await db
    .select({ orgId: h.orgId, key: h.key, subscriptionId: h.subscriptionId, cents: h.cents })
    .from(h)
    .where(inArray(h.orgId, ids))
  const charged = await db.select({ id: links.id }).from(links).where(inArray(links.id, subscriptionIds))
  const isCharged = new Set(charged.map(({ id }) => id))
  const rowOf = new Map(rows.map((row) => [row.orgId, row]))
  const accountOf = new Map(accounts.map((each) => [each.orgId, each]))
  const openOf = groups(open, ({ subscriptionId }) => subscriptionId)
  const askedOf = groups(asked, ({ orgId }) => orgId)
  const holdsOf = groups(holds, ({ orgId }) => orgId)
  return orgIds.map((orgId): Fact | null => {
    const row = rowOf.get(orgId)
    if (row === undefined) return null
    const account = accountOf.get(orgId)
    return {
      row,
      sandbox: account?.clockId != null,
      clockMs: account?.nowMs ?? null,
      isCharged: isCharged.has(row.id),
      ledger: openFrom(row, [grantKey(row, promotion)], {
        open: openOf.get(row.id) ?? [],
        asked: askedOf.get(orgId) ?? [],
        holds: holdsOf.get(orgId) ?? [],
      }),
    }
  })
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const item of items) {
    const known = found.get(keyOf(item))
    if (known === undefined) found.set(keyOf(item), [item])
    else known.push(item)
  }
  return found
}

/** Null for an account that is not eligible. */
function giveOne(
  base: LedgerWriting,
  { row, sandbox, clockMs, isCharged, ledger }: Fact,
  { stored, promotion }: { readonly stored: PromotionRow; readonly promotion: Promotion },
): { readonly given: Given; readonly promotion: Promotion; readonly written: Written | null } | null {
  const context = { ...base, nowMs: clockMs ?? base.nowMs }
  if (stored.sandbox !== sandbox) return null
  if (!isBackfillEligible(promotion, promotionAccount(base.runtime, row), at(context.nowMs))) return null
  const planned = planGrant(context, row, { promotion, cause: 'manual', ledger })
  const { granted, cents, reason, outcome } = planned
  const given = { row, granted, cents, reason }
  if (outcome === null || cents === null) return { given, promotion, written: null }
  if (outcome.updates.length > 0 || outcome.hold !== null) throw new TypeError('a grant changes no other row')
  const { rows: entries, columns } = entriesOf(row, outcome, isCharged)
  const events = outcome.events.map(({ type, subscriptionId, ...details }) =>
    eventRow(context, { orgId: row.orgId, subscriptionId, type, details }),
  )
  events.push(eventRow(context, grantEvent(row, stored.id, cents)))
  const after = { ...row, ...columns, updatedAtMs: context.nowMs }
  return { given, promotion: planned.promotion, written: { before: row, after, entries, events } }
}

const BALANCES = ['balanceCents', 'lastSeq', 'ledgerHash', 'pendingRows', 'updatedAtMs'] as const
type Subscriptions = ReturnType<typeof billingTables>['billingSubscriptions']
type Accounts = ReturnType<typeof billingTables>['billingAccounts']
const NEW_BALANCE: OnConflict<Subscriptions> = { set: (t) => excludedOf(t, BALANCES) }
const NEXT_VERSION: OnConflict<Accounts> = {
  set: (t) => ({ ...excludedOf(t, ['updatedAtMs']), version: sql`${t.version} + 1` }),
}

async function write(context: LedgerWriting, written: readonly Written[]): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { billingCreditEntries, billingEvents, billingSubscriptions, billingAccounts } = billingTables(tx)
  await insertRows(
    tx,
    billingCreditEntries,
    written.flatMap(({ entries }) => entries),
  )
  await insertRows(
    tx,
    billingEvents,
    written.flatMap(({ events }) => events),
  )
  if (tx.database === 'sqlite') {
    for (const { before, after } of written) {
      const { balanceCents, lastSeq, ledgerHash, pendingRows, updatedAtMs } = after
      await writeSubscription({ tx, nowMs: updatedAtMs }, before, { balanceCents, lastSeq, ledgerHash, pendingRows })
      await bumpVersion(context, before.orgId)
    }
    return
  }
  const subscriptions = written.map(({ after }) => after)
  await upsertRows(tx, billingSubscriptions, subscriptions, [billingSubscriptions.id], NEW_BALANCE)
  const { BILLING_PROVIDER: provider } = runtime.settings
  const first = { provider, version: 1, clockId: null, trialUsedAtMs: null, createdAtMs: nowMs, updatedAtMs: nowMs }
  const accounts = subscriptions.map(({ orgId }) => ({ ...first, orgId }))
  await upsertRows(tx, billingAccounts, accounts, [billingAccounts.orgId], NEXT_VERSION)
}
