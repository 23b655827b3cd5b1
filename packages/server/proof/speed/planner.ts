/**
 * The planner of lists against the statistics of the databases: `planner.ts sqlite FOLDER ROWS` or `planner.ts postgres ADMIN_URL ROWS`.
 *
 * Each question about pipelines is asked in three ways: `planned` is what the server sends (`partOfQuery`, ADR 64), `exists` and `in`
 * are one plain statement with the condition as a correlated or as an uncorrelated subquery, which leave the plan to the
 * database. All of it without statistics first, then after ANALYZE. Prints a line of JSON for each question: the least of the
 * rounds in ms of a first page, of a page at 1,000 and of the count.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import { partOfQuery } from '../../src/pipeline/pipeline/filter.js'
import { distinct, referencesIn } from '../../src/pipeline/props/references.js'
import { pipelineTables } from '../../src/pipeline/tables.js'
import { Refusal } from '../../src/runtime/errors.js'
import type { Principal } from '../../src/runtime/operation/context.js'
import { besideOf } from '../../src/runtime/records/index-tables.js'
import { isLive } from '../../src/runtime/records/soft-delete.js'
import { rowsOfParts } from '../../src/runtime/records/visible.js'
import type { Db, Store } from '../../src/runtime/store/db.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { insertRows } from '../../src/runtime/store/prepared.js'
import { pipelineOf } from './records.js'

const [engine = '', place = '', count = '100000'] = process.argv.slice(2)
const orgId = '11111111-1111-7111-8111-111111111111'
const seed = { orgId, userId: '22222222-2222-7222-8222-222222222222', rows: Number(count) }
const ROWS_AT_ONCE = 500
const ROUNDS = 7
const PAGE = 50
const COUNTED_MAX = 10_000
const key = { orgId, readableOrgIds: [] }
const principal: Principal = { kind: 'anonymous' }

interface Question {
  readonly name: string
  readonly query: Readonly<Record<string, string | boolean>>
  /** The same as one condition, by a subquery of either kind. */
  readonly exists: (db: Db) => SQL | undefined
  readonly in: (db: Db) => SQL | undefined
}

function label(name: string, key: string, value: string): Question {
  const is = (db: Db) => {
    const { pipelineLabels: t } = pipelineTables(db)
    return and(eq(t.orgId, orgId), eq(t.key, key), eq(t.value, value))
  }
  return {
    name: `label of ${name}`,
    query: { [`label.${key}`]: value },
    exists: (db) => {
      const { pipelines, pipelineLabels: t } = pipelineTables(db)
      return sql`EXISTS (SELECT 1 FROM ${t} WHERE ${and(is(db), sql`${t.entityId} = ${pipelines.id}`)})`
    },
    in: (db) => {
      const { pipelines, pipelineLabels: t } = pipelineTables(db)
      return inArray(pipelines.id, db.select({ id: t.entityId }).from(t).where(is(db)))
    },
  }
}

/** A condition of the records' own. */
function own(name: string, query: Question['query'], condition: (db: Db) => SQL | undefined): Question {
  return { name, query, exists: condition, in: condition }
}

const both = (name: string, first: Question, second: Question): Question => ({
  name,
  query: { ...first.query, ...second.query },
  exists: (db) => and(first.exists(db), second.exists(db)),
  in: (db) => and(first.in(db), second.in(db)),
})

const thousandth = label('a thousandth', 'cell', 'c7')
const twentieth = label('a twentieth', 'ring', 'inner')
const half = label('half', 'tier', 'gold')
const sinceMs = pipelineOf(seed, 0).createdAtMs + (seed.rows - 100) * 1000
const QUESTIONS: readonly Question[] = [
  thousandth,
  twentieth,
  half,
  both('two labels, half and a twentieth', half, twentieth),
  both('two labels, half and a thousandth', half, label('another thousandth', 'cell', 'c8')),
  own('changed lately, 100 rows', { updatedSince: new Date(sinceMs).toISOString() }, (db) =>
    gte(pipelineTables(db).pipelines.updatedAtMs, sinceMs),
  ),
  own('template of a thousandth', { templateId: 'template-7' }, (db) =>
    eq(pipelineTables(db).pipelines.templateId, 'template-7'),
  ),
  own('three ids', { id: [1, 2, 3].map((n) => pipelineOf(seed, n * 7).id).join(',') }, (db) =>
    inArray(
      pipelineTables(db).pipelines.id,
      [1, 2, 3].map((n) => pipelineOf(seed, n * 7).id),
    ),
  ),
]

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < seed.rows; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, seed.rows - from) }, (_, at) =>
      pipelineOf(seed, from + at),
    )
    await store.tenant(key).write(async (tx) => {
      const { pipelines, pipelineLabels, pipelineKeywords, pipelinePlugins } = pipelineTables(tx)
      await insertRows(tx, pipelines, rows)
      const beside = rows.map((row) => ({ row, own: { entityId: row.id, ...besideOf(row) } }))
      await insertRows(
        tx,
        pipelineLabels,
        beside.flatMap(({ row, own: each }) =>
          Object.entries(row.labels).map(([name, value]) => ({ ...each, key: name, value: String(value) })),
        ),
      )
      await insertRows(
        tx,
        pipelineKeywords,
        rows.flatMap((row) => row.keywords.map((keyword) => ({ pipelineId: row.id, ...besideOf(row), keyword }))),
      )
      await insertRows(
        tx,
        pipelinePlugins,
        rows.flatMap((row) =>
          distinct(referencesIn(row.props, '')).map(({ name, version }) => ({
            ...{ pipelineId: row.id, ...besideOf(row), name, version: version ?? '', isFirst: true },
          })),
        ),
      )
    })
  }
}

