/** Read one plugin by id. */
import Type from 'typebox'
import { tenantKey } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { READ_PLUGINS } from '../read-access.js'
import { PluginRecord, pluginView } from './view.js'
import { visiblePlugin } from './visible.js'

export const getPlugin = query({
  name: 'plugin.plugin.get',
  summary: 'Get a plugin',
  http: { method: 'get', path: '/plugins/:id' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ plugin: PluginRecord }),
  errors: ['NOT_FOUND'],
  headersOf: ({ plugin }) => deprecationOf(plugin),
  async run(context, { path: { id } }) {
    return { plugin: pluginView(await visiblePlugin(context.db, tenantKey(context), id)) }
  },
})
