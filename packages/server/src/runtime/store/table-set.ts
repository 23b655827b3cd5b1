/**
 * The tables of one domain for both databases, with the tenancy of each: which column names the organization, or why
 * there is none. Row security, the isolation tests, export and purge are derived from it.
 */
import type { Db } from './db.js'
import { type Kit, pgKit, sqliteKit } from './kit.js'

export type Tenancy =
  | {
      readonly kind: 'tenant'
      /** The database column that names the organization. */
      readonly column: string
      /** A second organization that may read the row: the recipient of a message, or the affected organization. */
      readonly alsoReadableBy?: string
      /**
       * The second organization may insert rows too, because the actor and the owner of the row may differ. Otherwise
       * only `column` may.
       */
      readonly insertedByEither?: boolean
      /**
       * An SQL condition on the row. When it is true, an organization in `app.readable` may read the row, such as
       * `access_modifier = 'public'`.
       */
      readonly sharedWhen?: string
      /** The system organization may read every row, because its members see conversations of other organizations. */
      readonly readableBySystem?: boolean
    }
  | {
      readonly kind: 'global'
      /** Why the table belongs to no organization. */
      readonly reason: string
      /**
       * What the tenant role of PostgreSQL may do with the table, such as `SELECT (id, username)` or `INSERT`; nothing
       * by default.
       */
      readonly tenantMay?: string
    }

export const tenant = (
  column = 'org_id',
  more: { alsoReadableBy?: string; insertedByEither?: boolean; sharedWhen?: string; readableBySystem?: boolean } = {},
): Tenancy => ({
  kind: 'tenant',
  column,
  ...more,
})

export const global = (reason: string, tenantMay?: string): Tenancy =>
  tenantMay === undefined ? { kind: 'global', reason } : { kind: 'global', reason, tenantMay }

/**
 * Statements that a builder cannot express: triggers, functions, search indexes. They run after the tables are created.
 */
export interface Guards {
  readonly sqlite?: readonly string[]
  readonly pg?: readonly string[]
  /** Owners of procedures. They are set again in a restored copy, because a dump does not contain owners. */
  readonly pgOwners?: readonly string[]
}

export interface TableSet<T extends Record<string, unknown>> {
  /** The tables for the database that this connection speaks to. */
  (db: Pick<Db, 'database'>): T
  readonly domain: string
  readonly sqlite: T
  readonly pg: T
  readonly tenancy: { readonly [K in keyof T]: Tenancy }
  readonly guards: Guards
}

export function tableSet<T extends Record<string, unknown>>(
  domain: string,
  build: (kit: Kit) => T,
  tenancy: { readonly [K in keyof T]: Tenancy },
  guards: Guards = {},
): TableSet<T> {
  const sqlite = build(sqliteKit)
  const pg = build(pgKit)
  const choose = (db: Pick<Db, 'database'>): T => (db.database === 'sqlite' ? sqlite : pg)
  return Object.assign(choose, { domain, sqlite, pg, tenancy, guards })
}
