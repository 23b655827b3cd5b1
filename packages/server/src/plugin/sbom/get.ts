/** `GET /plugins/:id/sbom`. */
import Type from 'typebox'
import { tenantKey } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { keptDocument } from '../attestation/keep.js'
import { visiblePlugin } from '../plugin/visible.js'
import { READ_PLUGINS } from '../read-access.js'

export const getSbom = query({
  name: 'plugin.sbom.get',
  summary: 'Get the bill of materials of the image of a plugin',
  description:
    'In CycloneDX 1.6: the packages that dpkg, apk, npm and Python list in its layers. 404 while no image is built.',
  http: { method: 'get', path: '/plugins/:id/sbom' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  media: 'application/vnd.cyclonedx+json',
  input: { path: Type.Object({ id: Uuid }) },
  output: Type.String({ description: 'A document of CycloneDX 1.6 in JSON' }),
  errors: ['NOT_FOUND', 'UPSTREAM_ERROR'],
  async prepare(context, { path: { id } }) {
    const plugin = await context.read((db) => visiblePlugin(db, tenantKey(context), id))
    return keptDocument(context.runtime, plugin, 'sbom')
  },
  run: async (_context, _input, document) => document.toString('utf8'),
})
