/**
 * Which pipelines exist and which of them are registered, for the domain that reports on their runs. The pipeline
 * domain provides it.
 */
import { port } from '../port.js'
import type { Db, Tx } from '../store/db.js'
import type { Labels } from './catalog.js'

export interface KnownPipeline {
  readonly id: string
  readonly orgId: string
  readonly project: string
  readonly organization: string
  readonly pipelineName: string
  readonly ownerId: string | null
  readonly labels: Labels
  readonly isDeleted: boolean
  readonly isRegistered: boolean
}

export interface DeployedPipelinesPort {
  /**
   * Returns the organization of each of these pipelines that is live and registered and belongs to one of the
   * organizations.
   */
  registered(db: Db, orgIds: readonly string[], ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Every pipeline of these organizations, deleted ones too, until they are purged. */
  known(db: Db, orgIds: readonly string[]): Promise<readonly KnownPipeline[]>
  /** The live, registered pipelines of the organization that build from the repository: `github.com/acme/shop` or `acme/shop`, in lower case. */
  building(db: Db, orgId: string, repository: string): Promise<readonly string[]>
  /** Returns what the pipeline builds from, in the form that `building` accepts; empty when it names no repository. */
  repositories(db: Db, orgId: string, pipelineId: string): Promise<readonly string[]>
}

export const deployedPipelinesPort = port<DeployedPipelinesPort>('deployed pipelines')

/** Why operations that register a pipeline, or restore a registered one, read across the account. */
export const PARKED_ACROSS = 'events that wait for the pipeline of a team may have come from a forwarder of its root'

/** The reporting domain provides it. */
export interface RegistrationListener {
  /** Called in the transaction that registers a pipeline, or restores a registered one. */
  registered(tx: Tx, orgId: string, pipelineId: string, nowMs: number): Promise<void>
  /** Called in the transaction after which other registered pipelines of the organization build from a repository. */
  rebuilt(tx: Tx, orgId: string, nowMs: number): Promise<void>
}

export const registrationPort = port<RegistrationListener>('registrations of pipelines')
