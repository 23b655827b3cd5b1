/** A registry lets tags be overwritten. A tag that no longer refers to its plugin's image is restored and reported. */
import type { JobContext } from '../../runtime/jobs/define.js'
import { findPort } from '../../runtime/port.js'
import { pluginNamesPort } from '../../runtime/records/plugin-names.js'
import { registryClient } from '../client.js'
import { pluginsIn } from '../plugin-images.js'
import { repositoryOf } from '../repository.js'
import type { Reading } from './read.js'

/** @returns whether any tag was restored. */
export async function putBack(
  { runtime, read }: Pick<JobContext, 'runtime' | 'read'>,
  name: string,
  { tags }: Reading,
): Promise<boolean> {
  const names = findPort(runtime, pluginNamesPort)
  if (names === undefined) return false
  const repository = repositoryOf(name)
  if (repository === null) return false
  const owners = await read((db) => pluginsIn(names, db, repository))
  const registry = registryClient(runtime)
  let isPutBack = false
  for (const { imageRef, digest } of owners) {
    const tag = imageRef.slice(name.length + 1)
    const found = tags.get(tag) ?? null
    // guard: a-tag-of-a-plugin-names-its-image
    if (imageRef !== `${name}:${tag}` || found === digest) continue
    const document = await registry.manifest(name, digest)
    if (document === null) continue
    await registry.putManifest(name, tag, document)
    runtime.log?.write('registry.image_drifted', { eventCategory: 'audit', repo: name, ref: tag, digest, found })
    isPutBack = true
  }
  return isPutBack
}
