/**
 * What pipelines ask about the plugins that they name. The plugin domain registers it. When that domain is not mounted,
 * a reference is reported neither as existing nor as missing. Source: spec platform 8.2.
 */
import { port } from '../port.js'
import type { Db, TenantKey } from '../store/db.js'

export interface PluginReference {
  readonly name: string
  /** An exact version; null for the default version. */
  readonly version: string | null
}

export type PluginState = 'ready' | 'not-ready' | 'not-found'

export interface ResolvedPlugin extends PluginReference {
  /** `not-ready`: it waits for its build, or the build failed. */
  readonly state: PluginState
  /** Its lifecycle is `deprecated`. */
  readonly isDeprecated: boolean
}

export interface PluginCatalogPort {
  /**
   * Resolves each reference as the organization sees it: its own plugins, its parent's public ones, the system's public
   * ones.
   *
   * @param db Reads in the scope of that organization.
   * @returns One answer for each reference, in the order of the references.
   */
  resolve(db: Db, key: TenantKey, references: readonly PluginReference[]): Promise<readonly ResolvedPlugin[]>
}

export const pluginCatalogPort = port<PluginCatalogPort>('plugin catalog')
