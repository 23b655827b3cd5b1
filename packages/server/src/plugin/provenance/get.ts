/** `GET /plugins/:id/provenance`. */
import Type from 'typebox'
import { tenantKey } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { keptDocument } from '../attestation/keep.js'
import { visiblePlugin } from '../plugin/visible.js'
import { READ_PLUGINS } from '../read-access.js'

export const getProvenance = query({
  name: 'plugin.provenance.get',
  summary: 'Get the signed provenance of the image of a plugin',
  description:
    'A DSSE envelope around an in-toto statement with SLSA provenance: the archive, the base image and the time. Verify it with a key of `GET /registry/provenance-keys`. 404 while no image is built, or when the server signed nothing.',
  http: { method: 'get', path: '/plugins/:id/provenance' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  media: 'application/vnd.dsse.envelope.v1+json',
  input: { path: Type.Object({ id: Uuid }) },
  output: Type.String({ description: 'A DSSE envelope in JSON' }),
  errors: ['NOT_FOUND', 'UPSTREAM_ERROR'],
  async prepare(context, { path: { id } }) {
    const plugin = await context.read((db) => visiblePlugin(db, tenantKey(context), id))
    return keptDocument(context.runtime, plugin, 'provenance')
  },
  run: async (_context, _input, document) => document.toString('utf8'),
})
