/**
 * Which pipelines name which plugins. The pipeline domain registers it. When that domain is not mounted, no pipeline is
 * known.
 */
import { port } from '../port.js'
import type { Db } from '../store/db.js'

export interface PluginReferencesPort {
  /**
   * Live pipelines of the organization by plugin name. A pipeline counts once for each name. Source: spec platform 10.1
   * (plugin-usage).
   */
  byName(db: Db, orgId: string): Promise<readonly { readonly name: string; readonly pipelines: number }[]>
  /** The same by version; null for references without one. */
  byVersion(
    db: Db,
    orgId: string,
  ): Promise<readonly { readonly name: string; readonly version: string | null; readonly pipelines: number }[]>
  /** At most `atMost` live pipelines that name exactly this version. */
  pinning(
    db: Db,
    orgId: string,
    plugin: { readonly name: string; readonly version: string },
    atMost: number,
  ): Promise<readonly { readonly id: string; readonly pipelineName: string }[]>
}

export const pluginReferencesPort = port<PluginReferencesPort>('plugin references')
