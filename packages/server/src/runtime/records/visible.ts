/**
 * Which records an organization sees: its own, the public ones of its parent, and the public ones of the system
 * organization. A list reads each part separately along an index in the order of the list, and merges the pages.
 * Source: spec platform 3.11.
 */
import { and, asc, desc, eq, getTableColumns, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { behind, countRows, type PageSource, type RowSource, readerOf } from '../operation/list.js'
import type { Db, TenantKey } from '../store/db.js'
import { lately, questionOf } from '../store/minute-cache.js'
import { rowsAtOnce } from '../store/prepared.js'

/** The records of one organization, as far as the tenant sees them. */
export interface Part {
  readonly orgId: string
  /** The part belongs to another organization: only shared records are visible. */
  readonly isShared: boolean
}

export type Scope = 'own' | 'shared' | 'all'

/** Which organizations a query reads. Private records are searched only among the organization's own. */
export const scopeOf = (asked: { readonly scope?: Scope; readonly accessModifier?: string }): Scope =>
  asked.scope ?? (asked.accessModifier === 'private' ? 'own' : 'all')

/** Own records first, then the parent's, then the system's. */
export function partsOf({ orgId, readableOrgIds }: TenantKey, scope: Scope = 'all'): Part[] {
  const own = { orgId, isShared: false }
  const shared = readableOrgIds.map((id) => ({ orgId: id, isShared: true }))
  return [...(scope === 'shared' ? [] : [own]), ...(scope === 'own' ? [] : shared)]
}

interface SharedColumns {
  readonly orgId: SQLiteColumn
  readonly accessModifier: SQLiteColumn
}

/** The organization of the part, and that the record is shared where it is another's. */
// guard: what-is-shared-is-what-is-public
export const inPart = (
  part: { readonly orgId: string | Placeholder; readonly isShared: boolean },
  table: SharedColumns,
): SQL | undefined => and(eq(table.orgId, part.orgId), part.isShared ? eq(table.accessModifier, 'public') : undefined)

/** True for a record in any of the parts; for a record that is known by its id. */
export const isVisible = (key: TenantKey, table: SharedColumns): SQL | undefined =>
  or(...partsOf(key).map((part) => inPart(part, table)))

/** An index table whose index has a part in the order of the list. */
export interface Lead {
  readonly table: SQLiteTable
  /** Begins with the organization. An index serves the whole condition. */
  readonly where: SQL | undefined
  /** The column that names the record. */
  readonly id: SQLiteColumn
  /** The column of the order. */
  readonly sortedBy: SQLiteColumn
  /** No column of the records is compared, so the table alone gives the count. */
  readonly isAlone: boolean
}

/** What a part of a list shows. */
export interface ListPart {
  /** On the records' own columns. */
  readonly where: SQL | undefined
  readonly lead?: Lead
  /** How to count when that is cheaper than reading through the list: records among matches, and the rest of `where`. */
  readonly among?: { readonly matches: SQL; readonly where: SQL | undefined }
  /** What a deep page is sorted from when that is cheaper than reading up to it. */
  readonly ranked?: Pick<Lead, 'table' | 'where' | 'id' | 'sortedBy'>
}

/**
 * From this offset on a page is sorted from its matches. Reading up to it would read twenty records for each that
 * matches.
 */
const RANKED_FROM = 400

/** The rows of one table that a list shows, part by part. */
export interface PartsSource<T extends SQLiteTable, S extends string, Row, V>
  extends Omit<PageSource<T, S, V>, 'where' | 'present'> {
  /** The organization's own part is first. */
  readonly parts: readonly ListPart[]
  /** The columns to read, when not all of them. */
  readonly read?: Readonly<Record<string, SQLiteColumn>>
  present(row: Row): V
}

/** A merged list for `rows` of `listOf`. */
export function rowsOfParts<T extends SQLiteTable, S extends string, Row extends Readonly<Record<string, unknown>>, V>(
  db: Db,
  { table, parts, read = getTableColumns(table), columns, id, query, present }: PartsSource<T, S, Row, V>,
): RowSource<Row, S, V> {
  const idIn = readerOf(table, id)
  const placer = (column: SQLiteColumn) => {
    const valueIn = readerOf(table, column)
    return (row: Row) => ({ value: valueIn(row), id: idIn(row) as string })
  }
  return {
    columns,
    id,
    query,
    present,
    fetch: ({ column, order, place: from, limit, offset }) =>
      mergePages(
        parts.map(({ where, lead, ranked }) => async (rows, skip) => {
          const towards = order === 'asc' ? asc : desc
          if (ranked !== undefined && skip + rows > RANKED_FROM) {
            const { sortedBy, id: ties } = ranked
            const chosen = db
              .select({ entityId: ties, sortedBy })
              .from(ranked.table)
              .where(and(ranked.where, from === null ? undefined : behind(sortedBy, ties, order, from)))
              .orderBy(towards(sortedBy), towards(ties))
              .limit(rows)
              .offset(skip)
              .as('chosen')
            const page = db.select(read).from(chosen).crossJoin(table).where(eq(id, chosen.entityId))
            const inOrder = page.orderBy(towards(chosen.sortedBy), towards(chosen.entityId))
            return (await rowsAtOnce(db, inOrder)) as unknown as Row[]
          }
          const [by, ties] = lead === undefined ? [column, id] : [lead.sortedBy, lead.id]
          const after = from === null ? undefined : behind(by, ties, order, from)
          const all =
            lead === undefined
              ? db.select(read).from(table).where(and(where, after))
              : // SQLite takes the tables of a cross join in this order.
                db
                  .select(read)
                  .from(lead.table)
                  .crossJoin(table)
                  .where(and(lead.where, after, eq(id, lead.id), where))
          const page = all.orderBy(towards(by), towards(ties)).limit(rows).offset(skip)
          return (await rowsAtOnce(db, page)) as unknown as Row[]
        }),
        placer(column),
        { order, limit, offset },
      ),
    count: (atMost) => countParts(db, table, id, parts, atMost),
    place: (row, sortBy) => placer(columns[sortBy])(row),
  }
}

/** The columns that are shown of records that are found by name. */
interface Shown {
  readonly table: SQLiteTable
  readonly parts: readonly ListPart[]
  readonly id: SQLiteColumn
  readonly name: SQLiteColumn
  readonly detail: SQLiteColumn
  readonly limit: number
}

/** Returns at most a number of records of each part, unordered: for a search, which ranks them. */
export async function findShown(
  db: Db,
  { table, parts, id, name, detail, limit }: Shown,
): Promise<{ id: string; name: string; detail: string | null }[]> {
  const found: { id: string; name: string; detail: string | null }[] = []
  for (const { where } of parts) {
    const rows = await db
      .select({ id, name, detail })
      .from(table)
      .where(where)
      .limit(limit * SPARE)
    found.push(...(rows as unknown as typeof found))
  }
  return found
}

/** Names that begin with a text rank above names that contain it, so a few more are read. */
const SPARE = 10

/** Counts the rows of all parts together, up to a limit. */
async function countParts(
  db: Db,
  table: SQLiteTable,
  id: SQLiteColumn,
  parts: readonly ListPart[],
  atMost: number,
): Promise<number> {
  let total = 0
  for (const { where, lead, among } of parts) {
    if (total >= atMost) break
    if (among !== undefined) total += await countAmong(db, table, id, among, atMost - total)
    else if (lead === undefined) total += await countRows(db, table, where, atMost - total)
    else {
      const beside = lead.isAlone ? undefined : { table, on: and(eq(id, lead.id), where) }
      total += await countRows(db, lead.table, lead.where, atMost - total, beside)
    }
  }
  return total
}

/** Looks up each match by its id. There are thousands, so the count is cached like that of a long list. */
async function countAmong(
  db: Db,
  table: SQLiteTable,
  id: SQLiteColumn,
  { matches, where }: NonNullable<ListPart['among']>,
  atMost: number,
): Promise<number> {
  const found = db
    .select({ found: sql<number>`count(*)` })
    .from(sql`(${matches}) AS matched`)
    .crossJoin(table)
    .where(and(eq(id, sql`matched.entity_id`), where))
  const question = questionOf(found)
  const known = counted.get(db, question)
  if (known !== undefined) return Math.min(known, atMost)
  const [row] = await found
  const count = Number(row?.found ?? 0)
  counted.set(db, question, count)
  return Math.min(count, atMost)
}

const counted = lately<number>()

/** What rows are sorted by. */
export interface Placed {
  readonly value: string | number
  readonly id: string
}

export interface MergePage {
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/**
 * A page over several ordered parts. Each part except the first gives as many rows as could be before the end of the
 * page. The database skips that many fewer rows in the first part, which usually has nearly all rows.
 */
export async function mergePages<Row>(
  parts: readonly ((limit: number, offset: number) => Promise<Row[]>)[],
  place: (row: Row) => Placed,
  { order, limit, offset }: MergePage,
): Promise<Row[]> {
  const [first, ...others] = parts
  if (first === undefined) return []
  const beside: Row[] = []
  for (const fetch of others) beside.push(...(await fetch(offset + limit, 0)))
  const skipped = Math.max(0, offset - beside.length)
  const rows = [...beside, ...(await first(offset + limit - skipped, skipped))]
  return (beside.length > 0 ? sorted(rows, place, order) : rows).slice(offset - skipped, offset - skipped + limit)
}

function sorted<Row>(rows: readonly Row[], place: (row: Row) => Placed, order: 'asc' | 'desc'): Row[] {
  const placed = rows.map((row) => ({ row, ...place(row) }))
  placed.sort(order === 'asc' ? before : (a, b) => before(b, a))
  return placed.map(({ row }) => row)
}

const before = (a: Placed, b: Placed): number => compare(a.value, b.value) || compare(a.id, b.id)

/** Compares like both databases: texts byte by byte. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}