interface Asked {
  page(offset: number): Promise<readonly { readonly id: string }[]>
  total(): Promise<number>
}

async function planned(db: Db, { query }: Question): Promise<Asked> {
  const { pipelines: t } = pipelineTables(db)
  const part = await partOfQuery({ principal }, db, { orgId, isShared: false }, query)
  const rows = rowsOfParts(db, {
    table: t,
    parts: [part],
    read: { id: t.id, createdAtMs: t.createdAtMs },
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query: {},
    present: (row: { id: string; createdAtMs: number }) => row,
  })
  const order = { column: t.createdAtMs, order: 'desc' as const, place: null, after: undefined, orderBy: [] }
  return { page: (offset) => rows.fetch({ ...order, limit: PAGE, offset }), total: () => rows.count(COUNTED_MAX) }
}

function plain(db: Db, condition: SQL | undefined): Asked {
  const { pipelines: t } = pipelineTables(db)
  const where = and(eq(t.orgId, orgId), isLive(t), eq(t.isActive, true), condition)
  return {
    page: (offset) =>
      db
        .select({ id: t.id, createdAtMs: t.createdAtMs })
        .from(t)
        .where(where)
        .orderBy(desc(t.createdAtMs), desc(t.id))
        .limit(PAGE)
        .offset(offset),
    async total() {
      const few = db.select({ one: sql`1` }).from(t).where(where).limit(COUNTED_MAX).as('few')
      const [row] = await db.select({ found: sql<number | string>`count(*)` }).from(few)
      return Number(row?.found)
    },
  }
}

const WAYS = ['planned', 'exists', 'in'] as const
type Way = (typeof WAYS)[number]

const asked = (db: Db, question: Question, way: Way): Promise<Asked> | Asked =>
  way === 'planned' ? planned(db, question) : plain(db, question[way](db))

/** Null for a statement that took longer than the store lets one take. */
interface Times {
  first: number | null
  deep: number | null
  total: number | null
}

const TOO_LONG = Symbol('too long')

/** @throws every other error. */
function isTooLong(error: unknown): typeof TOO_LONG {
  if (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE') return TOO_LONG
  throw error
}

/** All ways of a question in turn, so that what else the machine does meets each of them. */
async function measure(store: Store, question: Question): Promise<Record<Way, Times>> {
  const least = Object.fromEntries(WAYS.map((way) => [way, { first: Infinity, deep: Infinity, total: Infinity }]))
  const answers = new Map<string, string>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) {
      for (const what of ['first', 'deep', 'total'] as const) {
        const startedMs = performance.now()
        const times = least[way] as Times
        if (times[what] === null) continue
        const answer = await store
          .tenant(key)
          .read(async (db) => {
            const it = await asked(db, question, way)
            return what === 'total' ? it.total() : (await it.page(what === 'deep' ? 1000 : 0)).map(({ id }) => id)
          })
          .catch(isTooLong)
        // Over the time that a statement has: it is not asked again.
        if (answer === TOO_LONG) {
          times[what] = null
          continue
        }
        const took = performance.now() - startedMs
        times[what] = Math.min(times[what] ?? took, took)
        const text = JSON.stringify(answer)
        const before = answers.get(what) ?? text
        if (before !== text) throw new Error(`${question.name}: ${way} answers ${what} otherwise`)
        answers.set(what, text)
      }
    }
  }
  return least as unknown as Record<Way, Times>
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100)
const shown = (times: Record<Way, Times>) =>
  Object.fromEntries(
    WAYS.map((way) => [way, Object.fromEntries(Object.entries(times[way]).map(([what, ms]) => [what, rounded(ms)]))]),
  )

async function report(store: Store, statistics: 'none' | 'analyzed'): Promise<void> {
  for (const question of QUESTIONS) {
    const found = shown(await measure(store, question))
    process.stdout.write(
      `${JSON.stringify({ engine, rows: seed.rows, statistics, question: question.name, ...found })}\n`,
    )
  }
}

const TABLES = ['pipelines', 'pipeline_labels', 'pipeline_keywords', 'pipeline_plugins']

async function onSqlite(folder: string): Promise<void> {
  const file = join(folder, 'plumbline.db')
  const filled = await openSqliteStore(file)
  filled.writer.pragma('synchronous = OFF')
  await fill(filled)
  await report(filled, 'none')
  filled.writer.exec('ANALYZE')
  await filled.close()
  // A connection reads the statistics when it is opened.
  const store = await openSqliteStore(file)
  await report(store, 'analyzed')
  await store.close()
}

async function onPostgres(adminUrl: string): Promise<void> {
  const name = `plumbline_planner_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const store = await openPostgresStore({ url: url.href, connectionsMax: 4 })
  const owner = new pg.Client({ connectionString: url.href })
  await owner.connect()
  try {
    for (const table of TABLES) await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
    await fill(store)
    await report(store, 'none')
    for (const table of TABLES) await owner.query(`ANALYZE ${table}`)
    await report(store, 'analyzed')
  } finally {
    await owner.end()
    await store.close()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
}

await (engine === 'postgres' ? onPostgres(place) : onSqlite(place))
