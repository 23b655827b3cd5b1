/** Which names of repositories belong to plugins: the registry's tokens ask, the plugin domain knows. */
import { port } from '../port.js'
import type { Db } from '../store/db.js'

export interface PluginNamesPort {
  /** Whether a plugin of the organization has or had this name. */
  isTaken(db: Db, orgId: string, name: string): Promise<boolean>
}

export const pluginNamesPort = port<PluginNamesPort>('plugin names')
