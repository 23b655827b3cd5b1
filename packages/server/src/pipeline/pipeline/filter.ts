/** The filters of pipelines and their conditions. Source: spec platform 21. */
import { and, eq, gte, isNotNull, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient } from '../../runtime/errors.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import type { PageQuery } from '../../runtime/operation/list.js'
import { nameKey } from '../../runtime/operation/name.js'
import { Begin, beginOf } from '../../runtime/operation/period.js'
import { narrowedById } from '../../runtime/records/by-id.js'
import { CATALOG_FILTERS, catalogFilters } from '../../runtime/records/catalog.js'
import { listPart } from '../../runtime/records/index-tables.js'
import { wantedLabels } from '../../runtime/records/labels.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import type { ListPart, Part, Scope } from '../../runtime/records/visible.js'
import type { Db } from '../../runtime/store/db.js'
import { type Narrowing, narrowWhere } from '../../runtime/store/index-table-filters.js'
import { matchText } from '../../runtime/store/search.js'
import { keyOf } from '../props/check.js'
import { pipelineTables } from '../tables.js'
import { ACCESS_MODIFIERS } from './record.js'

const Text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))

export const ActiveFilter = Type.Optional(
  Type.Unsafe<boolean | 'all'>({
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['all'] }],
    default: true,
    description: '`true` by default; `all` for both',
  }),
)

export const PIPELINE_FILTERS = {
  id: Text('An id, ids separated by commas, or the first 8 or more characters of one'),
  project: Text('Of this project; `My-App` and `my_app` are the same'),
  organization: Text('Of this organization name'),
  pipelineName: Text('Of this name, ignoring case; with a final `~`: the name contains it'),
  keyword: Text('Has this keyword, ignoring case'),
  q: Text('The name, project, description or a keyword contains it'),
  plugin: Text('Names this plugin'),
  templateId: Text('Was made from this template'),
  updatedSince: Type.Optional(Begin),
  accessModifier: Type.Optional(Type.Enum([...ACCESS_MODIFIERS])),
  isActive: ActiveFilter,
  isDefault: Type.Optional(Type.Boolean({ description: 'The default of its project' })),
  ...CATALOG_FILTERS,
}

export interface PipelineQuery {
  readonly id?: string
  readonly project?: string
  readonly organization?: string
  readonly pipelineName?: string
  readonly keyword?: string
  readonly q?: string
  readonly plugin?: string
  readonly templateId?: string
  readonly updatedSince?: string
  readonly accessModifier?: string
  readonly isActive?: boolean | 'all'
  readonly isDefault?: boolean
  readonly ownerId?: string
  readonly lifecycle?: string
  readonly criticality?: string
  readonly includeDeleted?: boolean
}

/** Private and deleted pipelines are searched only among the organization's own. */
export const scopeOf = ({ accessModifier, includeDeleted, ownerId }: PipelineQuery): Scope =>
  accessModifier === 'private' || includeDeleted === true || ownerId === 'me' ? 'own' : 'all'

/** @throws Refusal 403 for a caller who may not change pipelines. */
export function checkDeletedFilter({ authority }: ReadContext, { includeDeleted }: PipelineQuery): void {
  if (includeDeleted !== true || authority.permissions.has('pipelines:write') || authority.isSuperAdmin) return
  throw insufficient('permission', 'deleted pipelines are listed with the permission pipelines:write', {
    required: ['pipelines:write'],
    mode: 'all',
  })
}

/** One part of the list. @throws Refusal 400 for an invalid owner or id. */
export async function partOfQuery(
  context: Pick<ReadContext, 'principal'>,
  db: Db,
  part: Part,
  query: PageQuery & PipelineQuery & Readonly<Record<string, unknown>>,
): Promise<ListPart> {
  const { pipelines: t, pipelineSearch, pipelineLabels, pipelineKeywords: k, pipelinePlugins: p } = pipelineTables(db)
  const { isActive = true, isDefault, updatedSince, pipelineName, q, keyword, plugin } = query
  const { orgId } = part
  const isByCreation = query.sortBy === undefined || query.sortBy === 'createdAt'
  const texts = await narrowedById(db, t, orgId, query.id)
  if (q !== undefined) texts.push(await matchText(db, pipelineSearch, t.id, { orgId, text: q, in: 'all' }))
  if (pipelineName !== undefined && isPartOfName(pipelineName)) {
    texts.push(await matchText(db, pipelineSearch, t.id, { orgId, text: pipelineName.slice(0, -1), in: 'title' }))
  }
  if (updatedSince !== undefined) texts.push(await changedSince(db, orgId, beginOf(updatedSince)))
  // Filters that match many rows have an index in the order of creation only; with another order the rows are compared.
  const many = [
    equals(t.criticality, query.criticality),
    equals(t.lifecycle, query.lifecycle),
    equals(t.accessModifier, query.accessModifier),
    isDefault === true ? isNotNull(t.defaultKey) : undefined,
  ]
  return listPart(db, {
    part,
    table: t,
    live: query.includeDeleted === true ? undefined : isLive(t),
    isActive,
    leading: [
      query.project === undefined ? undefined : eq(t.projectKey, keyOf(query.project.trim())),
      pipelineName === undefined || isPartOfName(pipelineName) ? undefined : eq(t.nameKey, nameKey(pipelineName)),
      query.organization === undefined ? undefined : eq(t.organizationKey, keyOf(query.organization.trim())),
      equals(t.templateId, query.templateId),
      catalogFilters(context, t, { ...(query.ownerId === undefined ? {} : { ownerId: query.ownerId }) }),
      ...(isByCreation ? many : []),
    ],
    compared: [...(isByCreation ? [] : many), isDefault === false ? isNull(t.defaultKey) : undefined],
    wanted: [
      ...(keyword === undefined
        ? []
        : [{ table: k, entityId: k.pipelineId, is: eq(k.keyword, keyword.toLowerCase()) }]),
      ...(plugin === undefined
        ? []
        : [{ table: p, entityId: p.pipelineId, is: and(eq(p.name, plugin), eq(p.isFirst, true)) }]),
      ...wantedLabels(pipelineLabels, query),
    ],
    texts,
    isByCreation,
  })
}

const isPartOfName = (name: string): boolean => name.endsWith('~') && name !== '~'

function changedSince(db: Db, orgId: string, sinceMs: number): Promise<Narrowing> {
  const { pipelines: t } = pipelineTables(db)
  const among = and(eq(t.orgId, orgId), isLive(t))
  return narrowWhere(db, { table: t, id: t.id, among, is: gte(t.updatedAtMs, sinceMs) })
}
