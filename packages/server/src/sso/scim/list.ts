/** Lists, and the choice of attributes to show (RFC 7644, 3.4.2 and 3.9). */
import type { SQL } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { readFilter, withFilter } from './filter.js'
import { foldPath, LIST_SCHEMA } from './names.js'
import { type Fields, whereOf } from './where.js'

const PAGE = 100
export const PAGE_MAX = 500

const Names = Type.String({ maxLength: 2000, description: 'Names of attributes, separated by commas' })
const shown = { attributes: Type.Optional(Names), excludedAttributes: Type.Optional(Names) }

export const Shown = Type.Object(shown)
export type Shown = Static<typeof Shown>

const Whole = Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 })
export const Listing = Type.Object({
  filter: Type.Optional(Type.String({ description: 'At most 1,000 characters, nested at most 10 deep' })),
  startIndex: Type.Optional(Whole),
  count: Type.Optional(Whole),
  ...shown,
})
export type Listing = Static<typeof Listing> & { readonly isSearch?: boolean }

const SearchNames = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })
export const SearchBody = strictObject({
  schemas: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 5 })),
  filter: Type.Optional(Type.String()),
  startIndex: Type.Optional(Whole),
  count: Type.Optional(Whole),
  attributes: Type.Optional(SearchNames),
  excludedAttributes: Type.Optional(SearchNames),
  sortBy: Type.Optional(Type.String({ maxLength: 200 })),
  sortOrder: Type.Optional(Type.String({ maxLength: 20 })),
})

/** A search sends in its body what a list sends in its query. */
export function listingOf({ attributes, excludedAttributes, ...rest }: Static<typeof SearchBody>): Listing {
  return {
    ...rest,
    isSearch: true,
    ...(attributes === undefined ? {} : { attributes: attributes.join(',') }),
    ...(excludedAttributes === undefined ? {} : { excludedAttributes: excludedAttributes.join(',') }),
  }
}

/** The condition of the filter; undefined without one. @throws Refusal 400 `invalidFilter` */
export function matching(db: Db, fields: Fields, { filter, isSearch = false }: Listing): SQL | undefined {
  if (filter === undefined) return undefined
  return withFilter(isSearch ? 'body' : 'query', () => whereOf(db, fields, readFilter(filter)))
}

export const Resource = Type.Record(Type.String(), Type.Unknown())
export type Resource = Readonly<Record<string, unknown>>

export const ListAnswer = strictObject({
  schemas: Type.Array(Type.String()),
  totalResults: Type.Integer({ minimum: 0 }),
  startIndex: Type.Integer({ minimum: 1 }),
  itemsPerPage: Type.Integer({ minimum: 0 }),
  Resources: Type.Array(Resource),
})

export interface Page {
  readonly offset: number
  readonly limit: number
}

/** Starts at 1; smaller values count as 1, and a negative count as 0. */
export function pageOf({ startIndex = 1, count = PAGE }: Listing): Page {
  return { offset: Math.max(1, startIndex) - 1, limit: Math.min(PAGE_MAX, Math.max(0, count)) }
}

export const listAnswer = (resources: readonly Resource[], totalResults: number, { offset }: Page) => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: [...resources],
})

const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id'])

/** The attributes that the client asked for; `id` and `schemas` always. */
export function shownOf(resource: Resource, { attributes, excludedAttributes }: Shown, schema: string): Resource {
  const pathsOf = (names: string | undefined) =>
    (names ?? '')
      .split(',')
      .map((name) => foldPath(name.trim(), schema))
      .filter((name) => name !== '')
  const wanted = pathsOf(attributes)
  const unwanted = pathsOf(excludedAttributes)
  if (wanted.length === 0 && unwanted.length === 0) return resource
  const shownKeys = Object.entries(resource).filter(([key]) => {
    const name = key.toLowerCase()
    if (ALWAYS.has(name)) return true
    if (wanted.length > 0) return wanted.some((path) => path === name || path.startsWith(`${name}.`))
    return !unwanted.includes(name)
  })
  return Object.fromEntries(shownKeys)
}

/** Whether the attribute is shown, so that its separate read can be skipped. */
export function isShown(name: string, { attributes, excludedAttributes }: Shown, schema: string): boolean {
  return name in shownOf({ [name]: null }, { attributes, excludedAttributes } as Shown, schema)
}

export const onResource = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })
