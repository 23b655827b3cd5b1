/** One plugin: by id, by query, by a filter in the body, and how many pipelines use which. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { either, permission, scope } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId, tenantKey, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader, none, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { firstMatch, LOOKUP_FILTERS, type PluginFilter } from './filter.js'
import { PluginRecord, pluginView } from './view.js'
import { visiblePlugin } from './visible.js'

export const READ_PLUGINS = either(permission('plugins:read'), scope('plugins:read'))

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

const Found = strictObject({ plugin: PluginRecord, matchedCount: Type.Integer() })

async function find(context: ReadContext, filter: PluginFilter) {
  const found = await firstMatch(context, filter)
  if (found === null) throw notFound('Plugin')
  return { plugin: pluginView(found.row), matchedCount: found.matchedCount }
}

export const findPlugin = query({
  name: 'plugin.plugin.find',
  summary: 'Find one plugin',
  description:
    'The first that matches: of the own organization, then of its parent, then of the system; the default version first, then the highest.',
  http: { method: 'get', path: '/plugins/find' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { query: Type.Object(LOOKUP_FILTERS, { patternProperties: LABEL_FILTERS }) },
  output: Found,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  headersOf: ({ plugin }) => deprecationOf(plugin),
  run: (context, { query: filter }) => find(context, filter as PluginFilter),
})

export const lookupPlugin = command({
  name: 'plugin.plugin.lookup',
  summary: 'Find one plugin by a filter in the body',
  http: { method: 'post', path: '/plugins/lookup' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  audit: none('it reads'),
  input: { body: strictObject({ filter: strictObject(LOOKUP_FILTERS, { patternProperties: LABEL_FILTERS }) }) },
  output: Found,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body: { filter } }) {
    return unchanged(await find({ ...context, db: context.tx }, filter as PluginFilter))
  },
})

export const pluginUsage = query({
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
    const { pluginReferences } = context.runtime
    const orgId = tenantId(context)
    if (byVersion === true) return { usage: [...((await pluginReferences?.byVersion(context.db, orgId)) ?? [])] }
    const counts = (await pluginReferences?.byName(context.db, orgId)) ?? []
    return { counts: Object.fromEntries(counts.map(({ name, pipelines }) => [name, pipelines])) }
  },
})
