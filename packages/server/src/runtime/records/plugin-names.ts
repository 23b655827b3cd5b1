/** Which repositories and images belong to plugins. The registry asks, and the plugin domain provides the answer. */
import { port } from '../port.js'
import type { Db } from '../store/db.js'

export interface PluginNamesPort {
  /** Whether a plugin of the organization has or had this name. */
  isTaken(db: Db, orgId: string, name: string): Promise<boolean>
  /** The plugins of this name that have an image, including deleted ones, because they may be restored. */
  ofName(db: Db, orgId: string, name: string): Promise<readonly PluginOfImage[]>
  /** Like `ofName`, by the digests of their images, in any organization. */
  ofImages(db: Db, digests: readonly string[]): Promise<readonly PluginOfImage[]>
}

export interface PluginOfImage {
  readonly pluginId: string
  readonly orgId: string
  readonly name: string
  readonly version: string
  readonly digest: string
  /** The repository and tag of its image. */
  readonly imageRef: string
  /** Whether other organizations can pull it. */
  readonly isPublic: boolean
}

export const pluginNamesPort = port<PluginNamesPort>('plugin names')
