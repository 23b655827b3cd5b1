/**
 * As `plans.ts`, on PostgreSQL: each statement that a list sends is explained with the values that it was sent with. The
 * planner is told that every table is large and that walking through one is the last resort, so that the few rows of a test
 * decide nothing; it plans as the owner, whom no policy of row security helps to an organization.
 */
import pg from 'pg'
import type { ProofDatabase } from '../world/database.js'
import type { World } from '../world/model.js'
import { type PlansReport, plansBy, SMALL, TENANT_TABLES } from './plans.js'

const ROWS = 1_000_000

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

export async function postgresPlans(world: World): Promise<PlansReport> {
  const { database } = world
  const indexes = await prepare(database)
  const known = new Map<string, readonly string[]>()
  return plansBy(world, async (answer) => {
    const looked: { text: string; wrong: readonly string[] }[] = []
    for (const { text, values } of await recorded(answer)) {
      let wrong = known.get(text)
      if (wrong === undefined) {
        wrong = wrongNodes(await planOf(database, text, values), indexes)
        known.set(text, wrong)
      }
      looked.push({ text, wrong })
    }
    return looked
  })
}

async function planOf(database: ProofDatabase, text: string, values: readonly unknown[]): Promise<PlanNode> {
  const [row] = await database.rows(`EXPLAIN (FORMAT JSON) ${text}`, values)
  if (row === undefined) throw new Error(`no plan of ${text}`)
  const [{ Plan }] = row['QUERY PLAN'] as [{ readonly Plan: PlanNode }]
  return Plan
}

interface Index {
  readonly table: string
  /** Its first column. */
  readonly leading: string
}

/** Tells the planner what a large installation would, and reads which index is over what. */
async function prepare(database: ProofDatabase): Promise<ReadonlyMap<string, Index>> {
  // A join that reads both sides whole pays where there is little to read.
  for (const way of ['seqscan', 'mergejoin', 'hashjoin']) await database.rows(`SET enable_${way} = off`)
  // The database's own look at its tables, between two lists, would tell it how few their rows are.
  for (const { name } of await database.rows(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )) {
    await database.rows(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`)
  }
  await database.rows(
    `DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
  )
  // The planner takes the size of a table from its file: one without a row is small, whatever else it is told.
  await database.rows(
    `INSERT INTO quota_pools (org_id, type, period_start_ms, used)
      SELECT id, 'apiCalls', 0, 0 FROM organizations ON CONFLICT DO NOTHING`,
  )
  await database.rows(
    `UPDATE pg_class SET reltuples = ${ROWS}, relpages = pg_relation_size(oid) / 8192
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`,
  )
  const rows = await database.rows(
    `SELECT i.relname AS name, t.relname AS "table", pg_get_indexdef(x.indexrelid, 1, true) AS leading FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid`,
  )
  return new Map(
    rows.map(({ name, table, leading }) => [String(name), { table: String(table), leading: String(leading) }]),
  )
}

function wrongNodes(node: PlanNode, indexes: ReadonlyMap<string, Index>): string[] {
  const below = (node.Plans ?? []).flatMap((each) => wrongNodes(each, indexes))
  return isWrong(node, indexes) ? [describe(node), ...below] : below
}

const describe = ({ Plans: _, ...node }: PlanNode): string =>
  [node['Node Type'], node['Relation Name'], node['Index Name'], node['Index Cond']].filter(Boolean).join(' ')

/** A tenant's rows are found along an index that begins with an organization, or with the id of a record. */
function isWrong(node: PlanNode, indexes: ReadonlyMap<string, Index>): boolean {
  const { 'Node Type': type, 'Index Name': name = '', 'Index Cond': condition = '' } = node
  const index = indexes.get(name)
  const table = node['Relation Name'] ?? index?.table
  if (table === undefined || !TENANT_TABLES.has(table) || SMALL.has(table)) return false
  if (type === 'Seq Scan') return true
  if (index === undefined) return false
  if (!/^"?(?:id|\w+_id|created_by)"?$/.test(index.leading)) return true
  return !new RegExp(`\\b${index.leading.replaceAll('"', '')}"?\\)?(?:::\\w+)? = `).test(condition)
}

/** What is sent to the server while `run` runs. */
async function recorded(run: () => Promise<void>): Promise<Sent[]> {
  const { prototype } = pg.Client as unknown as { prototype: { query(...args: unknown[]): unknown } }
  const { query } = prototype
  const sent: Sent[] = []
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args
    const config = (typeof first === 'string' ? { text: first } : first) as { text?: string; values?: unknown[] }
    const values = Array.isArray(second) ? second : (config.values ?? [])
    if (config.text !== undefined && /^\s*(select|with)\b/i.test(config.text)) sent.push({ text: config.text, values })
    return query.apply(this, args)
  }
  try {
    await run()
  } finally {
    prototype.query = query
  }
  return sent
}
