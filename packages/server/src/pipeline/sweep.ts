/** What is deleted is purged when its time is over. */
import { and, eq, inArray } from 'drizzle-orm'
import { sweepOf } from '../runtime/records/tombstone.js'
import { purgePipelines } from './pipeline/rows.js'
import { pipelineTables } from './tables.js'

const pipelines = sweepOf({
  kind: 'pipeline.sweep-pipelines',
  tables: (db) => pipelineTables(db).pipelines,
  purge: purgePipelines,
})

const templates = sweepOf({
  kind: 'pipeline.sweep-templates',
  tables: (db) => pipelineTables(db).pipelineTemplates,
  async purge(tx, orgId, ids) {
    const { pipelineTemplates: t } = pipelineTables(tx)
    await tx.delete(t).where(and(eq(t.orgId, orgId), inArray(t.id, [...ids])))
  },
})

export const SWEEP_JOBS = [pipelines.job, templates.job]
export const SWEEP_SCHEDULES = [pipelines.schedule, templates.schedule]
