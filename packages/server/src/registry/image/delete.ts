/** `DELETE /images/{name}`: deletes every image of a repository. */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { registryClient } from '../client.js'
import { NAME_IN_PATH } from '../path.js'
import { pluginsIn, requirePluginNames } from '../plugin-images.js'
import { readingOf } from '../reading/job.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { checkedRepository } from '../repository.js'
import { requireRegistry } from '../visible.js'
import { forgetImages } from './forget.js'
import { howFreed, readNow, shownPlugins } from './naming.js'
import { recordDeletion } from './record-deletion.js'

export const deleteImages = command({
  name: 'registry.image.delete',
  summary: 'Delete every image of a repository',
  description: 'Refused (409) when one of them is the image of a plugin.',
  http: { method: 'delete', path: '/images/:name' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['registry.image.delete'],
  input: { path: Type.Object({ name: NAME_IN_PATH }) },
  output: strictObject({ name: Type.String(), deleted: Type.Integer(), tags: Type.Array(Type.String()) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE', ...REGISTRY_ERRORS],
  async prepare(context, { path: { name } }) {
    const { runtime } = context
    requireRegistry(runtime)
    const repository = checkedRepository(name, '/path/name')
    const registry = registryClient(runtime)
    const reading = await orUpstream(() => readNow(context, registry, repository))
    const digests = [...reading.manifests.keys()]
    if (digests.length === 0) throw notFound('Repository')
    const plugins = await context.read((db) => pluginsIn(requirePluginNames(runtime), db, repository))
    // guard: a-repository-with-images-of-plugins-stays
    if (plugins.length > 0) {
      throw new Refusal('CONFLICT', `it contains images of plugins: ${howFreed(repository)}`, {
        details: { plugins: shownPlugins(plugins) },
      })
    }
    // An index is deleted before the manifests that it refers to, so that it is never broken.
    const indexesFirst = digests.sort((a, b) => childrenOf(reading, b) - childrenOf(reading, a))
    const deleted: string[] = []
    for (const digest of indexesFirst) {
      if (await orUpstream(() => registry.deleteManifest(name, digest))) deleted.push(digest)
    }
    return { repository, reading, deleted }
  },
  async run(context, { path: { name } }, { repository, reading, deleted }) {
    const forgotten = await forgetImages(context.tx, name, deleted)
    const own = new Set(deleted.filter((digest) => forgotten.has(digest) || !reading.known.has(digest)))
    // guard: a-repository-is-deleted-once
    if (own.size === 0) throw notFound('Repository')
    const tags = [...reading.tags].filter(([, digest]) => own.has(digest))
    const tagged = new Set(tags.map(([, digest]) => digest))
    const untagged = [...own].filter((digest) => !tagged.has(digest))
    const gone = [...tags, ...untagged.map((digest) => [digest, digest] as const)]
    for (const [ref, digest] of gone) await recordDeletion(context, repository, ref, digest)
    await context.enqueue(readingOf(name))
    return changed({ name, deleted: own.size, tags: tags.map(([tag]) => tag).sort() })
  },
})

const childrenOf = (reading: Awaited<ReturnType<typeof readNow>>, digest: string): number =>
  reading.manifests.get(digest)?.children.length ?? 0
