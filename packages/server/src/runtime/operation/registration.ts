/**
 * What every domain registers, so that an organization can be exported and purged completely, and a person erased,
 * without one domain knowing another. `test/leaves-whole.test.ts` checks that a purge leaves no row of any table, except
 * of those on its list of reasons. Source: spec platform 27.
 */
import type { QuotaType } from '@plumbline/billing-core'
import type { Target } from '@plumbline/engine'
import type { SQL } from 'drizzle-orm'
import type { Clock } from '../clock.js'
import type { Ids } from '../ids.js'
import type { SecretBox } from '../secret-box.js'
import type { Settings } from '../settings/load.js'
import type { Db, Store, Tx } from '../store/db.js'
import type { Permission } from './access.js'
import type { ChangeSource } from './change-source.js'
import type { SearchSource } from './search-source.js'

/** One record of an export. It has the keys of the API and never contains a secret, a hash or a token. */
export interface ExportRow {
  /** The part of the export, such as `members` or `compliance.rules`. */
  readonly section: string
  readonly row: Readonly<Record<string, unknown>>
}

/** Runs one read of the database. */
export type ReadPage = <T>(run: (db: Db) => Promise<T>) => Promise<T>

/** For a domain that writes evidence of what it erased. */
export interface EvidenceTools {
  readonly clock: Clock
  readonly ids: Ids
  readonly store: Store
}

export interface ErasureTools extends EvidenceTools {
  /** Queues the re-check of a record that lost its owner: a rule can read the owner. */
  readonly recheck: (orgId: string, record: { readonly target: Target; readonly id: string }) => Promise<void>
}

/** Queues a job in the current transaction. */
export type Enqueue = (message: {
  readonly kind: string
  readonly payload: unknown
  readonly uniqueKey?: string
}) => Promise<void>

/** What passed to another owner. */
export interface Reassigned {
  /** How many rows. */
  readonly rows: number
  /** The records among them that rules see. A rule can read the owner, so they are checked again. */
  readonly records: readonly { readonly target: Target; readonly id: string; readonly deletedAtMs: number | null }[]
}

export interface DomainRegistration {
  /** The folder's name. */
  readonly name: string
  /** The sections that `exportRows` may yield, in their order; an export's `include` names some of them. */
  readonly exportSections: readonly string[]
  /** The permission that each section requires. A caller who lacks it exports without that section. */
  readonly exportReads: Readonly<Record<string, Permission>>
  /**
   * The organization's records. They are read in pages, so that memory does not grow with the organization. No
   * transaction stays open between two pages, however slowly the client reads.
   */
  exportRows(read: ReadPage, orgId: string, sections: ReadonlySet<string>): AsyncIterable<ExportRow>
  /**
   * Deletes at most `rowsMax` rows of the organization. It is called again, each time in a transaction of its own,
   * until it returns 0. After an interruption it continues where it was. Rows that must be kept longer are detached as
   * of `nowMs`. What is stored outside the database is deleted by jobs that are queued with the rows.
   *
   * @returns The number of deleted rows.
   */
  purge(tx: Tx, orgId: string, rowsMax: number, nowMs: number, enqueue: Enqueue): Promise<number>
  /** Removes what identifies the person from rows that stay. */
  erase(tx: Tx, userId: string, tools: ErasureTools): Promise<void>
  /**
   * How each quota type of the domain is counted, over several organizations together. A type that no domain owns is 0.
   */
  readonly usage: Readonly<Partial<Record<QuotaType, CountUsage>>>
  /** The keys of the blobs that the organization's rows refer to. */
  blobs(db: Db, orgId: string): AsyncIterable<string>
  /**
   * Transfers the rows that one person owns in the organization to another person.
   */
  reassign?(tx: Tx, orgId: string, fromUserId: string, toUserId: string): Promise<Reassigned>
  /**
   * Seals what is stored under the server's keys again with the first key.
   *
   * @returns The number of values.
   */
  reseal?(tx: Tx, box: SecretBox): Promise<number>
  /** What `GET /search` looks through. */
  readonly searches?: readonly SearchSource[]
  /** What `GET /events` tells of. */
  readonly changes?: readonly ChangeSource[]
  /** Counts over the whole server, for the administrator's summary: `pipelines`, `openIncidents`. */
  summary?(db: Db): Promise<Readonly<Record<string, number>>>
  /** What the server offers now, for `GET /config`: `builder`. */
  offers?(
    db: Db,
    at: { readonly settings: Settings; readonly nowMs: number },
  ): Promise<Readonly<Record<string, boolean>>>
  /**
   * Why an operator cannot set the tier of the account, because something else determines it. Null when an operator
   * can.
   */
  holdsTier?(db: Db, rootOrgId: string): Promise<string | null>
  /** Why the organization may not be deleted without `force`, such as a paid subscription; null when it may. */
  holdsOrganization?(db: Db, orgId: string): Promise<string | null>
  /**
   * Whether a deleted organization cannot be purged yet, because something outside goes on for it. It is asked when the
   * organization is deleted and before the purge, and then queues what ends that.
   */
  holdsPurge?(tx: Tx, orgId: string, enqueue: Enqueue): Promise<boolean>
}

/**
 * How a quota type is counted. A call returns the live rows or bytes of these organizations together. It runs in every
 * creating transaction that has a limit, so the table needs an index that begins with the organization. `countLive`
 * makes one.
 */
export interface CountUsage {
  (db: Db, orgIds: readonly string[]): Promise<number>
  /** `SELECT org_id, used`, with one row for each organization that has any. Null means every organization. */
  byOrg(db: Db, orgIds: readonly string[] | null): SQL
}
