/** Which repositories and images belong to plugins: the registry asks, the plugin domain knows. */
import { port } from '../port.js'
import type { Db } from '../store/db.js'

export interface PluginNamesPort {
  /** Whether a plugin of the organization has or had this name. */
  isTaken(db: Db, orgId: string, name: string): Promise<boolean>
  /** The plugins of this name that have an image; deleted ones too, for they may come back. */
  ofName(db: Db, orgId: string, name: string): Promise<readonly PluginOfImage[]>
  /** As `ofName`, by the digests of their images, whatever organization they are of. */
  ofImages(db: Db, digests: readonly string[]): Promise<readonly PluginOfImage[]>
}

export interface PluginOfImage {
  readonly pluginId: string
  readonly orgId: string
  readonly name: string
  readonly version: string
  readonly digest: string
  /** Where its image lies: repository and tag. */
  readonly imageRef: string
}

export const pluginNamesPort = port<PluginNamesPort>('plugin names')
