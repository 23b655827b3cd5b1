/** Who may read plugins, and how a plugin is found by name and version. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { firstMatch, type PluginFilter } from './filter.js'
import { PluginRecord, pluginView } from './view.js'

export const Found = strictObject({ plugin: PluginRecord, matchedCount: Type.Integer() })

export async function find(context: ReadContext, filter: PluginFilter) {
  const found = await firstMatch(context, filter)
  if (found === null) throw notFound('Plugin')
  return { plugin: pluginView(found.row), matchedCount: found.matchedCount }
}
