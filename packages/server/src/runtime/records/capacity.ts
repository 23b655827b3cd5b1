/**
 * Capacity quotas of an account. Capacity types (plugins, pipelines, stored bytes, …) are counts of live rows. So no
 * counter can drift, and nothing is reserved.
 *
 * A change checks the headroom before its work, and counts again in its own transaction with the account's row locked.
 * That second count decides. Source: spec platform 12.3.
 */
import type { QuotaType } from '@plumbline/billing-core'
import { and, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Refusal } from '../errors.js'
import type { CountUsage } from '../operation/registration.js'
import { findPort, type Ports, port } from '../port.js'
import type { Db, Tx } from '../store/db.js'
import { prepared } from '../store/prepared.js'

/** The rows that a quota type counts. */
export interface CountedRows {
  readonly table: SQLiteTable
  /** The column that names the organization. */
  readonly orgId: SQLiteColumn
  /** Which rows count: those that are not deleted. */
  readonly where?: SQL | undefined
  /** What one row counts for, such as its bytes; 1 by default. */
  readonly amount?: SQL | SQLiteColumn
}

/**
 *     usage: { pipelines: countLive((db) => { const { pipelines: t } = pipelineTables(db); return { table: t, orgId: t.orgId, where: isNull(t.deletedAtMs) } }) }
 */
export function countLive(rows: (db: Db) => CountedRows): CountUsage {
  const used = ({ amount }: CountedRows) => (amount === undefined ? sql`count(*)` : sql`coalesce(sum(${amount}), 0)`)
  const ofOrgs = (column: SQLiteColumn, orgIds: readonly string[]) =>
    orgIds.length === 1 ? eq(column, orgIds[0]) : inArray(column, [...orgIds])
  const usedWhere = (db: Db, where: (orgId: SQLiteColumn) => SQL) => {
    const counted = rows(db)
    return db
      .select({ used: used(counted).mapWith(Number) })
      .from(counted.table)
      .where(and(where(counted.orgId), counted.where))
  }
  // Most accounts are one organization.
  const usedByOne = prepared((db, value: (name: 'orgId') => Placeholder) =>
    usedWhere(db, (column) => eq(column, value('orgId'))),
  )
  const count = async (db: Db, orgIds: readonly string[]): Promise<number> => {
    const [row] = await (orgIds.length === 1
      ? usedByOne(db, { orgId: orgIds[0] })
      : usedWhere(db, (column) => inArray(column, [...orgIds])))
    return row?.used ?? 0
  }
  const byOrg = (db: Db, orgIds: readonly string[] | null): SQL => {
    const counted = rows(db)
    const where = and(orgIds === null ? undefined : ofOrgs(counted.orgId, orgIds), counted.where) ?? sql`true`
    return sql`SELECT ${counted.orgId} AS org_id, ${used(counted)} AS used FROM ${counted.table} WHERE ${where} GROUP BY ${counted.orgId}`
  }
  return Object.assign(count, { byOrg })
}

/** A limit that usage exceeds. */
export interface Overage {
  /** A quota type, or `seats`. */
  readonly quotaType: string
  readonly currentUsage: number
  readonly targetCap: number
  readonly overage: number
}

export interface CapacityPort {
  /**
   * Checks the headroom without a lock, so that a full account is refused before its upload is processed. It reads
   * other organizations of the account, so the operation must declare `acrossOrganizations`.
   *
   * @param amount The capacity that is wanted.
   * @throws Refusal 429 `QUOTA_EXCEEDED`.
   */
  checkHeadroom(db: Db, orgId: string, type: QuotaType, amount: number): Promise<void>
  /**
   * Locks the root account's row and counts over the account's organizations. Without a limit it does neither. Call it
   * before the insert, in its transaction. The operation must declare `acrossOrganizations`, because other teams of the
   * account are counted.
   *
   * @throws Refusal 429 `QUOTA_EXCEEDED`, which rolls the transaction back.
   */
  take(tx: Tx, orgId: string, type: QuotaType, amount: number): Promise<void>
  /**
   * Checks the capacity for everything that a deleted team has, in the transaction that restores it, with the row of
   * its root locked.
   *
   * @throws Refusal 429 `QUOTA_EXCEEDED` when the account has too little capacity left. The team then stays deleted.
   */
  takeBack(tx: Tx, teamOrgId: string): Promise<void>
  /**
   * Returns the quota types whose limit this tier would lower below their usage. A limit that an operator set for the
   * account overrides the tier. The caller must check seats.
   */
  overages(db: Db, rootOrgId: string, tier: string): Promise<Overage[]>
}

/** @throws Refusal 503 when the process has no capacity port: nothing is created uncounted. */
export function capacityOf(runtime: { readonly ports?: Ports }): CapacityPort {
  const capacity = findPort(runtime, capacityPort)
  if (capacity === undefined) throw new Refusal('SERVICE_UNAVAILABLE', 'capacity cannot be counted here')
  return capacity
}

export const capacityPort = port<CapacityPort>('capacity')
