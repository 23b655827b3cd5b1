/** What other domains of the server may import from the pipeline domain. */

import { defineDomain, provide } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { compliancePort } from '../runtime/records/compliance.js'
import { deployedPipelinesPort } from '../runtime/records/deployed-pipelines.js'
import { lastRecheckPort } from '../runtime/records/last-recheck.js'
import { ownerPort } from '../runtime/records/owners.js'
import { pluginCatalogPort } from '../runtime/records/plugin-catalog.js'
import { pluginReferencesPort } from '../runtime/records/plugin-references.js'
import { pipelineDeclarations } from './declarations.js'
import { deployedPipelines } from './deployed.js'
import { pipelineEntities } from './entities.js'
import { PIPELINE_OPERATIONS } from './operations.js'
import { pluginReferences } from './plugin-references.js'
import { pipelineRegistration } from './registration.js'
import { loadStarters } from './starter/load.js'
import { SWEEP_JOBS, SWEEP_SCHEDULES } from './sweep.js'
import { pipelineTables } from './tables.js'

export { CreateBody } from './pipeline/record.js'
export { reportOn } from './pipeline/validate.js'
export { findCredentials } from './props/credentials.js'
export { type Props, PropsSchema, SOURCE_TYPES } from './props/schema.js'
export { loadStarters } from './starter/load.js'

export const pipeline = defineDomain({
  ...pipelineDeclarations,
  operations: PIPELINE_OPERATIONS,
  jobs: SWEEP_JOBS,
  schedules: SWEEP_SCHEDULES,
  tables: [pipelineTables],
  registration: pipelineRegistration,
  provides: [
    provide(pluginReferencesPort, () => pluginReferences),
    provide(deployedPipelinesPort, () => deployedPipelines),
  ],
  requires: [compliancePort, capacityPort, ownerPort, pluginCatalogPort, lastRecheckPort],
  firstContent: (runtime) => loadStarters(runtime),
  entities: [pipelineEntities],
})
