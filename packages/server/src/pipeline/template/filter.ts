/** The filters of templates and their conditions. Source: spec platform 9 and 21. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals, idMatches } from '../../runtime/operation/filters.js'
import type { PageQuery } from '../../runtime/operation/list.js'
import { CATALOG_FILTERS, catalogFilters } from '../../runtime/records/catalog.js'
import { listPart } from '../../runtime/records/index-tables.js'
import { wantedLabels } from '../../runtime/records/labels.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import type { ListPart, Part, Scope } from '../../runtime/records/visible.js'
import type { Narrowing } from '../../runtime/store/index-table-filters.js'
import { matchText } from '../../runtime/store/search.js'
import { ActiveFilter } from '../pipeline/filter.js'
import { ACCESS_MODIFIERS } from '../pipeline/record.js'
import { pipelineTables } from '../tables.js'

const Text = (max: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: max, description }))

export const TEMPLATE_FILTERS = {
  id: Text(4000, 'An id, ids separated by commas, or the first 8 or more characters of one'),
  name: Text(255, 'The name contains it, ignoring case'),
  category: Text(50, 'In this category'),
  keyword: Text(64, 'Has this keyword, ignoring case'),
  q: Text(255, 'The name, description, category or a keyword contains it'),
  accessModifier: Type.Optional(Type.Enum([...ACCESS_MODIFIERS])),
  isActive: ActiveFilter,
  scope: Type.Optional(
    Type.Unsafe<Scope>({ type: 'string', enum: ['own', 'shared', 'all'], description: '`all` unless said' }),
  ),
  ...CATALOG_FILTERS,
}

export interface TemplateQuery extends PageQuery {
  readonly id?: string
  readonly name?: string
  readonly category?: string
  readonly keyword?: string
  readonly q?: string
  readonly accessModifier?: string
  readonly isActive?: boolean | 'all'
  readonly scope?: Scope
  readonly ownerId?: string
  readonly lifecycle?: string
  readonly criticality?: string
}

/** One part of the list. @throws Refusal 400 for an invalid owner or id. */
export async function partOfQuery(
  context: Pick<ReadContext, 'db' | 'principal'>,
  part: Part,
  query: TemplateQuery,
): Promise<ListPart> {
  const { db } = context
  const { orgId } = part
  const { pipelineTemplates: t, templateKeywords: k, templateLabels, templateSearch } = pipelineTables(db)
  const { isActive = true, name, q, keyword, ownerId, category, criticality, lifecycle, accessModifier } = query
  const isByCreation = query.sortBy === undefined || query.sortBy === 'createdAt'
  const texts: Narrowing[] = []
  if (name !== undefined) texts.push(await matchText(db, templateSearch, t.id, { orgId, text: name, in: 'title' }))
  if (q !== undefined) texts.push(await matchText(db, templateSearch, t.id, { orgId, text: q, in: 'all' }))
  // Filters that match many rows have an index in the order of creation only; with another order the rows are compared.
  const many = [
    equals(t.category, category),
    equals(t.criticality, criticality),
    equals(t.lifecycle, lifecycle),
    equals(t.accessModifier, accessModifier),
  ]
  return listPart(db, {
    part,
    table: t,
    live: isLive(t),
    isActive,
    leading: [
      idMatches(t.id, query.id),
      ownerId === undefined ? undefined : catalogFilters(context, t, { ownerId }),
      ...(isByCreation ? many : []),
    ],
    compared: isByCreation ? [] : many,
    wanted: [
      ...(keyword === undefined
        ? []
        : [{ table: k, entityId: k.templateId, is: eq(k.keyword, keyword.toLowerCase()) }]),
      ...wantedLabels(templateLabels, { ...query }),
    ],
    texts,
    isByCreation,
  })
}
