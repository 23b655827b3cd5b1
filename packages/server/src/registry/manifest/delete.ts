/**
 * `DELETE /images/{name}/manifests/{reference}`: a registry deletes a digest with all its tags, and breaks every index
 * that refers to it. So the other references are checked and reported first.
 */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { registryClient } from '../client.js'
import { deleteAttested } from '../image/attestations.js'
import { forgetImages } from '../image/forget.js'
import { howFreed, namingOf, readNow, shownPlugins } from '../image/naming.js'
import { recordDeletion } from '../image/record-deletion.js'
import { NAME_IN_PATH, REFERENCE_IN_PATH } from '../path.js'
import { readingOf } from '../reading/job.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { checkedRepository, checkReference } from '../repository.js'
import { requireRegistry } from '../visible.js'

export const deleteManifest = command({
  name: 'registry.manifest.delete',
  summary: 'Delete an image from a repository',
  description:
    'Deletes it with all its tags. If it has other tags than the given one, it is refused (409) unless `force=true`. An image that belongs to an index or a plugin is always refused.',
  http: { method: 'delete', path: '/images/:name/manifests/:reference' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['registry.image.delete'],
  input: {
    path: Type.Object({ name: NAME_IN_PATH, reference: REFERENCE_IN_PATH }),
    query: Type.Object({ force: Type.Optional(Type.Boolean({ description: 'Also with its other tags' })) }),
  },
  output: strictObject({ name: Type.String(), digest: Type.String(), tags: Type.Array(Type.String()) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE', ...REGISTRY_ERRORS],
  async prepare(context, { path: { name, reference }, query: { force } }) {
    requireRegistry(context.runtime)
    checkReference(reference, '/path/reference')
    const repository = checkedRepository(name, '/path/name')
    const registry = registryClient(context.runtime)
    const digest = await orUpstream(() => registry.resolve(name, reference))
    if (digest === null) throw notFound('Manifest')
    const reading = await orUpstream(() => readNow(context, registry, repository))
    const { tags, indexes, plugins } = await namingOf(context, repository, reading, digest)
    const others = tags.filter((tag) => tag !== reference)
    const details = { digest, tags: others, indexes, plugins: shownPlugins(plugins) }
    // guard: an-image-of-a-plugin-is-not-deleted
    if (plugins.length > 0)
      throw new Refusal('CONFLICT', `it belongs to a plugin: ${howFreed(repository)}`, { details })
    // guard: what-an-index-names-is-not-deleted
    if (indexes.length > 0)
      throw new Refusal('CONFLICT', `an index refers to it (${indexes[0]}): delete the index first`, { details })
    // guard: other-tags-are-named-before-they-go
    if (others.length > 0 && force !== true) {
      throw new Refusal(
        'CONFLICT',
        `it is also ${others.slice(0, 5).join(', ')}: send \`?force=true\` to delete them too`,
        { details },
      )
    }
    if (!(await orUpstream(() => deleteAttested(registry, name, digest)))) throw notFound('Manifest')
    return { repository, digest, tags, isKnown: reading.known.has(digest) }
  },
  async run(context, { path: { name, reference } }, { repository, digest, tags, isKnown }) {
    const forgotten = await forgetImages(context.tx, name, [digest])
    // guard: an-image-is-deleted-once
    if (isKnown && !forgotten.has(digest)) throw notFound('Manifest')
    for (const ref of tags.length === 0 ? [reference] : tags) await recordDeletion(context, repository, ref, digest)
    await context.enqueue(readingOf(name))
    return changed({ name, digest, tags: [...tags] })
  },
})
