/**
 * `GET /pipeline-templates`: the organization's own templates, and those that the parent and the system organization
 * share. Source: spec platform 9.
 */
import { tenantKey } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { type ListPart, partsOf, rowsOfParts, scopeOf } from '../../runtime/records/visible.js'
import { READ_PIPELINES } from '../read-access.js'
import { pipelineTables } from '../tables.js'
import { partOfQuery, TEMPLATE_FILTERS, type TemplateQuery } from './filter.js'
import { TemplateItem, templateItem } from './record.js'

const list = listOf({
  key: 'templates',
  item: TemplateItem,
  sortBy: ['createdAt', 'name', 'updatedAt'],
  filters: TEMPLATE_FILTERS,
  patterns: LABEL_FILTERS,
})

export const listTemplates = query({
  name: 'pipeline.template.list',
  summary: 'List pipeline templates',
  description: '`label.<name>=<value>` finds templates by a label.',
  http: { method: 'get', path: '/pipeline-templates' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query }) {
    const asked = query as TemplateQuery
    const { db } = context
    const { pipelineTemplates: t } = pipelineTables(db)
    const parts: ListPart[] = []
    for (const part of partsOf(tenantKey(context), scopeOf(asked))) parts.push(await partOfQuery(context, part, asked))
    return list.rows(
      rowsOfParts(db, {
        table: t,
        parts,
        columns: { createdAt: t.createdAtMs, name: t.nameKey, updatedAt: t.updatedAtMs },
        id: t.id,
        query: asked,
        present: templateItem,
      }),
    )
  },
})
