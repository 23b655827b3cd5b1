/**
 * Asks every list for each of its filters and orders, and the database how it found the rows: a tenant's rows are found along an
 * index that begins with an organization, or with the id of one record that they hang on. Nothing walks through what belongs
 * to everybody, such as all rows of one state.
 * Source: spec platform 25.4: query plans are asserted.
 */
import type BetterSqlite from 'better-sqlite3'
import { getTableName } from 'drizzle-orm'
import fc from 'fast-check'
import type { Operation } from '../../src/runtime/operation/operation.js'
import { sqliteDriver } from '../../src/runtime/store/sqlite-driver.js'
import { TABLE_SETS } from '../../src/schema.js'
import { credential, pathOf, queryOf, send } from '../requests/call.js'
import { fromSchema, type Schema, type Slot } from '../requests/from-schema.js'
import { kindOf } from '../requests/slots.js'
import type { ProofOrganization, World } from '../world/model.js'

const { Database } = sqliteDriver()

export interface PlansReport {
  readonly lists: readonly string[]
  /** Lists that never answered, with what they said. */
  readonly unreached: readonly string[]
  readonly statements: number
  /** The list, the step of the plan, the statement. */
  readonly failures: readonly string[]
}

export const TENANT_TABLES: ReadonlySet<string> = new Set(
  TABLE_SETS.flatMap((set) =>
    Object.entries(set.sqlite)
      .filter(([key]) => (set.tenancy as Record<string, { kind: string }>)[key]?.kind === 'tenant')
      .map(([, table]) => getTableName(table as Parameters<typeof getTableName>[0])),
  ),
)

/** Tables that hold few rows at any time: evidence waits in the outbox until the sequencer has sealed it, a moment later. */
export const SMALL: ReadonlySet<string> = new Set(['audit_outbox'])

/** What only administrators of the system are shown is of every organization. */
const isList = ({ kind, input, access }: Operation): boolean => {
  if (access.doors.every((door) => door.kind === 'system-admin')) return false
  const fields = (input.query as { properties?: object } | undefined)?.properties ?? {}
  return kind === 'query' && 'limit' in fields && 'offset' in fields
}

/** What one look at the database said, and what is wrong with the way it was taken. */
interface Looked {
  readonly text: string
  readonly wrong: readonly string[]
}

/** Lets a list answer, and says how the database found the rows. */
type Look = (answer: () => Promise<void>) => Promise<readonly Looked[]>

/** @param world on SQLite. */
export const plans = (world: World): Promise<PlansReport> =>
  plansBy(world, async (answer) =>
    (await recorded(answer)).map(({ database, text }) => ({ text, wrong: wrongSteps(database, text) })),
  )

export async function plansBy(world: World, look: Look): Promise<PlansReport> {
  const app = world.open()
  const owner = world.principals.find(({ kind, home }) => kind === 'owner' && home === 0)
  const home = world.organizations[0] as ProofOrganization
  if (owner === undefined) throw new Error('the world has no owner')
  const failures = new Set<string>()
  const unreached: string[] = []
  const seen = new Set<string>()
  const lists = app.operations.filter(isList)
  // The world is made with billing off, where its lists answer 503; here they are to be read.
  Object.assign(app.runtime.settings, { BILLING_ENABLED: true, BILLING_TEST_CLOCKS: true })
  for (const operation of lists) {
    const path = valuesOf(operation, home, operation.input.path as Schema | undefined)
    const answers: number[] = []
    let said = ''
    for (const query of queriesOf(operation, home)) {
      const statements = await look(async () => {
        const { status, text } = await send(app, {
          method: 'GET',
          target: `${pathOf(operation, path)}${queryOf({ ...query })}`,
          headers: { ...credential(owner), 'x-org-id': home.id },
        })
        answers.push(status)
        said = `${status} ${text.slice(0, 200)}`
      })
      for (const { text, wrong } of statements) {
        seen.add(text)
        for (const step of wrong) failures.add(`${operation.name}: ${step}\n  ${text.slice(0, 2000)}`)
      }
    }
    if (!answers.includes(200)) unreached.push(`${operation.name}: ${said}`)
  }
  Object.assign(app.runtime.settings, { BILLING_ENABLED: false, BILLING_TEST_CLOCKS: false })
  await app.close()
  return { lists: lists.map(({ name }) => name), unreached, statements: seen.size, failures: [...failures] }
}

