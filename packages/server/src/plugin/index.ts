/** What other domains of the server may import from the plugin domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { compliancePort } from '../runtime/records/compliance.js'
import { knownPluginsPort } from '../runtime/records/finished-builds.js'
import { ownerPort } from '../runtime/records/owners.js'
import { pluginCatalogPort } from '../runtime/records/plugin-catalog.js'
import { pluginNamesPort } from '../runtime/records/plugin-names.js'
import { pluginReferencesPort } from '../runtime/records/plugin-references.js'
import { sweepOf } from '../runtime/records/soft-delete.js'
import { attestImageJob } from './build/attest-image.js'
import { endBuildsJob } from './build/end-builds.js'
import { finishBuildJob } from './build/finish.js'
import { publicCopiesJob } from './build/public-copies.js'
import { sweepBuildsJob, sweepBuildsSchedule } from './build/sweep.js'
import { dropImageJob, sweepStagingJob, sweepStagingSchedule } from './build/sweep-images.js'
import { localBuilderOf } from './builder-local/service.js'
import { pluginDeclarations } from './declarations.js'
import { pluginCatalog, pluginEntities, pluginNames } from './entities.js'
import { knownPlugins } from './live-plugins.js'
import { pluginOperations } from './operations.js'
import { purgePlugins } from './plugin/tombstone.js'
import { pluginRegistration } from './registration.js'
import { loadSystemPlugins } from './system/load.js'
import { pluginTables } from './tables.js'

export { writeZip } from './archive/write.js'
export {
  GeneratedPlugin,
  reportOnGenerated,
  visiblePluginNames,
} from './plugin/generated.js'
export { DeferredRules } from './plugin/warnings.js'
export { loadSystemPlugins } from './system/load.js'

const deleted = sweepOf({
  kind: 'plugin.sweep-deleted',
  tables: (db) => pluginTables(db).plugins,
  purge: purgePlugins,
})

export const plugin = defineDomain({
  ...pluginDeclarations,
  operations: pluginOperations,
  jobs: [
    sweepBuildsJob,
    endBuildsJob,
    finishBuildJob,
    attestImageJob,
    publicCopiesJob,
    sweepStagingJob,
    dropImageJob,
    deleted.job,
  ],
  schedules: [sweepBuildsSchedule, sweepStagingSchedule, deleted.schedule],
  tables: [pluginTables],
  registration: pluginRegistration,
  provides: [
    provide(pluginCatalogPort, () => pluginCatalog),
    provide(pluginNamesPort, () => pluginNames),
    provide(knownPluginsPort, () => knownPlugins),
  ],
  requires: [compliancePort, capacityPort, ownerPort, pluginReferencesPort],
  firstContent: (runtime) => loadSystemPlugins(runtime),
  entities: [pluginEntities],
  services: (runtime) => [localBuilderOf(runtime)],
})
