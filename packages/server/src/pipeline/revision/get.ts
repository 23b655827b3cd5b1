/** `GET /pipelines/:id/revisions/:revision`: read a pipeline as it was. */
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { type PipelineRecord, PipelineSchema } from '../pipeline/record.js'
import { READ_PIPELINES } from '../read-access.js'
import { fields, item, onRevision, revisionOf } from './record.js'

const Revision = strictObject({ ...fields, pipeline: PipelineSchema })

export const getRevision = query({
  name: 'pipeline.revision.get',
  summary: 'Read a pipeline as it was',
  http: { method: 'get', path: '/pipelines/:id/revisions/:revision' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { path: onRevision },
  output: strictObject({ revision: Revision }),
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const row = await revisionOf(context, path.id, path.revision)
    return { revision: { ...item(row), pipeline: row.record as PipelineRecord } }
  },
})