/** No filter, each filter by itself, each order, an offset. */
function queriesOf(operation: Operation, home: ProofOrganization): Record<string, unknown>[] {
  const { properties = {}, patternProperties } = operation.input.query as Schema
  const filters = Object.keys(properties).filter((name) => !['limit', 'offset', 'cursor', 'sortOrder'].includes(name))
  const each = filters.flatMap((name) => {
    const schema = properties[name] as Schema
    const values = schema.enum ?? [valuesOf(operation, home, { type: 'object', properties: { [name]: schema } })[name]]
    return values.map((value) => ({ [name]: value }))
  })
  const labels = patternProperties === undefined ? [] : [{ 'label.tier': 'gold' }]
  return [{}, { limit: 1, offset: 1 }, ...each, ...labels]
}

export function valuesOf(
  operation: Operation,
  home: ProofOrganization,
  schema: Schema | undefined,
): Record<string, unknown> {
  if (schema === undefined) return {}
  const slot: Slot = (name, each) => {
    const kind = kindOf(operation, name, each)
    if (kind === null) return null
    const things = kind === 'any' ? Object.values(home.things).flat() : home.things[kind]
    return () => (name === 'id' && operation.tenant.from === 'path' ? home.id : (things[0] ?? home.id))
  }
  const all = { ...schema, required: Object.keys(schema.properties ?? {}) }
  return fc.sample(fromSchema(all, slot), { seed: 1, numRuns: 1 })[0] as Record<string, unknown>
}

interface Recorded {
  readonly database: BetterSqlite.Database
  readonly text: string
}

/** What is compiled while `run` runs. A statement is compiled once per text: what an earlier list asked was looked at there. */
export async function recorded(run: () => Promise<void>): Promise<Recorded[]> {
  const { prototype } = Database as unknown as { prototype: { prepare(text: string): unknown } }
  const { prepare } = prototype
  const found: Recorded[] = []
  prototype.prepare = function (this: BetterSqlite.Database, text: string) {
    found.push({ database: this, text })
    return prepare.call(this, text)
  }
  try {
    await run()
  } finally {
    prototype.prepare = prepare
  }
  return found.filter(({ text }) => /^\s*(select|with)\b/i.test(text))
}

/** The steps of a statement's plan that find a tenant's rows past the organization. */
export function wrongSteps(database: BetterSqlite.Database, text: string): string[] {
  return planOf(database, text).filter((step) => isWrong(database, text, step))
}

function planOf(database: BetterSqlite.Database, text: string): string[] {
  const statement = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
  const parameters = Array.from({ length: text.split('?').length - 1 }, () => null)
  return statement.all(...parameters).map(({ detail }) => detail)
}

function isWrong(database: BetterSqlite.Database, text: string, step: string): boolean {
  const found =
    /^(SCAN|SEARCH) (\S+)(?: USING (?:AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?(?:INDEX (\S+)|(INTEGER PRIMARY KEY)))?(?: \((.*)\))?/.exec(
      step,
    )
  if (found === null) return false
  const [, how, name = '', index, , terms = ''] = found
  const table = tableOf(database, text, name, index)
  if (table === null || !TENANT_TABLES.has(table) || SMALL.has(table)) return false
  if (how === 'SCAN') return !/VIRTUAL TABLE/.test(step)
  const [first = ''] = terms.split(' AND ')
  return !/^(?:rowid|id|\w+_id|created_by)=\?$/.test(first)
}

/** The table of a step, which names it by its alias. Null for what is not a table: a subquery, a list of values. */
function tableOf(
  database: BetterSqlite.Database,
  text: string,
  name: string,
  index: string | undefined,
): string | null {
  if (index !== undefined) {
    const row = database.prepare('SELECT tbl_name FROM sqlite_master WHERE name = ?').pluck().get(index)
    if (typeof row === 'string') return row
  }
  if (TENANT_TABLES.has(name)) return name
  const alias = new RegExp(`(?:from|join|,)\\s+"?(\\w+)"?\\s+(?:as\\s+)?"?${name}"?(?![\\w.])`, 'i').exec(text)
  return alias?.[1] ?? null
}
