/** `GET /images/{name}/manifests/{reference}`, read from the registry. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { registryClient } from '../client.js'
import { NAME_IN_PATH, REFERENCE_IN_PATH } from '../path.js'
import { contentOf, partsOf } from '../reading/document.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { checkReference } from '../repository.js'
import { ALL_IMAGES, READ_IMAGES, seenRepository } from '../visible.js'

export const getManifest = query({
  name: 'registry.manifest.get',
  summary: 'Get a manifest',
  http: { method: 'get', path: '/images/:name/manifests/:reference' },
  access: READ_IMAGES,
  tenant: fromHeader,
  acrossForSystemAdmins: ALL_IMAGES,
  input: { path: Type.Object({ name: NAME_IN_PATH, reference: REFERENCE_IN_PATH }) },
  output: strictObject({
    name: Type.String(),
    digest: Type.String(),
    mediaType: Type.String(),
    children: Type.Array(Type.String(), { description: 'Digests that an index refers to' }),
    bytes: Type.Integer({
      description: 'Of the manifest, and of the blobs that it refers to as it states their sizes',
    }),
    manifest: Type.Unknown({ description: 'As it is in the registry; null for content that is not JSON' }),
  }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...REGISTRY_ERRORS],
  async prepare(context, { path: { name, reference } }) {
    checkReference(reference, '/path/reference')
    const repository = seenRepository(context, name)
    const document = await orUpstream(() => registryClient(context.runtime).manifest(repository.name, reference))
    if (document === null) throw notFound('Manifest')
    return document
  },
  async run(_context, { path: { name } }, document) {
    const { digest, mediaType, children, blobs } = partsOf(document)
    const bytes = [...blobs.values()].reduce((sum, size) => sum + size, 0)
    return { name, digest, mediaType, children: [...children], bytes, manifest: contentOf(document.bytes) }
  },
})
