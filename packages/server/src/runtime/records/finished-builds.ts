/**
 * What the queue of builds reports about a finished build, and which plugins exist, for the domain that reports on
 * them.
 */
import { port } from '../port.js'
import type { Db, Tx } from '../store/db.js'

export interface FinishedBuild {
  readonly jobId: string
  readonly orgId: string
  readonly pluginId: string
  readonly pluginName: string
  readonly version: string
  readonly buildType: string
  readonly isSucceeded: boolean
  /** Of a failure. */
  readonly category: string | null
  /** Without secrets. */
  readonly error: string | null
  /** The attempts of all rounds: a build that was retried is one build. */
  readonly attempts: number
  /** The last attempt; null when no attempt began. */
  readonly startedMs: number | null
  readonly finishedMs: number
}

/** Called in the transaction that ends a build for good. The reporting domain provides it. */
export interface BuildListener {
  finished(tx: Tx, build: FinishedBuild): Promise<void>
}

export const finishedBuildsPort = port<BuildListener>('finished builds')

/** A live plugin, as far as reports count it. */
export interface KnownPlugin {
  readonly orgId: string
  readonly name: string
  readonly version: string
  readonly pluginType: string
  readonly computeType: string
  readonly category: string
  readonly lifecycle: string
  readonly accessModifier: string
  readonly buildStatus: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly isLatest: boolean
  readonly createdMs: number
}

/** The plugin domain provides it. */
export interface KnownPluginsPort {
  /** Every live plugin of these organizations, in the order of their names and versions. */
  known(db: Db, orgIds: readonly string[]): Promise<readonly KnownPlugin[]>
}

export const knownPluginsPort = port<KnownPluginsPort>('known plugins')
