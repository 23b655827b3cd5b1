/**
 * What every domain registers, so that an organization can be exported whole and purged whole, and a person erased,
 * without any domain knowing another. A test walks all tables: each with an organization or user column is in exactly one
 * domain's export and purge, or on a list with the reason. Source: spec platform 27.
 */
import type { QuotaType } from '@plumbline/billing-core'
import type { SQL } from 'drizzle-orm'
import type { Clock } from '../clock.js'
import type { Ids } from '../ids.js'
import type { SecretBox } from '../secret-box.js'
import type { Settings } from '../settings/load.js'
import type { Db, Store, Tx } from '../store/db.js'
import type { Permission } from './access.js'

/** One record of an export. Its keys are those of the wire; it never holds a secret, a hash or a token. */
export interface ExportRow {
  /** The part of the export, such as `members` or `compliance.rules`. */
  readonly section: string
  readonly row: Readonly<Record<string, unknown>>
}

/** One look at the database. */
export type ReadPage = <T>(run: (db: Db) => Promise<T>) => Promise<T>

/** For a domain that writes evidence of what it erased. */
export interface ErasureTools {
  readonly clock: Clock
  readonly ids: Ids
  readonly store: Store
}

export interface DomainRegistration {
  /** The folder's name. */
  readonly name: string
  /** The sections that `exportRows` may yield, in their order; an export's `include` names some of them. */
  readonly exportSections: readonly string[]
  /** The permission that reads the records of each section: who lacks it exports without that section. */
  readonly exportReads: Readonly<Record<string, Permission>>
  /**
   * The organization's records, read in pages so that memory does not grow with the organization; no transaction stays
   * open between two pages, however slowly the client takes them.
   */
  exportRows(read: ReadPage, orgId: string, sections: ReadonlySet<string>): AsyncIterable<ExportRow>
  /**
   * Deletes at most `rowsMax` rows of the organization; called again, each time in a transaction of its own, until it
   * answers 0. Interrupted in between, it goes on where it was. What has to be kept longer is detached from `nowMs` on.
   * @returns how many rows were deleted.
   */
  purge(tx: Tx, orgId: string, rowsMax: number, nowMs: number): Promise<number>
  /** Removes what identifies the person from rows that stay. */
  erase(tx: Tx, userId: string, tools: ErasureTools): Promise<void>
  /** How each quota type that the domain owns is counted, over several organizations together; one that nobody owns is 0. */
  readonly usage: Readonly<Partial<Record<QuotaType, CountUsage>>>
  /** The keys of the blobs that the organization's rows refer to. */
  blobs(db: Db, orgId: string): AsyncIterable<string>
  /** Gives the rows that one person owns in the organization to another. @returns how many. */
  reassign?(tx: Tx, orgId: string, fromUserId: string, toUserId: string): Promise<number>
  /** Seals what is stored under the keys of the server again under the first of them. @returns how many. */
  reseal?(tx: Tx, box: SecretBox): Promise<number>
  /** Counts over the whole server, for the administrator's summary: `pipelines`, `openIncidents`. */
  summary?(db: Db): Promise<Readonly<Record<string, number>>>
  /** What of the whole server it offers now, for `GET /config`: `builder`. */
  offers?(
    db: Db,
    at: { readonly settings: Settings; readonly nowMs: number },
  ): Promise<Readonly<Record<string, boolean>>>
  /** Why the tier of the account is not set by hand: something else says what it is. Null when it may be. */
  holdsTier?(db: Db, rootOrgId: string): Promise<string | null>
  /** Why the organization may not be deleted without `force`, such as a paid subscription; null when it may. */
  holdsOrganization?(db: Db, orgId: string): Promise<string | null>
}

/**
 * How a quota type is counted. Called, it gives the live rows or bytes of these organizations together; it runs in every
 * creating transaction that has a limit, so the table has an index that begins with the organization. `countLive` makes one.
 */
export interface CountUsage {
  (db: Db, orgIds: readonly string[]): Promise<number>
  /** `SELECT org_id, used`, a row for each organization with any; null for every organization. */
  byOrg(db: Db, orgIds: readonly string[] | null): SQL
}
