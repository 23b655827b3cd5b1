/** What other parts of the server may know of the pipeline domain. */
import type { Module } from '../runtime/module.js'
import { pipelineEntities } from './entities.js'
import { PIPELINE_OPERATIONS } from './operations.js'
import { pipelineRegistration } from './registration.js'
import { SWEEP_JOBS, SWEEP_SCHEDULES } from './sweep.js'

export { pluginReferences } from './plugin-references.js'
export { loadStarters } from './starter/load.js'

export const pipelineModule: Module = {
  name: 'pipeline',
  operations: PIPELINE_OPERATIONS,
  jobs: SWEEP_JOBS,
  schedules: SWEEP_SCHEDULES,
  templates: [],
  registration: pipelineRegistration,
  entities: [pipelineEntities],
}
