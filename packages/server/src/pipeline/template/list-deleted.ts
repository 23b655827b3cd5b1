/** `GET /pipeline-templates/deleted`: list deleted pipeline templates. Source: spec platform 9. */
import { deletedList } from '../../runtime/records/deleted-list.js'
import { pipelineTables } from '../tables.js'
import { TemplateItem, templateItem } from './record.js'

export const listDeletedTemplates = deletedList({
  name: 'pipeline.template.list-deleted',
  summary: 'List deleted pipeline templates',
  path: '/pipeline-templates/deleted',
  permission: 'pipelines:write',
  key: 'templates',
  item: TemplateItem,
  sortBy: ['updatedAt', 'createdAt'],
  table: (db) => pipelineTables(db).pipelineTemplates,
  columns: (t) => ({ updatedAt: t.updatedAtMs, createdAt: t.createdAtMs }),
  present: templateItem,
})
