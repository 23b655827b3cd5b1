/** The list of pipelines. Source: spec platform 8.1 and 21. */
import { getTableColumns } from 'drizzle-orm'
import Type from 'typebox'
import { liveTeamIds } from '../../identity/index.js'
import { insufficient } from '../../runtime/errors.js'
import { type ReadContext, tenantId, tenantKey } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { type ListPart, type Part, partsOf, rowsOfParts } from '../../runtime/records/visible.js'
import { READ_PIPELINES } from '../read-access.js'
import { type PipelineRow, type PipelineTables, pipelineTables } from '../tables.js'
import { checkDeletedFilter, PIPELINE_FILTERS, type PipelineQuery, partOfQuery, scopeOf } from './filter.js'
import { PipelineItem, PipelineSchema, pipelineItem } from './record.js'

type Item = Omit<PipelineRow, 'props'> & { readonly props?: PipelineRow['props'] }

const FIELDS = Object.keys(PipelineSchema.properties)

const list = listOf({
  key: 'pipelines',
  item: PipelineItem,
  sortBy: ['createdAt', 'updatedAt', 'project', 'organization', 'pipelineName', 'lifecycle'],
  filters: {
    ...PIPELINE_FILTERS,
    includeDeleted: Type.Optional(Type.Boolean({ description: 'Also deleted pipelines of the organization' })),
    includeDescendants: Type.Optional(
      Type.Boolean({ description: 'Also pipelines of the teams below; needs `reports:rollup`' }),
    ),
    fields: Type.Optional(
      Type.Array(Type.Unsafe<string>({ type: 'string', enum: FIELDS }), {
        maxItems: FIELDS.length,
        description: 'The fields to show, separated by commas; by default all except `props`',
      }),
    ),
  },
  patterns: LABEL_FILTERS,
})

/** Sort keys are case-insensitive, like the comparison of names. */
const sortColumns = (t: PipelineTables['pipelines']) => ({
  createdAt: t.createdAtMs,
  updatedAt: t.updatedAtMs,
  project: t.projectKey,
  organization: t.organizationKey,
  pipelineName: t.nameKey,
  lifecycle: t.lifecycle,
})

type ListQuery = PageQuery &
  PipelineQuery &
  Readonly<Record<string, unknown>> & { readonly fields?: readonly string[]; readonly includeDescendants?: boolean }

const TEAMS_MAX = 1000

/**
 * The organizations whose pipelines are listed. A caller with the permission for roll-ups sees those of the teams too,
 * private ones included; a team has no teams below it.
 * @throws Refusal 403 for a caller without the permission.
 */
async function listedParts(context: ReadContext, asked: ListQuery): Promise<Part[]> {
  const [own, ...shared] = partsOf(tenantKey(context), scopeOf(asked))
  if (asked.includeDescendants !== true || own === undefined) return own === undefined ? [] : [own, ...shared]
  const { authority, db } = context
  // guard: who-lists-the-pipelines-of-teams
  if (!authority.permissions.has('reports:rollup') && !authority.isSuperAdmin) {
    throw insufficient('permission', 'pipelines of teams are listed with the permission reports:rollup', {
      required: ['reports:rollup'],
      mode: 'all',
    })
  }
  const teams = await liveTeamIds(db, own.orgId, '', TEAMS_MAX)
  return [own, ...teams.map((orgId) => ({ orgId, isShared: false })), ...shared]
}

export const listPipelines = query({
  name: 'pipeline.pipeline.list',
  summary: 'List pipelines',
  description: '`label.<name>=<value>` finds pipelines by a label.',
  http: { method: 'get', path: '/pipelines' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  acrossWhen: {
    reason: 'the teams of a root are organizations of their own',
    is: ({ includeDescendants }) => includeDescendants === true,
  },
  input: { query: list.query },
  output: list.output,
  errors: ['INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { query }) {
    const asked = query as ListQuery
    checkDeletedFilter(context, asked)
    const { db } = context
    const { pipelines: t } = pipelineTables(db)
    const parts: ListPart[] = []
    for (const part of await listedParts(context, asked)) {
      // Deleted pipelines of a team are visible only to the team itself.
      const isOthers = part.orgId !== tenantId(context)
      // guard: what-a-team-deleted-is-its-own
      parts.push(await partOfQuery(context, db, part, isOthers ? { ...asked, includeDeleted: false } : asked))
    }
    const { props, ...short } = getTableColumns(t)
    return list.rows(
      rowsOfParts<typeof t, keyof ReturnType<typeof sortColumns>, Item, ReturnType<typeof shown>>(db, {
        table: t,
        parts,
        read: asked.fields?.includes('props') === true ? { ...short, props } : short,
        columns: sortColumns(t),
        id: t.id,
        query: asked,
        present: (row) => shown(row, asked.fields),
      }),
    )
  },
})

function shown(row: Item, fields: readonly string[] | undefined) {
  const item = { ...pipelineItem(row), ...(row.props === undefined ? {} : { props: row.props }) }
  if (fields === undefined) return item
  const some = Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name))
  return Object.fromEntries(some) as typeof item
}
