/** What pipelines are filtered by, and the conditions that come of it. Source: platform decisions 21. */
import { and, eq, gte, isNotNull, isNull, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient } from '../../runtime/errors.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { idMatches } from '../../runtime/operation/filters.js'
import { Instant } from '../../runtime/operation/schema.js'
import { CATALOG_FILTERS, catalogFilters } from '../../runtime/records/catalog.js'
import { labelsIn, matchLabel } from '../../runtime/records/labels.js'
import { isLive } from '../../runtime/records/tombstone.js'
import type { Db } from '../../runtime/store/db.js'
import { type Narrowing, narrowBy, narrowed, residual } from '../../runtime/store/narrow.js'
import { matchText } from '../../runtime/store/search.js'
import { keyOf } from '../props/check.js'
import { pipelineTables } from '../tables.js'
import { ACCESS_MODIFIERS } from './record.js'
import { inPart, type Part, type Scope } from './visible.js'

const Text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))

export const ActiveFilter = Type.Optional(
  Type.Unsafe<boolean | 'all'>({
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['all'] }],
    default: true,
    description: '`true` unless said; `all` for both',
  }),
)

export const PIPELINE_FILTERS = {
  id: Text('An id, ids with commas between, or the first 8 or more characters of one'),
  project: Text('Of this project; `My-App` and `my_app` are one'),
  organization: Text('Of this organization name'),
  pipelineName: Text('Of this name, letters of either case; with `~` behind it: the name holds it'),
  keyword: Text('Has this keyword, letters of either case'),
  q: Text('The name, project, description or a keyword holds it'),
  plugin: Text('Names this plugin'),
  templateId: Text('Was made from this template'),
  updatedSince: Type.Optional(Instant),
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

/** What is private or deleted is looked for among the own ones alone. */
export const scopeOf = ({ accessModifier, includeDeleted, ownerId }: PipelineQuery): Scope =>
  accessModifier === 'private' || includeDeleted === true || ownerId === 'me' ? 'own' : 'all'

/** @throws Refusal 403 for somebody who may not change pipelines. */
export function checkDeletedFilter({ authority }: ReadContext, { includeDeleted }: PipelineQuery): void {
  if (includeDeleted !== true || authority.permissions.has('pipelines:write') || authority.isSuperAdmin) return
  throw insufficient('permission', 'deleted pipelines are listed with the permission pipelines:write', {
    required: ['pipelines:write'],
    mode: 'all',
  })
}

/** The conditions of one part of the list. @throws Refusal 400 for an owner or an id that is none. */
export async function whereOf(
  context: Pick<ReadContext, 'principal'>,
  db: Db,
  part: Part,
  query: PipelineQuery & Readonly<Record<string, unknown>>,
): Promise<SQL | undefined> {
  const { pipelines: t } = pipelineTables(db)
  const { isActive = true, isDefault, updatedSince } = query
  // In the order in which they lead to few rows; the first that is asked for leads, the rest are compared.
  const leading = [
    idMatches(t.id, query.id),
    query.project === undefined ? undefined : eq(t.projectKey, keyOf(query.project.trim())),
    query.pipelineName === undefined || isPartOfName(query.pipelineName)
      ? undefined
      : eq(t.nameKey, query.pipelineName.trim().toLowerCase()),
    query.organization === undefined ? undefined : eq(t.organizationKey, keyOf(query.organization.trim())),
    query.templateId === undefined ? undefined : eq(t.templateId, query.templateId),
    catalogFilters(context, t, { ...(query.ownerId === undefined ? {} : { ownerId: query.ownerId }) }),
    query.criticality === undefined ? undefined : eq(t.criticality, query.criticality),
    query.lifecycle === undefined ? undefined : eq(t.lifecycle, query.lifecycle),
    isActive === false ? eq(t.isActive, false) : undefined,
    query.accessModifier === undefined ? undefined : eq(t.accessModifier, query.accessModifier),
  ].filter((each): each is SQL => each !== undefined)
  const compared = [
    isActive === true ? eq(t.isActive, true) : undefined,
    isDefault === undefined ? undefined : isDefault ? isNotNull(t.defaultKey) : isNull(t.defaultKey),
    updatedSince === undefined ? undefined : gte(t.updatedAtMs, Date.parse(updatedSince)),
  ].filter((each): each is SQL => each !== undefined)
  const own = and(
    inPart(part, t),
    query.includeDeleted === true ? undefined : isLive(t),
    ...leading.slice(0, 1),
    ...[...leading.slice(1), ...compared].map((each) => residual(db, each)),
  )
  return narrowed(db, own, await narrowings(db, part.orgId, query))
}

const isPartOfName = (name: string): boolean => name.endsWith('~') && name !== '~'

async function narrowings(
  db: Db,
  orgId: string,
  query: PipelineQuery & Readonly<Record<string, unknown>>,
): Promise<Narrowing[]> {
  const { pipelines, pipelineSearch, pipelineLabels, pipelineKeywords, pipelinePlugins } = pipelineTables(db)
  const { id } = pipelines
  const { q, pipelineName, keyword, plugin } = query
  const beside = (table: typeof pipelineKeywords | typeof pipelinePlugins, is: SQL) =>
    narrowBy(db, { table, where: and(eq(table.orgId, orgId), is), entityId: table.pipelineId, id })
  const found: Narrowing[] = []
  if (q !== undefined) found.push(await matchText(db, pipelineSearch, id, { orgId, text: q, in: 'all' }))
  if (pipelineName !== undefined && isPartOfName(pipelineName)) {
    found.push(await matchText(db, pipelineSearch, id, { orgId, text: pipelineName.slice(0, -1), in: 'title' }))
  }
  if (keyword !== undefined) {
    found.push(await beside(pipelineKeywords, eq(pipelineKeywords.keyword, keyword.toLowerCase())))
  }
  if (plugin !== undefined) found.push(await beside(pipelinePlugins, eq(pipelinePlugins.name, plugin)))
  for (const [key, value] of labelsIn(query))
    found.push(await matchLabel(db, pipelineLabels, id, { orgId, key, value }))
  return found
}
