/**
 * What `GET /search` searches. Each domain registers a source for each of its kinds of record, with the access of that
 * kind's list. A source returns a limited number of records of one tenant, the best first, and reads a bounded part of
 * its table for any text.
 */
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { UUID } from '../ids.js'
import type { Db, TenantKey } from '../store/db.js'
import { isPart, SHORT_SCAN_MAX } from '../store/search.js'
import type { Access } from './access.js'
import { startsWith } from './filters.js'
import { nameKey } from './name.js'

export const SEARCH_KINDS = [
  'rule',
  'policy',
  'pipeline',
  'template',
  'plugin',
  'finding',
  'exemption',
  'member',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export interface FoundRecord {
  readonly id: string
  readonly name: string
  /** Distinguishes it from another record of the same name, such as by version or target. */
  readonly detail: string | null
}

export interface SearchAsked {
  readonly key: TenantKey
  /** Trimmed; at least one character. */
  readonly text: string
  readonly limit: number
  readonly nowMs: number
}

export interface SearchSource {
  readonly kind: SearchKind
  /** The access of the list of these records. A caller who lacks it finds none of them. */
  readonly access: Access
  find(db: Db, asked: SearchAsked): Promise<FoundRecord[]>
}

/** Returns the id when the text is one, otherwise null. */
export const idIn = (text: string): string | null => (UUID.test(text.toLowerCase()) ? text.toLowerCase() : null)

/**
 * Sorts the best first: a record with that id, then the whole name, then a name that begins with the text, then one
 * that contains it. Equal ones are sorted by name.
 */
export function bestFirst(found: readonly FoundRecord[], { text, limit }: SearchAsked): FoundRecord[] {
  const wanted = nameKey(text)
  const id = idIn(text)
  const rank = (each: FoundRecord): number => {
    const name = nameKey(each.name)
    if (each.id === id) return 0
    if (name === wanted) return 1
    return name.startsWith(wanted) ? 2 : 3
  }
  const ranked = found.map((each) => ({ each, rank: rank(each), name: nameKey(each.name) }))
  ranked.sort((a, b) => a.rank - b.rank || compare(a.name, b.name) || compare(a.each.id, b.each.id))
  const seen = new Set<string>()
  return ranked.flatMap(({ each }) => (seen.has(each.id) || !seen.add(each.id) ? [] : [each])).slice(0, limit)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface NamedTable {
  readonly table: SQLiteTable
  readonly id: SQLiteColumn
  readonly name: SQLiteColumn
  /** The form of the name by which lists are sorted. */
  readonly nameKey: SQLiteColumn
  readonly detail: SQLiteColumn
  /** The organization. An index begins with it and continues with `nameKey`. */
  readonly orgId: SQLiteColumn
  /** A further condition on rows, such as not deleted. */
  readonly where?: SQL | undefined
}

/**
 * Finds records of one organization in a table without trigrams: names that begin with the text, along the index of
 * names, and, among a limited number of first names, those that contain it.
 */
export async function findNamed(db: Db, orgId: string, of: NamedTable, asked: SearchAsked): Promise<FoundRecord[]> {
  const { table, id, name, nameKey: key, detail, where } = of
  const text = nameKey(asked.text)
  // guard: a-search-is-of-the-own-organization
  const own = eq(of.orgId, orgId)
  const read = (is: SQL | undefined) =>
    db
      .select({ id, name, detail })
      .from(table)
      .where(and(own, where, is))
      .orderBy(asc(key), asc(id))
      .limit(asked.limit) as unknown as Promise<FoundRecord[]>
  const found = [...(await read(startsWith(key, text)))]
  const wantedId = idIn(asked.text)
  if (wantedId !== null) found.push(...(await read(eq(id, wantedId))))
  if (found.length < asked.limit) {
    // Of names that do not contain the text only the keys are read.
    const first = db
      .select({ id: sql`${id}`.as('found_id'), key: sql`${key}`.as('found_key') })
      .from(table)
      .where(own)
      .orderBy(asc(key), asc(id))
      .limit(SHORT_SCAN_MAX)
      .as('first_names')
    const holding = await db
      .select({ id: first.id })
      .from(first)
      .where(isPart(db, first.key, text))
      .limit(asked.limit * SPARE)
    const ids = holding.map((each) => each.id as string)
    if (ids.length > 0) found.push(...(await read(inArray(id, ids))))
  }
  return found
}

/** Some of the names that were found may belong to deleted records. */
const SPARE = 5
