/** The catalog of templates, one of them, and the use of one. Source: platform decisions 9. */
import { and, eq, getTableColumns } from 'drizzle-orm'
import Type from 'typebox'
import { invalid } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId, unchanged } from '../../runtime/operation/context.js'
import { containsText } from '../../runtime/operation/filters.js'
import { countRows, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { command, fromHeader, none, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { CATALOG_FILTERS, catalogFilters } from '../../runtime/records/catalog.js'
import { isDeleted, isLive } from '../../runtime/records/tombstone.js'
import { requireProps } from '../pipeline/check.js'
import { ActiveFilter } from '../pipeline/filter.js'
import { ACCESS_MODIFIERS } from '../pipeline/record.js'
import { inPart, mergePages, partsOf, type Scope } from '../pipeline/visible.js'
import { PropsSchema } from '../props/schema.js'
import { pipelineTables, type TemplateRow } from '../tables.js'
import { instantiated } from './contract.js'
import { InputValues, readInputs } from './inputs.js'
import { TemplateItem, TemplateRecord, templateItem, templateRecord, visibleTemplate } from './record.js'

const Text = (max: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: max, description }))

const list = listOf({
  key: 'templates',
  item: TemplateItem,
  sortBy: ['createdAt', 'name', 'updatedAt'],
  filters: {
    name: Text(255, 'The name holds it, letters of either case'),
    category: Text(50, 'In this category'),
    keyword: Text(64, 'Has this keyword'),
    accessModifier: Type.Optional(Type.Enum([...ACCESS_MODIFIERS])),
    isActive: ActiveFilter,
    scope: Type.Optional(
      Type.Unsafe<Scope>({ type: 'string', enum: ['own', 'shared', 'all'], description: '`all` unless said' }),
    ),
    ...CATALOG_FILTERS,
  },
})

interface TemplateQuery {
  readonly name?: string
  readonly category?: string
  readonly keyword?: string
  readonly accessModifier?: string
  readonly isActive?: boolean | 'all'
  readonly scope?: Scope
  readonly ownerId?: string
  readonly lifecycle?: string
  readonly criticality?: string
}

const SORT_KEYS = { createdAt: 'createdAtMs', name: 'name', updatedAt: 'updatedAtMs' } as const

/** `GET /pipeline-templates`: the own ones, and what the parent and the system organization share. */
export const listTemplates = query({
  name: 'pipeline.template.list',
  summary: 'List pipeline templates',
  http: { method: 'get', path: '/pipeline-templates' },
  access: permission('pipelines:read'),
  tenant: fromHeader,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query }) {
    const asked = query as PageQuery & TemplateQuery
    const { db } = context
    const { pipelineTemplates: t } = pipelineTables(db)
    const { isActive = true, keyword } = asked
    const filters = and(
      isLive(t),
      isActive === 'all' ? undefined : eq(t.isActive, isActive),
      asked.name === undefined ? undefined : containsText(t.name, asked.name),
      asked.category === undefined ? undefined : eq(t.category, asked.category),
      // As JSON the keyword stands in quotes: part of another one is none.
      keyword === undefined ? undefined : containsText(t.keywords, JSON.stringify(keyword)),
      asked.accessModifier === undefined ? undefined : eq(t.accessModifier, asked.accessModifier),
      catalogFilters(context, t, asked),
    )
    const scope = asked.accessModifier === 'private' && asked.scope === undefined ? 'own' : asked.scope
    const parts = partsOf(context, scope).map((part) => and(inPart(part, t), filters))
    const sortKey = SORT_KEYS[(asked.sortBy ?? 'createdAt') as keyof typeof SORT_KEYS]
    return list.rows({
      columns: { createdAt: t.createdAtMs, name: t.name, updatedAt: t.updatedAtMs },
      id: t.id,
      query: asked,
      fetch: ({ after, orderBy, limit, offset }) =>
        mergePages<TemplateRow>(
          parts.map((where) => async (rows, skip) => {
            const found = await db
              .select(getTableColumns(t))
              .from(t)
              .where(and(where, after))
              .orderBy(...orderBy)
              .limit(rows)
              .offset(skip)
            return found.map((row) => ({ row, id: row.id, value: row[sortKey] }))
          }),
          { order: asked.sortOrder ?? 'desc', limit, offset },
        ),
      async count(atMost) {
        let total = 0
        for (const where of parts) total += await countRows(db, t, where, atMost)
        return Math.min(total, atMost)
      },
      place: (row, by) => ({ value: row[SORT_KEYS[by]], id: row.id }),
      present: templateItem,
    })
  },
})

const deleted = listOf({ key: 'templates', item: TemplateItem, sortBy: ['updatedAt'] })

/** `GET /pipeline-templates/deleted` */
export const listDeletedTemplates = query({
  name: 'pipeline.template.list-deleted',
  summary: 'List deleted pipeline templates',
  http: { method: 'get', path: '/pipeline-templates/deleted' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  input: { query: deleted.query },
  output: deleted.output,
  errors: [],
  run(context, { query }) {
    const { pipelineTemplates: t } = pipelineTables(context.db)
    return deleted.page(context.db, {
      table: t,
      where: and(eq(t.orgId, tenantId(context)), isDeleted(t)),
      columns: { updatedAt: t.updatedAtMs },
      id: t.id,
      query,
      present: templateItem,
    })
  },
})

const onTemplate = Type.Object({ id: Uuid })

/** `GET /pipeline-templates/:id` */
export const getTemplate = query({
  name: 'pipeline.template.get',
  summary: 'Read a pipeline template',
  http: { method: 'get', path: '/pipeline-templates/:id' },
  access: permission('pipelines:read'),
  tenant: fromHeader,
  input: { path: onTemplate },
  output: strictObject({ template: TemplateRecord }),
  errors: ['NOT_FOUND'],
  run: async (context, { path }) => ({
    template: templateRecord(await visibleTemplate(context, context.db, path.id)),
  }),
})

/** `POST /pipeline-templates/:id/instantiate`: the body of a pipeline; nothing is stored. */
export const instantiateTemplate = command({
  name: 'pipeline.template.instantiate',
  summary: 'Make the properties of a pipeline from a template',
  http: { method: 'post', path: '/pipeline-templates/:id/instantiate' },
  access: permission('pipelines:read'),
  tenant: fromHeader,
  audit: none('nothing is stored: the pipeline that is made of it has its own evidence'),
  input: {
    path: onTemplate,
    body: strictObject({
      project: Type.String({ minLength: 1, maxLength: 255, pattern: '[\\p{L}\\p{N}]' }),
      organization: Type.String({ minLength: 1, maxLength: 255, pattern: '[\\p{L}\\p{N}]' }),
      pipelineName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '[\\p{L}\\p{N}]' })),
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
