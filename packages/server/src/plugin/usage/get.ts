/** Count the pipelines that use each plugin. */
import Type from 'typebox'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { pluginReferencesPort } from '../../runtime/records/plugin-references.js'
import { READ_PLUGINS } from '../read-access.js'

export const getUsage = query({
  name: 'plugin.usage.get',
  summary: 'Count the pipelines that use each plugin',
  http: { method: 'get', path: '/plugins/plugin-usage' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { query: Type.Object({ byVersion: Type.Optional(Type.Boolean()) }) },
  output: strictObject({
    counts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    usage: Type.Optional(
      Type.Array(
        strictObject({
          name: Type.String(),
          version: Type.Unsafe<string | null>({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
          pipelines: Type.Integer(),
        }),
      ),
    ),
  }),
  errors: [],
  async run(context, { query: { byVersion } }) {
    const pluginReferences = findPort(context.runtime, pluginReferencesPort)
    const orgId = tenantId(context)
    if (byVersion === true) return { usage: [...((await pluginReferences?.byVersion(context.db, orgId)) ?? [])] }
    const counts = (await pluginReferences?.byName(context.db, orgId)) ?? []
    return { counts: Object.fromEntries(counts.map(({ name, pipelines }) => [name, pipelines])) }
  },
})
