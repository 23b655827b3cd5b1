/**
 * Lists: one definition gives the schema of the query, the schema of the answer, and the page.
 *
 * Paging uses `limit` and `offset`, or an opaque `cursor` that continues after a row. The order is by an allowed field,
 * then by id, so that pages never repeat or skip a row that did not change. Source: spec platform 1.5 to 1.8; spec
 * platform 25.4.
 */
import { and, asc, desc, eq, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import Type, { type TArray, type TObject, type TSchema } from 'typebox'
import { invalidField } from '../errors.js'
import type { Db } from '../store/db.js'
import { lately, questionOf } from '../store/minute-cache.js'
import { rowsAtOnce } from '../store/prepared.js'
import { type CursorPlace, readCursor, writeCursor } from './cursor.js'
import { Pagination } from './schema.js'

export const LIMIT_DEFAULT = 10
export const LIMIT_MAX = 1000
/**
 * A total up to this is counted again for each page. A larger total is counted once, is cached, and is part of the
 * cursor.
 */
const COUNTED_MAX = 10_000

/** The query of a page. The query of a list has these fields and its filters. */
export interface PageQuery {
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
  readonly sortBy?: string
  readonly sortOrder?: 'asc' | 'desc'
}

export interface PageInfo {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
  readonly nextCursor?: string
}

export interface ListDefinition<
  K extends string,
  I extends TSchema,
  F extends Record<string, TSchema>,
  S extends string,
> {
  /** The key of the items in `data`, such as `roles`. */
  readonly key: K
  readonly item: I
  /** The filters, as optional fields. Each has a description. */
  readonly filters?: F
  /** Filters whose names follow a pattern, such as `label.<name>`: schemas by pattern. */
  readonly patterns?: Readonly<Record<string, object>>
  /** The allowed fields; the first one is the default. */
  readonly sortBy: readonly [S, ...S[]]
  /** `desc` by default. */
  readonly sortOrder?: 'asc' | 'desc'
}

/** The rows of one table that a list shows. */
export interface PageSource<T extends SQLiteTable, S extends string, V> {
  readonly table: T
  /** The tenant and the filters. */
  readonly where: SQL | undefined
  /** The columns of the allowed fields. They must not be nullable, because the two databases order nulls differently. */
  readonly columns: Readonly<Record<S, SQLiteColumn>>
  readonly id: SQLiteColumn
  readonly query: PageQuery
  present(row: T['$inferSelect']): V
}

/** Like `PageSource`, for rows of a query that the caller builds: joins, chosen columns. */
export interface RowSource<Row, S extends string, V> {
  readonly columns: Readonly<Record<S, SQLiteColumn>>
  readonly id: SQLiteColumn
  readonly query: PageQuery
  fetch(page: {
    /** What it is sorted by; ties by id in the same order. */
    readonly column: SQLiteColumn
    readonly order: 'asc' | 'desc'
    /** The row after which the page begins. `after` is the same as a condition on the list's own columns. */
    readonly place: CursorPlace | null
    readonly after: SQL | undefined
    readonly orderBy: SQL[]
    readonly limit: number
    readonly offset: number
  }): Promise<Row[]>
  /** Counts the rows, up to a limit. */
  count(atMost: number): Promise<number>
  /** The sort value and the id of a row, for the cursor. */
  place(row: Row, sortBy: S): { readonly value: string | number; readonly id: string }
  present(row: Row): V
}

const enumOf = <S extends string>(values: readonly S[], options: object) =>
  Type.Unsafe<S>({ type: 'string', enum: [...values], ...options })

const clamped = (minimum: number, maximum: number, more: object) =>
  Type.Optional(Type.Integer({ minimum, maximum, 'x-clamp': true, ...more }))

export const PAGE_FIELDS = {
  limit: clamped(1, LIMIT_MAX, { default: LIMIT_DEFAULT, description: 'Items per page; limited to its bounds' }),
  offset: clamped(0, Number.MAX_SAFE_INTEGER, { description: 'Items to skip; cannot be combined with `cursor`' }),
}

export function listOf<
  const K extends string,
  I extends TSchema,
  S extends string,
  F extends Record<string, TSchema> = Record<never, TSchema>,
>(definition: ListDefinition<K, I, F, S>) {
  const { key, item, sortBy, filters } = definition
  const byTime = sortBy.filter(isTime)
  const fields = {
    ...PAGE_FIELDS,
    ...(byTime.length === 0
      ? {}
      : {
          cursor: Type.Optional(
            Type.String({
              maxLength: 1024,
              description: `\`pagination.nextCursor\` of the page before; with \`sortBy\` ${byTime.join(' or ')}`,
            }),
          ),
        }),
    sortBy: Type.Optional(enumOf(sortBy, { default: sortBy[0] })),
    sortOrder: Type.Optional(enumOf(['asc', 'desc'] as const, { default: definition.sortOrder ?? 'desc' })),
    ...(filters as F),
  }
  const query = Type.Object(fields, definition.patterns === undefined ? {} : { patternProperties: definition.patterns })
  const output = Type.Object({ [key]: Type.Array(item), pagination: Pagination } as Record<K, TArray<I>> & {
    pagination: typeof Pagination
  })
  type Page<V> = Record<K, V[]> & { pagination: PageInfo }

  async function rows<Row, V>(source: RowSource<Row, S, V>): Promise<Page<V>> {
    const { limit, from, order, by, column } = readPage(definition, source)
    const towards = order === 'asc' ? asc : desc
    const page = await source.fetch({
      column,
      order,
      place: from.place,
      after: from.place === null ? undefined : behind(column, source.id, order, from.place),
      orderBy: [towards(column), towards(source.id)],
      limit: limit + 1,
      offset: from.place ? 0 : from.offset,
    })
    const hasMore = page.length > limit
    const shown = hasMore ? page.slice(0, limit) : page
    const total = await totalOf(source, from, shown.length, hasMore)
    const last = shown.at(-1)
    const nextCursor =
      hasMore && last !== undefined && isTime(by)
        ? writeCursor({ by, order, ...source.place(last, by), offset: from.offset + shown.length, total })
        : null
    return {
      [key]: shown.map((row) => source.present(row)),
      pagination: { total, limit, offset: from.offset, hasMore, ...(nextCursor === null ? {} : { nextCursor }) },
    } as Page<V>
  }

  return {
    query: query as TObject & { static: PageQuery } & typeof query,
    output,
    rows,
    page: <T extends SQLiteTable, V>(db: Db, source: PageSource<T, S, V>): Promise<Page<V>> =>
      rows(rowsOfTable(db, source)),
    /** A page of items in memory, in the given order. */
    slice: <V>(items: readonly V[], asked: PageQuery): Page<V> => sliceOf(key, items, asked) as Page<V>,
  }
}

function sliceOf<V>(key: string, items: readonly V[], asked: PageQuery) {
  if (asked.cursor !== undefined) throw notAlone()
  const { limit = LIMIT_DEFAULT, offset = 0 } = asked
  const pagination = { total: items.length, limit, offset, hasMore: offset + limit < items.length }
  return { [key]: items.slice(offset, offset + limit), pagination }
}

const isTime = (field: string): boolean => field === 'createdAt' || field === 'updatedAt'

/** Where a page begins: after a row, or after a number of rows. */
interface From {
  readonly offset: number
  readonly place: CursorPlace | null
}

function readPage<S extends string>(
  definition: { readonly sortBy: readonly [S, ...S[]]; readonly sortOrder?: 'asc' | 'desc' },
  { query, columns }: { readonly query: PageQuery; readonly columns: Readonly<Record<S, SQLiteColumn>> },
) {
  const by = (query.sortBy ?? definition.sortBy[0]) as S
  const order = query.sortOrder ?? definition.sortOrder ?? 'desc'
  const column = columns[by]
  if (column === undefined || !column.notNull)
    throw new Error(`a list sorts by ${by}, which is not a column without nulls`)
  const { limit = LIMIT_DEFAULT, cursor } = query
  if (cursor === undefined)
    return { limit, by, order, column, from: { offset: query.offset ?? 0, place: null } as From }
  if (query.offset !== undefined) throw notAlone()
  const place = readCursor(cursor)
  if (!isTime(by) || place === null || place.by !== by || place.order !== order) {
    throw invalidField(
      '/query/cursor',
      'is not a cursor of this list: send `pagination.nextCursor` with the same `sortBy` and `sortOrder`',
      'cursor',
    )
  }
  return { limit, by, order, column, from: { offset: place.offset, place } as From }
}

const notAlone = () => invalidField('/query/cursor', 'replaces `offset`: send one of them', 'cursor')

/** Rows after a position, in the order of the list. */
export function behind(
  column: SQLiteColumn,
  id: SQLiteColumn,
  order: 'asc' | 'desc',
  place: Pick<CursorPlace, 'value' | 'id'>,
): SQL | undefined {
  const [past, from] = order === 'asc' ? [gt, gte] : [lt, lte]
  // The first condition is implied by the second. It lets an index start at the position, so that the last page costs
  // as much as the first.
  return and(from(column, place.value), or(past(column, place.value), and(eq(column, place.value), past(id, place.id))))
}

/** Counts only when the page itself does not give the total: after a cursor, rows may have been deleted meanwhile. */
async function totalOf<Row, S extends string, V>(
  { count }: RowSource<Row, S, V>,
  from: From,
  shown: number,
  hasMore: boolean,
): Promise<number> {
  if (!hasMore && from.place === null && (shown > 0 || from.offset === 0)) return from.offset + shown
  if (from.place !== null && from.place.total > COUNTED_MAX) return from.place.total
  const counted = await count(COUNTED_MAX + 1)
  return counted <= COUNTED_MAX ? counted : count(Number.MAX_SAFE_INTEGER)
}

function rowsOfTable<T extends SQLiteTable, S extends string, V>(
  db: Db,
  { table, where, columns, id, query, present }: PageSource<T, S, V>,
): RowSource<T['$inferSelect'], S, V> {
  return {
    columns,
    id,
    query,
    present,
    fetch: ({ after, orderBy, limit, offset }) =>
      rowsAtOnce(
        db,
        db
          .select()
          .from(table)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      ) as Promise<T['$inferSelect'][]>,
    count: (atMost) => countRows(db, table, where, atMost),
    place: (row, sortBy) => ({
      value: readerOf(table, columns[sortBy])(row),
      id: readerOf(table, id)(row) as string,
    }),
  }
}

const counted = lately<number>()

/**
 * Counts the rows up to a limit. A total above `COUNTED_MAX` is cached for a minute, so that the pages of a long list
 * do not count again.
 */
export async function countRows(
  db: Db,
  table: SQLiteTable,
  where: SQL | undefined,
  atMost: number,
  beside?: { readonly table: SQLiteTable; readonly on: SQL | undefined },
): Promise<number> {
  const from = db.select({ one: sql`1`.as('one') }).from(table)
  const rows = (
    beside === undefined ? from.where(where) : from.crossJoin(beside.table).where(and(where, beside.on))
  ) as ReturnType<typeof from.where>
  const question = questionOf(rows)
  const known = counted.get(db, question)
  if (known !== undefined) return Math.min(known, atMost)
  const bounded = rows.limit(atMost).as('bounded')
  const [row] = await db.select({ rows: sql<number | string>`count(*)` }).from(bounded)
  const count = Number(row?.rows ?? 0)
  if (count > COUNTED_MAX && count < atMost) counted.set(db, question, count)
  return count
}

/** Reads a column out of rows of the table. */
export function readerOf(
  table: SQLiteTable,
  column: SQLiteColumn,
): (row: Readonly<Record<string, unknown>>) => string | number {
  const key = Object.entries(table).find(([, each]) => each === column)?.[0]
  if (key === undefined) throw new Error('a list sorts by a column of another table')
  return (row) => row[key] as string | number
}
