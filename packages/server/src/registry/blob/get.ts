/** `GET /images/{name}/blobs/{digest}`: the configuration of an image, or another small blob. */
import Type from 'typebox'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { registryClient } from '../client.js'
import { NAME_IN_PATH } from '../path.js'
import { contentOf } from '../reading/document.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { DIGEST } from '../repository.js'
import { ALL_IMAGES, READ_IMAGES, seenRepository } from '../visible.js'

const BYTES_MAX = 1_048_576

export const getBlob = query({
  name: 'registry.blob.get',
  summary: 'Get a small document of an image',
  description: 'JSON of at most 1 MiB, such as the configuration. A layer is pulled from the registry.',
  http: { method: 'get', path: '/images/:name/blobs/:digest' },
  access: READ_IMAGES,
  tenant: fromHeader,
  acrossForSystemAdmins: ALL_IMAGES,
  input: {
    path: Type.Object({
      name: NAME_IN_PATH,
      digest: Type.String({ maxLength: 71, examples: [`sha256:${'0'.repeat(64)}`] }),
    }),
  },
  output: strictObject({ digest: Type.String(), bytes: Type.Integer(), content: Type.Unknown() }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', ...REGISTRY_ERRORS],
  async prepare(context, { path: { name, digest } }) {
    if (!DIGEST.test(digest)) throw invalidField('/path/digest', 'must be a digest: `sha256:` and 64 digits', 'digest')
    const repository = seenRepository(context, name)
    const registry = registryClient(context.runtime)
    const bytes = await orUpstream(() => registry.blobBytes(repository.name, digest))
    if (bytes === null) throw notFound('Blob')
    // guard: a-layer-is-not-answered
    if (bytes > BYTES_MAX) {
      throw new Refusal('PAYLOAD_TOO_LARGE', `it has ${bytes} bytes, and the limit is ${BYTES_MAX}: pull it`, {
        details: { bytesMax: BYTES_MAX },
      })
    }
    const document = await orUpstream(() => registry.document(repository.name, digest))
    if (document === null) throw notFound('Blob')
    const content = contentOf(document)
    if (content === null) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'it is not JSON: pull a layer instead')
    return { digest, bytes: document.length, content }
  },
  run: async (_context, _input, answer) => answer,
})
