/** Which pipelines there are and which of them are registered, for the domain that reports on their runs. The pipeline domain answers. */
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
  /** The organization of each of these pipelines that lives, is registered, and belongs to one of the organizations. */
  registered(db: Db, orgIds: readonly string[], ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Every pipeline of these organizations, deleted ones too, until they are purged. */
  known(db: Db, orgIds: readonly string[]): Promise<readonly KnownPipeline[]>
  /** The live, registered pipelines of the organization that build from the repository: `github.com/acme/shop` or `acme/shop`, in lower case. */
  building(db: Db, orgId: string, repository: string): Promise<readonly string[]>
  /** What the pipeline builds from, as `building` takes it; none where it names no repository. */
  repositories(db: Db, orgId: string, pipelineId: string): Promise<readonly string[]>
}

export const deployedPipelinesPort = port<DeployedPipelinesPort>('deployed pipelines')

/** Told in the transaction that registers a pipeline. The reporting domain listens. */
export interface RegistrationListener {
  registered(tx: Tx, orgId: string, pipelineId: string, nowMs: number): Promise<void>
}

export const registrationPort = port<RegistrationListener>('registrations of pipelines')
