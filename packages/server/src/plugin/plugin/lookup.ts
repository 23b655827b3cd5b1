/** Find one plugin by a filter in the body. */
import { unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { READ_PLUGINS } from '../read-access.js'
import { LOOKUP_FILTERS, type PluginFilter } from './filter.js'
import { Found, find } from './read.js'

export const lookupPlugin = command({
  name: 'plugin.plugin.lookup',
  summary: 'Find one plugin by a filter in the body',
  http: { method: 'post', path: '/plugins/lookup' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  audit: none('it changes nothing'),
  input: { body: strictObject({ filter: strictObject(LOOKUP_FILTERS, { patternProperties: LABEL_FILTERS }) }) },
  output: Found,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body: { filter } }) {
    return unchanged(await find({ ...context, db: context.tx }, filter as PluginFilter))
  },
})
