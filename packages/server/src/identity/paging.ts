/** Pages of this domain's lists: limit and offset clamped to their bounds, sort fields by an allow-list. */
import Type, { type TSchema } from 'typebox'
import { PAGE_FIELDS } from '../runtime/operation/list.js'
import { Pagination, strictObject } from '../runtime/operation/schema.js'

const LIMIT_DEFAULT = 10

export interface PageQuery {
  readonly limit?: number
  readonly offset?: number
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Query fields of a list with offset paging. Values out of bounds are clamped, not refused. */
export const pageFields = {
  limit: PAGE_FIELDS.limit,
  offset: Type.Optional({ ...PAGE_FIELDS.offset, description: 'Items to skip' }),
}

export const sortFields = <const Names extends readonly string[]>(names: Names) => ({
  sortBy: Type.Optional(Type.Unsafe<Names[number]>(Type.Enum([...names]))),
  sortOrder: Type.Optional(Type.Enum(['asc', 'desc'])),
})

export function pageOf(query: PageQuery, { MAX_PAGE_LIMIT }: { readonly MAX_PAGE_LIMIT: number }): Page {
  return {
    limit: Math.min(MAX_PAGE_LIMIT, Math.max(1, query.limit ?? LIMIT_DEFAULT)),
    offset: Math.max(0, query.offset ?? 0),
  }
}

/** The `data` of a list: the records under their key, and the position of the page. */
export const paginated = <K extends string, S extends TSchema>(key: K, record: S) =>
  strictObject({ [key]: Type.Array(record), pagination: Pagination } as {
    readonly [P in K]: ReturnType<typeof Type.Array<S>>
  } & { readonly pagination: typeof Pagination })

export const pagination = ({ limit, offset }: Page, total: number, shown: number) => ({
  total,
  limit,
  offset,
  hasMore: offset + shown < total,
})
