/**
 * Search for a part of a text. Each record has a row of folded text in a separate table, written in the transaction of
 * the record, with a trigram index (SQLite FTS5, PostgreSQL pg_trgm). A match contains the text exactly,
 * case-insensitively. A text of one or two characters has no trigram, so the newest texts of the tenant are read for
 * it.
 *
 * Every query names the organization. Source: spec platform 25.4.
 */
import { createHash } from 'node:crypto'
import { and, desc, eq, getTableName, inArray, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Maybe } from '../maybe.js'
import type { Db, Tx } from './db.js'
import { FEW_MAX, type Narrowing, narrowTo, type Ranked } from './index-table-filters.js'
import type { Kit } from './kit.js'
import { lately } from './minute-cache.js'
import { prepared } from './prepared.js'
import { grantToOwner, makeRole, PROCEDURE_ROLE } from './role-statements.js'
import type { Guards } from './table-set.js'

/** For a text shorter than a trigram, this many of the tenant's newest records are read. */
export const SHORT_SCAN_MAX = 20_000
export const TRIGRAM = 3

/**
 * The search texts of one kind of record. Its domain lists it as a tenant's table, shared when `is_shared`, and adds
 * `searchGuards` with its name.
 */
export const searchTable = (k: Kit, name: string) =>
  k.table(
    name,
    {
      position: k.position('position'),
      orgId: k.text('org_id').notNull(),
      entityId: k.text('entity_id').notNull(),
      /**
       * One trigram that identifies the organization, so that the tenant selects a part of the index that all tenants
       * share.
       */
      scope: k.text('scope').notNull(),
      /** Other organizations may read the record. */
      isShared: k.bool('is_shared').notNull(),
      isActive: k.bool('is_active').notNull(),
      createdAtMs: k.epochMs('created_at_ms').notNull(),
      /** The name of the record. */
      title: k.text('title').notNull(),
      /** The other text that is searched. */
      body: k.text('body').notNull(),
    },
    (t) => [k.uniqueIndex(`${name}_entity`).on(t.orgId, t.entityId), k.index(`${name}_newest`).on(t.orgId, t.position)],
  )

export type SearchTable = ReturnType<typeof searchTable>

export interface SearchText {
  readonly orgId: string
  readonly entityId: string
  readonly isShared: boolean
  readonly isActive: boolean
  readonly createdAtMs: number
  readonly title: string
  readonly body: string
}

/** PostgreSQL stores no NUL, and nobody searches for one. */
export const fold = (text: string): string => text.toLowerCase().replaceAll('\0', '')

/**
 * 42 bits of the organization's id as three ideographs. A collision only costs time, because `org_id` is compared too.
 */
export function scopeOf(orgId: string): string {
  const digest = createHash('sha256').update(orgId).digest()
  return [0, 2, 4].map((at) => String.fromCharCode(0x4e00 + (digest.readUInt16BE(at) & 0x3fff))).join('')
}

type Put = (tx: Tx, values: Readonly<Record<keyof SearchRow, unknown>>) => Maybe<unknown>
type SearchRow = Omit<SearchTable['$inferSelect'], 'position'>
const puts = new WeakMap<SearchTable, Put>()

/** Every change of a record sets its text, so the statement is built once for each table. */
function putInto(table: SearchTable): Put {
  let put = puts.get(table)
  if (put === undefined) {
    put = prepared((db, value: (name: keyof SearchRow) => Placeholder) => {
      const text = { title: value('title'), body: value('body') }
      const shown = { isShared: value('isShared'), isActive: value('isActive') }
      const row = { orgId: value('orgId'), entityId: value('entityId'), scope: value('scope'), ...shown, ...text }
      // The row keeps its position. On a conflict only the text changes; `excluded` has the new text.
      const set = {
        isShared: sql`excluded.is_shared`,
        isActive: sql`excluded.is_active`,
        title: sql`excluded.title`,
        body: sql`excluded.body`,
      }
      return db
        .insert(table)
        .values({ ...row, createdAtMs: value('createdAtMs') })
        .onConflictDoUpdate({ target: [table.orgId, table.entityId], set })
    })
    puts.set(table, put)
  }
  return put
}

/** Sets the text of a record. */
export async function putSearchText(tx: Tx, table: SearchTable, row: SearchText): Promise<void> {
  const { orgId, entityId, isShared, isActive, createdAtMs } = row
  const text = { title: fold(row.title), body: fold(row.body) }
  await putInto(table)(tx, { orgId, entityId, scope: scopeOf(orgId), isShared, isActive, createdAtMs, ...text })
}

/** Removes records from the index, so that deleted records are not found. */
export async function dropSearchText(
  tx: Tx,
  table: SearchTable,
  orgId: string,
  entityIds: readonly string[],
): Promise<void> {
  await tx.delete(table).where(and(eq(table.orgId, orgId), inArray(table.entityId, [...entityIds])))
}

export interface SearchFor {
  readonly orgId: string
  readonly text: string
  /** `title` alone, or both texts. */
  readonly in: 'title' | 'all'
}

/** The records of one organization whose text holds the given one, as a condition on their `id`. */
export async function matchText(db: Db, table: SearchTable, id: SQLiteColumn, wanted: SearchFor): Promise<Narrowing> {
  const holds = and(eq(table.orgId, wanted.orgId), sql`${table.entityId} = ${id}`, contains(db, table, wanted))
  const exists = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${holds})`
  const found = await countMatches(db, table, wanted)
  if (found !== null && found > FEW_MAX) {
    const many = { where: exists, isFew: false }
    if (found > LED_MAX) return many
    return { ...many, matches: findStatement(db, table, wanted, LED_MAX), ranked: ranked(table, wanted) }
  }
  return narrowTo(db, id, findStatement(db, table, wanted, FEW_MAX + 1), exists)
}

/**
 * A count starts from the matches up to this number. With more matches, reading the list reaches the limit of totals
 * sooner.
 */
const LED_MAX = 10_000

/**
 * Counts the matches in the index, up to one more than `LED_MAX`. That is faster than reading the ids, which are in the
 * rows. Two organizations may share a scope, so the count is used only to choose the way of reading. Null when the
 * index cannot tell.
 */
async function countMatches(db: Db, table: SearchTable, wanted: SearchFor): Promise<number | null> {
  if (db.database === 'pg' || [...fold(wanted.text)].length < TRIGRAM) return null
  const fts = sql.identifier(ftsOf(getTableName(table)))
  const match = matchOf(wanted)
  const question = `${getTableName(table)} ${match}`
  const known = manyMatches.get(db, question)
  if (known !== undefined) return known
  const [row] = await db.rows<{ matches: number }>(
    sql`SELECT count(*) AS matches FROM (SELECT rowid FROM ${fts} WHERE ${fts} MATCH ${match} LIMIT ${LED_MAX + 1})`,
  )
  const matches = row?.matches ?? 0
  if (matches > FEW_MAX) manyMatches.set(db, question, matches)
  return matches
}

/** The matches with the column of the list's order. Only SQLite counts matches, so this uses its index. */
function ranked(table: SearchTable, wanted: SearchFor): Ranked {
  const fts = sql.identifier(ftsOf(getTableName(table)))
  const isMatch = sql`${table.position} IN (SELECT rowid FROM ${fts} WHERE ${fts} MATCH ${matchOf(wanted)})`
  return {
    table,
    // Written so that no index of the table is chosen for it: the matches must be read first.
    // guard: the-organization-of-a-page-that-is-sorted-from-its-matches
    where: and(isMatch, sql`+${table.orgId} = ${wanted.orgId}`),
    id: table.entityId,
    sortedBy: table.createdAtMs,
    isActive: table.isActive,
    isShared: table.isShared,
  }
}

/** Texts that many records contain. */
const manyMatches = lately<number>()

/** A query for FTS5: the text, among those of the organization. */
function matchOf({ orgId, text, in: where }: SearchFor): string {
  const columns = where === 'title' ? 'title' : '{title body}'
  return `scope : ${quoted(scopeOf(orgId))} AND ${columns} : ${quoted(fold(text))}`
}

/** Returns at most a number of ids of records whose text contains the given one, unordered. */
export async function findText(db: Db, table: SearchTable, wanted: SearchFor, atMost: number): Promise<string[]> {
  const rows = await db.rows<{ entity_id: string }>(findStatement(db, table, wanted, atMost))
  return rows.map((row) => row.entity_id)
}

/** The statement of `findText`, for the test of its plan. */
export function findStatement(db: Db, table: SearchTable, wanted: SearchFor, atMost: number): SQL {
  const text = fold(wanted.text)
  const name = getTableName(table)
  if ([...text].length < TRIGRAM) {
    const newest = db
      .select({ entity_id: table.entityId, title: table.title, body: table.body })
      .from(table)
      .where(eq(table.orgId, wanted.orgId))
      .orderBy(desc(table.position))
      .limit(SHORT_SCAN_MAX)
    const parts = wanted.in === 'title' ? ['title'] : ['title', 'body']
    const holds = parts.map((part) => isPart(db, sql.identifier(part), text))
    return sql`SELECT entity_id FROM (${newest}) AS newest WHERE ${or(...holds)} LIMIT ${atMost}`
  }
  if (db.database === 'pg') {
    return sql`SELECT entity_id FROM ${sql.identifier(procedureOf(name))}(${wanted.orgId}, ${`%${escapeLike(text)}%`}, ${wanted.in === 'all'}, ${atMost}) AS entity_id`
  }
  const fts = sql.identifier(ftsOf(name))
  return sql`SELECT t.entity_id AS entity_id FROM ${fts} CROSS JOIN ${table} AS t ON t.position = ${fts}.rowid
    WHERE ${fts} MATCH ${matchOf(wanted)} AND t.org_id = ${wanted.orgId} LIMIT ${atMost}`
}

const contains = (db: Db, table: SearchTable, { text, in: where }: SearchFor): SQL | undefined => {
  const columns = where === 'title' ? [table.title] : [table.title, table.body]
  return or(...columns.map((column) => isPart(db, column, fold(text))))
}

export const isPart = (db: Db, column: unknown, text: string): SQL =>
  db.database === 'sqlite' ? sql`instr(${column}, ${text}) > 0` : sql`strpos(${column}, ${text}) > 0`

/** A string of FTS5's query language, in which no character has a special meaning. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A text for `LIKE … ESCAPE '\\'`, in which no character has a special meaning. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** The FTS5 index beside a table of search texts (SQLite). */
export const ftsOf = (name: string): string => `${name}_fts`
/** The name of the function that searches a table of search texts (PostgreSQL). */
export const procedureOf = (name: string): string => `plumbline_find_${name}`

/**
 * The indexes of a domain's search tables. On PostgreSQL, row security prevents `LIKE` from using an index, because the
 * operator could reveal rows that the policy hides. So a procedure searches. It first compares the organization with
 * that of the transaction.
 */
export function searchGuards(...names: readonly string[]): Required<Guards> {
  const each = names.map(searchIndex)
  return {
    sqlite: each.flatMap(({ sqlite }) => sqlite),
    pg: each.flatMap(({ pg }) => pg),
    pgOwners: each.flatMap(({ pgOwners }) => pgOwners),
  }
}

const searchIndex = (name: string): Required<Guards> =>
  textIndex(name, {
    parameters: 'p_org text, p_pattern text, p_body boolean, p_limit integer',
    mayLook: `p_org = current_setting('app.org', true)
    OR p_org = ANY (coalesce(nullif(current_setting('app.readable', true), ''), '{}')::text[])
    OR current_setting('role') = 'plumbline_system'`,
    look: `SELECT t.entity_id::text FROM public.${name} t
      WHERE t.org_id = p_org AND (t.title LIKE p_pattern OR (p_body AND t.body LIKE p_pattern)) LIMIT p_limit`,
  })

/** The procedure of an index on PostgreSQL: its parameters, when it may search, and how it searches. */
export interface IndexProcedure {
  /** Each with its type. */
  readonly parameters: string
  readonly mayLook: string
  readonly look: string
}

/** Trigrams over `title` and `body` of a table with a `position` and a `scope`, and the procedure that searches them. */
export function textIndex(name: string, { parameters, mayLook, look }: IndexProcedure): Required<Guards> {
  const fts = ftsOf(name)
  const types = parameters.split(',').map((each) => each.trim().split(' ')[1])
  const procedure = `${procedureOf(name)}(${types.join(', ')})`
  const put = (row: string) =>
    `INSERT INTO ${fts} (rowid, scope, title, body) VALUES (${row}.position, ${row}.scope, ${row}.title, ${row}.body);`
  const take = `INSERT INTO ${fts} (${fts}, rowid, scope, title, body) VALUES ('delete', OLD.position, OLD.scope, OLD.title, OLD.body);`
  return {
    sqlite: [
      `CREATE VIRTUAL TABLE ${fts} USING fts5(scope, title, body, content='${name}', content_rowid='position', tokenize='trigram case_sensitive 1');`,
      `CREATE TRIGGER ${name}_added AFTER INSERT ON ${name} BEGIN\n  ${put('NEW')}\nEND;`,
      `CREATE TRIGGER ${name}_removed AFTER DELETE ON ${name} BEGIN\n  ${take}\nEND;`,
      `CREATE TRIGGER ${name}_changed AFTER UPDATE ON ${name} BEGIN\n  ${take}\n  ${put('NEW')}\nEND;`,
    ],
    pg: [
      'CREATE EXTENSION IF NOT EXISTS pg_trgm;',
      `CREATE INDEX ${name}_title_trigrams ON ${name} USING gin (title gin_trgm_ops);`,
      `CREATE INDEX ${name}_body_trigrams ON ${name} USING gin (body gin_trgm_ops);`,
      makeRole(PROCEDURE_ROLE),
      grantToOwner(PROCEDURE_ROLE),
      `GRANT SELECT ON ${name} TO ${PROCEDURE_ROLE};`,
      `CREATE POLICY ${name}_search ON ${name} FOR SELECT TO ${PROCEDURE_ROLE} USING (true);`,
      `CREATE FUNCTION ${procedureOf(name)}(${parameters}) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF ${mayLook} THEN
    RETURN QUERY ${look};
  END IF;
END $$;`,
    ],
    pgOwners: [
      `GRANT USAGE, CREATE ON SCHEMA public TO ${PROCEDURE_ROLE};`,
      `ALTER FUNCTION ${procedure} OWNER TO ${PROCEDURE_ROLE};`,
      `REVOKE ALL ON FUNCTION ${procedure} FROM PUBLIC;`,
      `GRANT EXECUTE ON FUNCTION ${procedure} TO plumbline_tenant, plumbline_system;`,
      `REVOKE CREATE ON SCHEMA public FROM ${PROCEDURE_ROLE};`,
    ],
  }
}
