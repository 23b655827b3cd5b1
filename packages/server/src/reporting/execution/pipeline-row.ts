/** The pipeline that a report row is about. */
import Type from 'typebox'
import { nullable } from '../../runtime/operation/schema.js'
import type { ReportScope } from '../report/scope.js'

export const PIPELINE_FIELDS = {
  id: Type.String({ description: 'Of the pipeline' }),
  orgId: Type.String(),
  project: nullable(Type.String({ description: 'Null for a pipeline that was purged' })),
  organization: nullable(Type.String()),
  pipelineName: nullable(Type.String()),
}

export const pipelineOf = ({ pipelines }: ReportScope, id: string, orgId: string) => {
  const known = pipelines.get(id)
  return {
    id,
    orgId,
    project: known?.project ?? null,
    organization: known?.organization ?? null,
    pipelineName: known?.pipelineName ?? null,
  }
}
