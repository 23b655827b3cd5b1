/** `GET /pipelines/deleted`: list deleted pipelines. Source: spec platform 8.1, 21, 22. */
import { deletedList } from '../../runtime/records/deleted-list.js'
import { pipelineTables } from '../tables.js'
import { PipelineItem, pipelineItem } from './record.js'

export const listDeletedPipelines = deletedList({
  name: 'pipeline.pipeline.list-deleted',
  summary: 'List deleted pipelines',
  path: '/pipelines/deleted',
  permission: 'pipelines:write',
  key: 'pipelines',
  item: PipelineItem,
  sortBy: ['updatedAt', 'createdAt'],
  table: (db) => pipelineTables(db).pipelines,
  columns: (t) => ({ updatedAt: t.updatedAtMs, createdAt: t.createdAtMs }),
  present: (row) => pipelineItem(row),
})
