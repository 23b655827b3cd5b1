/**
 * Places of an account. Capacity types (plugins, pipelines, stored bytes, …) are live counts of rows: there is no counter that could leak, and
 * nothing is reserved. A change looks at the headroom before its work, and counts again in its own transaction, with the
 * account's row locked; that count decides. Source: spec platform 12.3.
 */
import type { QuotaType } from '@plumbline/billing-core'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Refusal } from '../errors.js'
import type { CountUsage } from '../operation/registration.js'
import { findPort, type Ports, port } from '../port.js'
import type { Db, Tx } from '../store/db.js'

/** The rows that a quota type counts. */
export interface CountedRows {
  readonly table: SQLiteTable
  /** The column that names the organization. */
  readonly orgId: SQLiteColumn
  /** Which rows count: those that are not deleted. */
  readonly where?: SQL | undefined
  /** What one row weighs, such as its bytes; one each unless said. */
  readonly amount?: SQL | SQLiteColumn
}

/**
 *     usage: { pipelines: countLive((db) => { const { pipelines: t } = pipelineTables(db); return { table: t, orgId: t.orgId, where: isNull(t.deletedAtMs) } }) }
 */
export function countLive(rows: (db: Db) => CountedRows): CountUsage {
  const used = ({ amount }: CountedRows) => (amount === undefined ? sql`count(*)` : sql`coalesce(sum(${amount}), 0)`)
  const ofOrgs = (column: SQLiteColumn, orgIds: readonly string[]) =>
    orgIds.length === 1 ? eq(column, orgIds[0]) : inArray(column, [...orgIds])
  const count = async (db: Db, orgIds: readonly string[]): Promise<number> => {
    const counted = rows(db)
    const where = and(ofOrgs(counted.orgId, orgIds), counted.where)
    const [row] = await db
      .select({ used: used(counted).mapWith(Number) })
      .from(counted.table)
      .where(where)
    return row?.used ?? 0
  }
  const byOrg = (db: Db, orgIds: readonly string[] | null): SQL => {
    const counted = rows(db)
    const where = and(orgIds === null ? undefined : ofOrgs(counted.orgId, orgIds), counted.where) ?? sql`true`
    return sql`SELECT ${counted.orgId} AS org_id, ${used(counted)} AS used FROM ${counted.table} WHERE ${where} GROUP BY ${counted.orgId}`
  }
  return Object.assign(count, { byOrg })
}

/** A limit that usage is above. */
export interface Overage {
  /** A quota type, or `seats`. */
  readonly quotaType: string
  readonly currentUsage: number
  readonly targetCap: number
  readonly overage: number
}

export interface CapacityPort {
  /**
   * A read-only look, so that a full account hears it before its upload is worked on. It reads other organizations of the
   * account, so the operation runs with `acrossOrganizations`.
   * @param amount places wanted.
   * @throws Refusal 429 `QUOTA_EXCEEDED`.
   */
  checkHeadroom(db: Db, orgId: string, type: QuotaType, amount: number): Promise<void>
  /**
   * Locks the root account's row and counts over the account's organizations; without a limit it does neither. Called before
   * the insert, in its transaction; the operation runs with `acrossOrganizations`, because the account's other teams are counted.
   * @throws Refusal 429 `QUOTA_EXCEEDED`; the transaction is rolled back by it.
   */
  take(tx: Tx, orgId: string, type: QuotaType, amount: number): Promise<void>
  /**
   * Takes the places of all that a deleted team holds, in the transaction that restores it, with its root's row locked.
   * @throws Refusal 429 `QUOTA_EXCEEDED` where the account has not so many left; the team stays deleted then.
   */
  takeBack(tx: Tx, teamOrgId: string): Promise<void>
  /**
   * The quota types whose limit this tier would lower below what is used; what was set by hand for the account stands over the tier.
   * Seats are the caller's to look at.
   */
  overages(db: Db, rootOrgId: string, tier: string): Promise<Overage[]>
}

/** @throws Refusal 503 where the process was made without one: nothing is created uncounted. */
export function capacityOf(runtime: { readonly ports?: Ports }): CapacityPort {
  const capacity = findPort(runtime, capacityPort)
  if (capacity === undefined) throw new Refusal('SERVICE_UNAVAILABLE', 'places cannot be counted here')
  return capacity
}

export const capacityPort = port<CapacityPort>('capacity')
