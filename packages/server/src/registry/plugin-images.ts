/** The plugins whose images are in a repository, as the plugin domain knows them. */
import { Refusal } from '../runtime/errors.js'
import { findPort, type Ports } from '../runtime/port.js'
import { type PluginNamesPort, type PluginOfImage, pluginNamesPort } from '../runtime/records/plugin-names.js'
import type { Db } from '../runtime/store/db.js'
import type { Repository } from './repository.js'

export async function pluginsIn(
  names: PluginNamesPort | undefined,
  db: Db,
  { orgId, pluginName, publicName }: Repository,
): Promise<readonly PluginOfImage[]> {
  const name = pluginName ?? publicName
  if (name === null || names === undefined) return []
  const owners = await names.ofName(db, orgId, name)
  // guard: a-public-copy-belongs-to-its-plugin
  return pluginName === null ? owners.filter(({ isPublic }) => isPublic) : owners
}

/** The tag that names the image of a plugin, in its own repository and in the public one. */
export const tagOfPlugin = ({ imageRef }: PluginOfImage): string => imageRef.slice(imageRef.lastIndexOf(':') + 1)

/** @throws Refusal 503 when this process cannot find out which images belong to plugins. */
export function requirePluginNames(runtime: { readonly ports?: Ports }): PluginNamesPort {
  const names = findPort(runtime, pluginNamesPort)
  if (names !== undefined) return names
  throw new Refusal('SERVICE_UNAVAILABLE', 'this process does not know which images are of plugins')
}
