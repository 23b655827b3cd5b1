/** List deleted plugins. */
import { deletedList } from '../../runtime/records/deleted-list.js'
import { pluginTables } from '../tables.js'
import { PluginRecord, pluginView } from './view.js'

export const listDeletedPlugins = deletedList({
  name: 'plugin.plugin.list-deleted',
  summary: 'List deleted plugins',
  path: '/plugins/deleted',
  permission: 'plugins:read',
  key: 'plugins',
  item: PluginRecord,
  sortBy: ['updatedAt', 'createdAt'],
  table: (db) => pluginTables(db).plugins,
  columns: (t) => ({ updatedAt: t.updatedAtMs, createdAt: t.createdAtMs }),
  present: pluginView,
})
