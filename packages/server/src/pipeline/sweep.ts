/** Purges deleted pipelines and templates whose restore period has ended. */
import { sweepOf } from '../runtime/records/soft-delete.js'
import { purgePipelines } from './pipeline/rows.js'
import { pipelineTables } from './tables.js'
import { purgeTemplates } from './template/rows.js'

const pipelines = sweepOf({
  kind: 'pipeline.sweep-pipelines',
  tables: (db) => pipelineTables(db).pipelines,
  purge: purgePipelines,
})

const templates = sweepOf({
  kind: 'pipeline.sweep-templates',
  tables: (db) => pipelineTables(db).pipelineTemplates,
  purge: purgeTemplates,
})

export const SWEEP_JOBS = [pipelines.job, templates.job]
export const SWEEP_SCHEDULES = [pipelines.schedule, templates.schedule]
