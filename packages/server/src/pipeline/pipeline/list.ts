/** The list of pipelines, and the one of what was deleted. Source: platform decisions 8.1, 21, 22. */
import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { countRows, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { isDeleted } from '../../runtime/records/tombstone.js'
import type { Db } from '../../runtime/store/db.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { checkDeletedFilter, PIPELINE_FILTERS, type PipelineQuery, scopeOf, whereOf } from './filter.js'
import { PipelineItem, PipelineSchema, pipelineItem } from './record.js'
import { mergePages, type Part, type Placed, partsOf } from './visible.js'

type Item = Omit<PipelineRow, 'props'> & { readonly props?: PipelineRow['props'] }

const FIELDS = Object.keys(PipelineSchema.properties)

const list = listOf({
  key: 'pipelines',
  item: PipelineItem,
  sortBy: ['createdAt', 'updatedAt', 'project', 'organization', 'pipelineName', 'lifecycle'],
  filters: {
    ...PIPELINE_FILTERS,
    includeDeleted: Type.Optional(Type.Boolean({ description: 'Deleted ones of the own organization too' })),
    fields: Type.Optional(
      Type.Array(Type.Unsafe<string>({ type: 'string', enum: FIELDS }), {
        description: 'The fields to show, with commas between; without it all but `props`',
      }),
    ),
  },
  patterns: LABEL_FILTERS,
})

const sortColumns = (db: Db) => {
  const { pipelines: t } = pipelineTables(db)
  return {
    createdAt: t.createdAtMs,
    updatedAt: t.updatedAtMs,
    project: t.project,
    organization: t.organization,
    pipelineName: t.pipelineName,
    lifecycle: t.lifecycle,
  }
}

const SORT_KEYS = {
  createdAt: 'createdAtMs',
  updatedAt: 'updatedAtMs',
  project: 'project',
  organization: 'organization',
  pipelineName: 'pipelineName',
  lifecycle: 'lifecycle',
} as const satisfies Record<string, keyof PipelineRow>

type ListQuery = PageQuery & PipelineQuery & Readonly<Record<string, unknown>> & { readonly fields?: readonly string[] }

/** A part with its conditions. */
interface Asked {
  readonly part: Part
  readonly where: SQL | undefined
}

/** `GET /pipelines` */
export const listPipelines = query({
  name: 'pipeline.pipeline.list',
  summary: 'List pipelines',
  description: '`label.<name>=<value>` finds pipelines by a label.',
  http: { method: 'get', path: '/pipelines' },
  access: permission('pipelines:read'),
  tenant: fromHeader,
  input: { query: list.query },
  output: list.output,
  errors: ['INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { query }) {
    const asked = query as ListQuery
    checkDeletedFilter(context, asked)
    const parts = partsOf(context, scopeOf(asked))
    const each: Asked[] = await Promise.all(
      parts.map(async (part) => ({ part, where: await part.read((db) => whereOf(context, db, part, asked)) })),
    )
    const withProps = asked.fields?.includes('props') === true
    const sortBy = (asked.sortBy ?? 'createdAt') as keyof typeof SORT_KEYS
    const order = asked.sortOrder ?? 'desc'
    return list.rows<Item, ReturnType<typeof shown>>({
      columns: sortColumns(context.db),
      id: pipelineTables(context.db).pipelines.id,
      query: asked,
      fetch: ({ after, orderBy, limit, offset }) =>
        mergePages(
          each.map(
            ({ part, where }) =>
              (rows, skip) =>
                part.read((db) => select(db, withProps, SORT_KEYS[sortBy], and(where, after), orderBy, rows, skip)),
          ),
          { order, limit, offset },
        ),
      async count(atMost) {
        let total = 0
        for (const { part, where } of each) {
          if (total >= atMost) break
          total += await part.read((db) => countRows(db, pipelineTables(db).pipelines, where, atMost - total))
        }
        return total
      },
      place: (row, by) => ({ value: row[SORT_KEYS[by]], id: row.id }),
      present: (row) => shown(row, asked.fields),
    })
  },
})

async function select(
  db: Db,
  withProps: boolean,
  sortKey: (typeof SORT_KEYS)[keyof typeof SORT_KEYS],
  where: SQL | undefined,
  orderBy: SQL[],
  limit: number,
  offset: number,
): Promise<Placed<Item>[]> {
  const { pipelines } = pipelineTables(db)
  const { props, ...columns } = getTableColumns(pipelines)
  const rows = (await db
    .select(withProps ? { ...columns, props } : columns)
    .from(pipelines)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset)) as Item[]
  return rows.map((row) => ({ row, id: row.id, value: row[sortKey] }))
}

function shown(row: Item, fields: readonly string[] | undefined) {
  const item = { ...pipelineItem(row), ...(row.props === undefined ? {} : { props: row.props }) }
  if (fields === undefined) return item
  const some = Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name))
  return Object.fromEntries(some) as typeof item
}

const deleted = listOf({ key: 'pipelines', item: PipelineItem, sortBy: ['updatedAt'] })

/** `GET /pipelines/deleted`: what can be restored, the latest first. */
export const listDeletedPipelines = query({
  name: 'pipeline.pipeline.list-deleted',
  summary: 'List deleted pipelines',
  http: { method: 'get', path: '/pipelines/deleted' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  input: { query: deleted.query },
  output: deleted.output,
  errors: [],
  run(context, { query }) {
    const { pipelines: t } = pipelineTables(context.db)
    return deleted.page(context.db, {
      table: t,
      where: and(eq(t.orgId, tenantId(context)), isDeleted(t)),
      columns: { updatedAt: t.updatedAtMs },
      id: t.id,
      query,
      present: (row) => pipelineItem(row),
    })
  },
})
