/** The catalog of templates, one of them, and the use of one. Source: platform decisions 9. */
import Type from 'typebox'
import { invalid } from '../../runtime/errors.js'
import { tenantKey, unchanged } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { nameWithLetter } from '../../runtime/operation/name.js'
import { command, fromHeader, none, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { deletedList } from '../../runtime/records/deleted-list.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { type ListPart, partsOf, rowsOfParts, scopeOf } from '../../runtime/records/visible.js'
import { requireProps } from '../pipeline/check.js'
import { PropsSchema } from '../props/schema.js'
import { READ_PIPELINES } from '../read-access.js'
import { pipelineTables } from '../tables.js'
import { instantiated } from './contract.js'
import { partOfQuery, TEMPLATE_FILTERS, type TemplateQuery } from './filter.js'
import { InputValues, readInputs } from './inputs.js'
import { TemplateItem, TemplateRecord, templateItem, templateRecord, visibleTemplate } from './record.js'

const list = listOf({
  key: 'templates',
  item: TemplateItem,
  sortBy: ['createdAt', 'name', 'updatedAt'],
  filters: TEMPLATE_FILTERS,
  patterns: LABEL_FILTERS,
})

/** `GET /pipeline-templates`: the own ones, and what the parent and the system organization share. */
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
        columns: { createdAt: t.createdAtMs, name: t.name, updatedAt: t.updatedAtMs },
        id: t.id,
        query: asked,
        present: templateItem,
      }),
    )
  },
})

/** `GET /pipeline-templates/deleted` */
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

const onTemplate = Type.Object({ id: Uuid })

/** `GET /pipeline-templates/:id` */
export const getTemplate = query({
  name: 'pipeline.template.get',
  summary: 'Read a pipeline template',
  http: { method: 'get', path: '/pipeline-templates/:id' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { path: onTemplate },
  output: strictObject({ template: TemplateRecord }),
  errors: ['NOT_FOUND'],
  headersOf: ({ template }) => deprecationOf(template),
  run: async (context, { path }) => ({
    template: templateRecord(await visibleTemplate(context, context.db, path.id)),
  }),
})

/** `POST /pipeline-templates/:id/instantiate`: the body of a pipeline; nothing is stored. */
export const instantiateTemplate = command({
  name: 'pipeline.template.instantiate',
  summary: 'Make the properties of a pipeline from a template',
  http: { method: 'post', path: '/pipeline-templates/:id/instantiate' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  audit: none('nothing is stored: the pipeline that is made of it has its own evidence'),
  input: {
    path: onTemplate,
    body: strictObject({
      project: nameWithLetter(255),
      organization: nameWithLetter(255),
      pipelineName: Type.Optional(nameWithLetter(255)),
      inputs: Type.Optional(InputValues),
    }),
  },
  output: strictObject({
    props: PropsSchema,
    description: Type.String(),
    keywords: Type.Array(Type.String()),
    templateId: Uuid,
    templateVersion: Type.Integer({ minimum: 1 }),
  }),
  errors: [
    'NOT_FOUND',
    'TEMPLATE_CYCLE',
    'TEMPLATE_PARSE_ERROR',
    'TEMPLATE_SECRETS_RESERVED',
    'TEMPLATE_SIZE_EXCEEDED',
    'TEMPLATE_TYPE_MISMATCH',
    'TEMPLATE_UNKNOWN_PATH',
    'TEMPLATE_VALIDATION_FAILED',
    'VALIDATION_ERROR',
  ],
  async prepare(context, { path, body }) {
    const template = await context.read((db) => visibleTemplate(context, db, path.id))
    const { values, issues } = readInputs(template.inputs, body.inputs ?? {}, '/body/inputs')
    if (issues.length > 0) throw invalid(issues)
    const named = { project: body.project.trim(), organization: body.organization.trim() }
    const props = {
      ...instantiated(template.props, values),
      ...named,
      ...(body.pipelineName === undefined ? {} : { pipelineName: body.pipelineName.trim() }),
    }
    requireProps(props, named, '/body/inputs')
    return {
      props,
      description: template.description,
      keywords: [...template.keywords],
      templateId: template.id,
      templateVersion: template.version,
    }
  },
  run: async (_, __, data) => unchanged(data),
})
