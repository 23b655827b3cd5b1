/** What other parts of the server may know of the plugin domain. */
import type { Module } from '../runtime/module.js'
import { sweepOf } from '../runtime/records/tombstone.js'
import { sweepBuildsJob, sweepBuildsSchedule } from './build/sweep.js'
import { pluginEntities } from './entities.js'
import { pluginOperations } from './operations.js'
import { purgePlugins } from './record/delete.js'
import { pluginRegistration } from './registration.js'
import { pluginTables } from './tables.js'

export { pluginCatalog } from './entities.js'
export { loadSystemPlugins } from './system/load.js'

const deleted = sweepOf({
  kind: 'plugin.sweep-deleted',
  tables: (db) => pluginTables(db).plugins,
  purge: purgePlugins,
})

export const pluginModule: Module = {
  name: 'plugin',
  operations: pluginOperations,
  jobs: [sweepBuildsJob, deleted.job],
  schedules: [sweepBuildsSchedule, deleted.schedule],
  templates: [],
  registration: pluginRegistration,
  entities: [pluginEntities],
}
