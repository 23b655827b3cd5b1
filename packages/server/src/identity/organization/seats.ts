/**
 * Seats, pooled at the root of an account. One seat is a person who is active anywhere in the account, or an address
 * with a live invitation. A person in several teams uses one seat.
 *
 * INVARIANT: seats are counted after the change, in its own transaction and under the lock of the root's row, so that
 * concurrent changes cannot exceed the limit together. Source: spec platform 14.
 */
import { and, eq, gt, inArray, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { residual } from '../../runtime/store/index-table-filters.js'
import { prepared } from '../../runtime/store/prepared.js'
import { type EntitlementSettings, seatsAllowed } from '../account/entitlements.js'
import { lockAccount } from '../account/organizations.js'
import { identityTables } from '../tables.js'

export interface SeatCount {
  readonly members: number
  /** Addresses with a live invitation. */
  readonly pending: number
  readonly used: number
}

export async function countSeats(db: Db, rootOrgId: string, nowMs: number): Promise<SeatCount> {
  const [active] = await membersOfAccount(db, { rootOrgId })
  const [invited] = await invitedToAccount(db, { rootOrgId, nowMs })
  return seatsOf(active?.count, invited?.count)
}

const seatsOf = (members = 0, pending = 0): SeatCount => ({ members, pending, used: members + pending })

/** Counts by the root of each account; an account without people is absent. */
export async function countSeatsOf(
  db: Db,
  rootOrgIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, SeatCount>> {
  const inAccounts = inArray(identityTables(db).organizations.rootOrgId, [...rootOrgIds])
  const counts = new Map<string, SeatCount>()
  for (const { root, count } of await membersWhere(db, inAccounts)) counts.set(root, seatsOf(count))
  for (const { root, count } of await invitedWhere(db, inAccounts, nowMs)) {
    counts.set(root, seatsOf(counts.get(root)?.members, count))
  }
  return counts
}

function membersWhere(db: Db, inAccounts: SQL) {
  const { organizations, memberships, users } = identityTables(db)
  return db
    .select({
      root: organizations.rootOrgId,
      // guard: one-person-one-seat
      count: sql<number>`count(DISTINCT ${memberships.userId})`.mapWith(Number),
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(inAccounts, isNull(organizations.deletedAtMs), eq(memberships.isActive, true), eq(users.isActive, true)))
    .groupBy(organizations.rootOrgId)
}

function invitedWhere(db: Db, inAccounts: SQL, nowMs: number | Placeholder) {
  const { organizations, invitations } = identityTables(db)
  // Filters by the organizations of the accounts first, instead of scanning all pending invitations.
  const isPending = and(eq(invitations.status, 'pending'), gt(invitations.expiresAtMs, nowMs)) as SQL
  return db
    .select({
      root: organizations.rootOrgId,
      count: sql<number>`count(DISTINCT ${invitations.emailKey})`.mapWith(Number),
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.orgId))
    .where(and(inAccounts, isNull(organizations.deletedAtMs), residual(db, isPending)))
    .groupBy(organizations.rootOrgId)
}

const isAccount = (db: Db, rootOrgId: Placeholder): SQL => eq(identityTables(db).organizations.rootOrgId, rootOrgId)

const membersOfAccount = prepared((db, value: (name: 'rootOrgId') => Placeholder) =>
  membersWhere(db, isAccount(db, value('rootOrgId'))),
)

const invitedToAccount = prepared((db, value: (name: 'rootOrgId' | 'nowMs') => Placeholder) =>
  invitedWhere(db, isAccount(db, value('rootOrgId')), value('nowMs')),
)

/**
 * Makes a change that may use seats of the account.
 * @throws Refusal `SEAT_LIMIT` with `used` and `limit` when the change used a seat that was not free.
 */
export async function withSeats<T>(
  tx: Tx,
  { rootOrgId, settings, nowMs }: { rootOrgId: string; settings: EntitlementSettings; nowMs: number },
  change: () => Promise<T>,
): Promise<T> {
  const root = await lockAccount(tx, rootOrgId)
  const limit = seatsAllowed(root, settings)
  if (limit < 0) return change()
  const before = await countSeats(tx, rootOrgId, nowMs)
  const value = await change()
  const after = await countSeats(tx, rootOrgId, nowMs)
  // A change that uses no seat is allowed above the limit too, such as an invitation that becomes a membership.
  // guard: the-seats-of-an-account
  if (after.used > before.used && after.used > limit) throw seatLimit(before.used, limit)
  return value
}

/** Whether one more person fits; the caller holds the lock of the account. */
export async function hasFreeSeat(
  tx: Tx,
  { rootOrgId, settings, nowMs }: { rootOrgId: string; settings: EntitlementSettings; nowMs: number },
): Promise<boolean> {
  const root = await lockAccount(tx, rootOrgId)
  const limit = seatsAllowed(root, settings)
  return limit < 0 || (await countSeats(tx, rootOrgId, nowMs)).used < limit
}

const seatLimit = (used: number, limit: number): Refusal =>
  new Refusal('SEAT_LIMIT', `all ${limit} seats are taken: deactivate a member, revoke an invitation or add seats`, {
    details: { used, limit },
  })
