/** The plugins whose images are in a repository, as the plugin domain knows them. */
import { Refusal } from '../runtime/errors.js'
import { findPort, type Ports } from '../runtime/port.js'
import { type PluginNamesPort, type PluginOfImage, pluginNamesPort } from '../runtime/records/plugin-names.js'
import type { Db } from '../runtime/store/db.js'
import type { Repository } from './repository.js'

export async function pluginsIn(
  names: PluginNamesPort | undefined,
  db: Db,
  { orgId, pluginName }: Repository,
): Promise<readonly PluginOfImage[]> {
  return pluginName === null || names === undefined ? [] : names.ofName(db, orgId, pluginName)
}

/** @throws Refusal 503 when this process cannot find out which images belong to plugins. */
export function requirePluginNames(runtime: { readonly ports?: Ports }): PluginNamesPort {
  const names = findPort(runtime, pluginNamesPort)
  if (names !== undefined) return names
  throw new Refusal('SERVICE_UNAVAILABLE', 'this process does not know which images are of plugins')
}
