/** What an operation gets: who acts, for which organization, when, and the means to read and write. */
import type { ActionName } from '@plumbline/audit-chain'
import type { BlobStore } from '../blob-store.js'
import type { Clock } from '../clock.js'
import type { Egress } from '../egress/egress.js'
import type { Refusal } from '../errors.js'
import type { Ids } from '../ids.js'
import type { EntitySource } from '../inventory.js'
import type { Log } from '../log/log.js'
import type { Metrics } from '../metrics/port.js'
import type { Ports } from '../port.js'
import type { Bus } from '../redis/redis.js'
import type { Settings } from '../settings/load.js'
import type { Db, Store, StoreScope, TenantKey, Tx } from '../store/db.js'
import { tenantKeyFor } from '../store/tenant-key.js'
import type { Feature, Permission, Scope } from './access.js'
import type { Limiter } from './buckets.js'
import type { DomainRegistration } from './registration.js'

/** Who sent the request, as the credential proves. Their authority is determined again for each request. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user'
      readonly userId: string
      /** The session, absent for a personal access token. */
      readonly sessionId: string | null
      /** The session cookie that a browser sent; absent for a token. */
      readonly cookieName?: string
      /** The personal access token that was used. */
      readonly tokenId: string | null
      /** The organization that the credential is bound to (personal access tokens). */
      readonly boundOrgId: string | null
      /** The permissions that the credential is restricted to; null for all permissions of the user. */
      readonly permissions: readonly Permission[] | null
      /** The system administrator who impersonates this user. */
      readonly impersonatorId: string | null
      readonly readOnly: boolean
      /** Another person set the password. The session can do nothing before the user sets their own. */
      readonly mustChangePassword?: boolean
      /** The organization that the access token names when no header does. */
      readonly activeOrgId: string | null
    }
  | {
      readonly kind: 'service'
      readonly clientId: string
      readonly scopes: readonly Scope[]
      /** Null for the principals of the system. */
      readonly boundOrgId: string | null
      readonly includeTeams: boolean
    }

export interface OrgSummary {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly parentOrgId: string | null
  /** The account: the parent's id for a team, else the own id. */
  readonly rootOrgId: string
  readonly isSystem: boolean
  readonly tier: string
  readonly features: ReadonlySet<Feature>
  readonly ownerId: string | null
  /** Whether a Member may change all records of the organization, or only their own (spec platform 5). */
  readonly memberWriteScope: 'own' | 'org'
}

/** What the principal may do in the tenant of this request. At most 5 s old (spec platform 3.7). */
export interface Authority {
  readonly org: OrgSummary | null
  /** The organization whose enforced single sign-on the session lacks, which is why `org` is null. */
  readonly closedBy?: string
  /** `owner`, `admin` or `member`; null for a caller who is none of them. */
  readonly role: 'owner' | 'admin' | 'member' | null
  readonly isMember: boolean
  readonly isSuperAdmin: boolean
  readonly permissions: ReadonlySet<Permission>
  readonly scopes: ReadonlySet<Scope>
  /** May decide about exemptions. A person who writes rules only through the compliance role `editor` may not. */
  readonly decidesExemptions?: boolean
  /** Sets notification preferences and compliance roles: owner, administrator, or the compliance role `admin`. */
  readonly managesCompliance?: boolean
}

/** The actor in evidence and logs. */
export interface ActorRecord {
  /** A user id, `service:<name>`, `host:<os user>`, `system` or `anonymous`. */
  readonly id: string
  readonly email: string | null
  readonly role: string | null
  readonly impersonatorId: string | null
}

export interface RequestInfo {
  readonly requestId: string
  readonly traceId: string | null
  /** The trace context in which jobs that the request queues continue (W3C Trace Context); absent outside a trace. */
  readonly traceparent?: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** The request's headers, for the few operations that set or read cookies; absent outside HTTP. */
  readonly headers?: Headers
}

/** What every operation may use besides the database. */
export interface Runtime {
  readonly clock: Clock
  readonly ids: Ids
  readonly store: Store
  readonly settings: Settings
  /** The address that the process listens at; null before it listens, absent when it never does. */
  readonly listensAt?: () => string | null
  /** Called for a queued job after its commit. When absent, the sweep finds the row. */
  readonly wake?: (job: { readonly id: string; readonly kind: string; readonly runAtMs: number }) => void
  /** Metrics of what operations find. When absent, nothing is counted. */
  readonly metrics?: Metrics
  /** Called after each commit that wrote evidence. When absent, the sequencer finds the rows when it next looks. */
  readonly onEvidence?: () => void
  /** Counts requests. When absent, nothing is limited (jobs, tools on the host). */
  readonly limiter?: Limiter
  /** Every domain that this process mounts, for what spans the domains: export, purge, erasure, usage. */
  readonly domains: readonly DomainRegistration[]
  /** What domains provide to one another. When absent, no port is provided. */
  readonly ports?: Ports
  /**
   * Notifies other processes at once of what they would find later anyway. When absent, only this process is notified.
   */
  readonly bus?: Bus
  /** The log of background work. When absent, nothing is logged. */
  readonly log?: Log
  /** Archives and attachments. When absent, nothing with a file is accepted. */
  readonly blobs?: BlobStore
  /** Requests to addresses that users name. By default over the network, with vetted addresses. */
  readonly egress?: Egress
  /** The live inventory, for re-checks, scans and previews. */
  readonly entities?: readonly EntitySource[]
}

interface BaseContext {
  readonly principal: Principal
  readonly authority: Authority
  readonly actor: ActorRecord
  readonly request: RequestInfo
  readonly runtime: Runtime
  /** The instant of the request in ms. It stays the same during the request. */
  readonly nowMs: number
}

