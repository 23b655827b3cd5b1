/** Find one plugin. */
import Type from 'typebox'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { READ_PLUGINS } from '../read-access.js'
import { LOOKUP_FILTERS, type PluginFilter } from './filter.js'
import { Found, find } from './read.js'

export const findPlugin = query({
  name: 'plugin.plugin.find',
  summary: 'Find one plugin',
  description:
    'The first match: of the organization, then of its parent, then of the system; the default version first, then the highest.',
  http: { method: 'get', path: '/plugins/find' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { query: Type.Object(LOOKUP_FILTERS, { patternProperties: LABEL_FILTERS }) },
  output: Found,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  headersOf: ({ plugin }) => deprecationOf(plugin),
  run: (context, { query: filter }) => find(context, filter as PluginFilter),
})