export interface ReadContext extends BaseContext {
  /** Reads in the scope of the tenant, or of the system for an operation without a tenant. */
  readonly db: Db
}

/** What `prepare` gets. It has no open transaction, because slow work must not occupy a connection. */
export interface PrepareContext extends BaseContext {
  /** Reads in the scope of the operation, for as long as `run` lasts. */
  readonly read: StoreScope['read']
  /**
   * For a query, and for a command that waits (`isWaiting`): aborted when the client disconnects, so that its
   * preparation stops. Any other command is carried out in any case.
   */
  readonly signal: AbortSignal
}

/** What `settle` gets. The commit is over, so each write is a transaction of its own. */
export interface SettleContext<Action extends ActionName = ActionName> extends PrepareContext {
  /** Digest of the `Idempotency-Key` and of what it belongs to; null without one. */
  readonly claimKey: string | null
  write<T>(run: (write: SettleWrite<Action>) => Promise<T>): Promise<T>
}

export interface SettleWrite<Action extends ActionName = ActionName> {
  readonly tx: Tx
  readonly nowMs: number
  audit(action: Action, entry: AuditEntry): Promise<void>
  enqueue(message: OutboxMessage): Promise<void>
}

/**
 * What a stream gets. No transaction stays open during the stream, so each read of the database is a transaction of its
 * own.
 */
export interface StreamContext<Action extends ActionName = ActionName> extends BaseContext {
  /** The id of the last event that the client saw, when it resumes. */
  readonly lastEventId: string | null
  /** Aborted when the client disconnects, the time is over, or the server drains. */
  readonly signal: AbortSignal
  /** The events are pieces of a file (`Stream.download`). */
  readonly isFile: boolean
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs one transaction of a stream that declares `audit`, with evidence of its declared actions.
   *
   * @throws Error in a stream that does not declare `audit`.
   */
  write<T>(run: (write: SettleWrite<Action>) => Promise<T>): Promise<T>
}

export interface AuditEntry {
  /** The actor, when the request could not know it yet: the user that a sign-in found. */
  readonly actor?: ActorRecord
  /** The organization of the event, when it is not the tenant of the request. */
  readonly orgId?: string | null
  readonly targetType?: string
  readonly targetId?: string
  readonly affectedOrgId?: string
  readonly groupId?: string
  readonly outcome?: 'success' | 'failure'
  /** Scrubbed before they are written. Only keys that the action allows are kept. */
  readonly details?: Record<string, unknown>
}

export interface OutboxMessage {
  /** The kind of work, such as `mail.send`; a worker is registered for it. */
  readonly kind: string
  readonly payload: unknown
  readonly orgId?: string | null
  /** At most one job with this kind and key waits. */
  readonly uniqueKey?: string
  /** Not before this instant, in ms. */
  readonly runAtMs?: number
}

export interface WriteContext<Action extends ActionName = ActionName> extends BaseContext {
  readonly tx: Tx
  /** Digest of the `Idempotency-Key` and of what it belongs to; null without one. */
  readonly claimKey: string | null
  /** The revision that the client's `If-Match` names; null when it sent no `If-Match`. */
  readonly expectedRevision: number | null
  /**
   * Compares the revision, read in this transaction, with `If-Match`. When the client sent the header, a command that
   * changes something without calling this or reading `expectedRevision` is refused.
   *
   * @throws Refusal 412 `PRECONDITION_FAILED`.
   */
  checkRevision(revision: number): void
  /**
   * Compares the server-set fields that the client sent back with the record as a read would show it.
   *
   * @throws Refusal 400 that names each field with another value.
   */
  checkServerOwned(view: Readonly<Record<string, unknown>>): void
  /** Writes evidence in this transaction. */
  audit(action: Action, entry: AuditEntry): Promise<void>
  /** Queues a job in this transaction. It starts after the commit. */
  enqueue(message: OutboxMessage): Promise<void>
}

/** The result of a command: its data, and whether it changed anything. */
export type Outcome<T> = {
  readonly changed: boolean
  readonly data: T
  readonly status?: number
  readonly headers?: OutcomeHeaders
  /**
   * Everything that was written is committed, and then the request is refused with this, as for a wrong password that
   * must be counted.
   */
  readonly refusal?: Refusal
}

/** Several values give several headers of that name. */
export type OutcomeHeaders = Record<string, string | readonly string[]>

export const changed = <T>(data: T, more: { status?: number; headers?: OutcomeHeaders } = {}): Outcome<T> => ({
  changed: true,
  data,
  ...more,
})

export const unchanged = <T>(data: T, more: { status?: number; headers?: OutcomeHeaders } = {}): Outcome<T> => ({
  changed: false,
  data,
  ...more,
})

/** Commits what was written, with its evidence, and refuses the request. `changed` says whether there is evidence. */
export const refused = (refusal: Refusal, more: { changed: boolean }): Outcome<never> => ({
  changed: more.changed,
  data: undefined as never,
  refusal,
})

/** Returns the id of the tenant of the request. Operations with a tenant always have one; otherwise there is a bug. */
export function tenantId(context: BaseContext): string {
  const { org } = context.authority
  if (org === null) throw new Error('the operation has no tenant')
  return org.id
}

/** Whose rows the tenant of the request may read. */
export function tenantKey({ authority: { org } }: Pick<BaseContext, 'authority'>): TenantKey {
  if (org === null) throw new Error('the operation has no tenant')
  return tenantKeyFor(org.id, org.parentOrgId)
}
