/** The migrations are those of the tables, and the database grants exactly what the table sets say. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getTableName, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { baseline } from '../scripts/baseline.js'
import type { Store } from '../src/runtime/store/db.js'
import type { TableSet, Tenancy } from '../src/runtime/store/table-set.js'
import { TABLE_SETS } from '../src/schema.js'
import { pgliteStore } from './support/stores.js'

/** Narrower than the rights of an ordinary tenant's table: evidence is written by the system and changed by nobody. */
const NARROWED: Readonly<Record<string, string>> = {
  audit_events: 'SELECT',
  audit_heads: 'SELECT',
  audit_checkpoints: 'SELECT',
  audit_anchors: 'SELECT',
  audit_outbox: 'SELECT, INSERT',
}

/** Policies besides the usual five of a tenant's table, each reviewed. */
const FURTHER_POLICIES = [
  'plugin_search plumbline_maintenance SELECT true false',
  // The owner of the two procedures that prune and erase; nobody takes it on.
  'audit_anchors plumbline_maintenance SELECT true false',
  'audit_checkpoints plumbline_maintenance SELECT true false',
  'audit_events plumbline_maintenance ALL true true',
  // The owner of the procedures that search; each compares the organization before it looks.
  'pipeline_search plumbline_maintenance SELECT true false',
  'pipeline_template_search plumbline_maintenance SELECT true false',
  'message_search plumbline_maintenance SELECT true false',
  // A tenant's change may queue work that belongs to no organization; it cannot read it back.
  'jobs plumbline_tenant INSERT false true',
]

interface Entry {
  readonly table: string
  readonly columns: readonly string[]
  readonly tenancy: Tenancy
}

// biome-ignore lint/suspicious/noExplicitAny: sets of tables of every shape
const entries: Entry[] = (TABLE_SETS as readonly TableSet<any>[]).flatMap((set) =>
  Object.entries(set.tenancy as Record<string, Tenancy>).map(([key, tenancy]) => ({
    table: getTableName(set.pg[key]),
    columns: getTableConfig(set.pg[key]).columns.map(({ name }) => name),
    tenancy,
  })),
)
const tenants = entries.filter(({ tenancy }) => tenancy.kind === 'tenant').map(({ table }) => table)

describe.each(['sqlite', 'pg'] as const)('the migrations of %s', (dialect) => {
  it('are current with the tables (`npm run generate` writes them)', async () => {
    const file = fileURLToPath(new URL(`../migrations/${dialect}/0001-baseline.sql`, import.meta.url))
    expect(readFileSync(file, 'utf8')).toBe(await baseline(dialect, TABLE_SETS))
  })
})

describe('the tables', () => {
  it('are each somebody’s or nobody’s, with a reason', () => {
    for (const { table, columns, tenancy } of entries) {
      if (tenancy.kind === 'global') expect(tenancy.reason.length, table).toBeGreaterThan(20)
      else expect(columns, table).toContain(tenancy.column)
    }
  })

  it('have names of their own, and every table of a set has its tenancy', () => {
    expect(new Set(entries.map(({ table }) => table)).size).toBe(entries.length)
    // biome-ignore lint/suspicious/noExplicitAny: sets of tables of every shape
    for (const set of TABLE_SETS as readonly TableSet<any>[]) {
      expect(Object.keys(set.tenancy).sort(), set.domain).toEqual(Object.keys(set.pg).sort())
    }
  })

  it('that belong to nobody although they name an organization say so on purpose', () => {
    const named = entries.filter(({ columns, tenancy }) => tenancy.kind === 'global' && columns.includes('org_id'))
    expect(named.map(({ table }) => table).sort()).toEqual(GLOBAL_WITH_ORG)
  })
})

/** Reviewed one by one: found before the organization is known, by the system alone. */
const GLOBAL_WITH_ORG = ['audit_ingest_keys', 'auth_flows', 'auth_grants', 'session_proofs', 'sessions']

describe('what PostgreSQL grants', () => {
  let store: Store
  beforeAll(async () => {
    store = await pgliteStore()
  })
  afterAll(() => store.close())
  const rows = <T extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
    store.system.read((db) => db.rows<T>(query))

  it('forces row-level security on every tenant’s table', async () => {
    const found = await rows<{ name: string }>(
      sql`SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relforcerowsecurity ORDER BY relname COLLATE "C"`,
    )
    expect(found.map(({ name }) => name)).toEqual([...tenants].sort())
  })

  it('has a policy for each kind of statement, with both sides where rows change', async () => {
    const found = await rows<{ table: string; role: string; cmd: string; reads: boolean; checks: boolean }>(
      sql`SELECT tablename AS "table", roles[1] AS role, cmd, qual IS NOT NULL AS reads, with_check IS NOT NULL AS checks FROM pg_policies`,
    )
    const say = ({ table, role, cmd, reads, checks }: (typeof found)[number]) =>
      `${table} ${role} ${cmd} ${reads} ${checks}`
    const wanted = tenants.flatMap((table) => [
      `${table} plumbline_system ALL true true`,
      `${table} plumbline_tenant SELECT true false`,
      `${table} plumbline_tenant INSERT false true`,
      `${table} plumbline_tenant UPDATE true true`,
      `${table} plumbline_tenant DELETE true false`,
    ])
    expect(found.map(say).sort()).toEqual([...wanted, ...FURTHER_POLICIES].sort())
  })

  it('gives the tenant role what the table sets say, and nothing else', async () => {
    // From the catalogue itself: the information schema shows a role only what concerns it.
    const onTables = await rows<{ table: string; privilege: string }>(
      sql`SELECT c.relname AS "table", a.privilege_type AS privilege
          FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
          WHERE r.rolname = 'plumbline_tenant' AND c.relkind = 'r'`,
    )
    const onColumns = await rows<{ table: string; column: string; privilege: string }>(
      sql`SELECT c.relname AS "table", t.attname AS "column", a.privilege_type AS privilege
          FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid, aclexplode(t.attacl) a
          JOIN pg_roles r ON r.oid = a.grantee WHERE r.rolname = 'plumbline_tenant'`,
    )
    const seen = [
      ...onTables.map(({ table, privilege }) => `${table} ${privilege}`),
      ...onColumns.map(({ table, column, privilege }) => `${table}.${column} ${privilege}`),
    ]
    const wanted = entries.flatMap(({ table, tenancy }) =>
      granted(mayOf(table, tenancy)).flatMap(({ right, columns }) =>
        columns === null ? [`${table} ${right}`] : columns.map((column) => `${table}.${column} ${right}`),
      ),
    )
    expect(seen.sort()).toEqual(wanted.sort())
  })

  it('gives no role a log-in, ownership or a way around the policies', async () => {
    const found = await rows<{ name: string; special: boolean }>(
      sql`SELECT rolname AS name, rolcanlogin OR rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS special
          FROM pg_roles WHERE rolname LIKE 'plumbline%' ORDER BY rolname`,
    )
    expect(found).toEqual([
      { name: 'plumbline_maintenance', special: false },
      { name: 'plumbline_system', special: false },
      { name: 'plumbline_tenant', special: false },
    ])
    const owned = await rows(
      sql`SELECT relname FROM pg_class JOIN pg_roles r ON r.oid = relowner WHERE rolname LIKE 'plumbline%'`,
    )
    expect(owned).toEqual([])
  })
})

function mayOf(table: string, tenancy: Tenancy): string {
  if (tenancy.kind === 'global') return tenancy.tenantMay ?? ''
  return NARROWED[table] ?? 'SELECT, INSERT, UPDATE, DELETE'
}

/** `SELECT (id, name), INSERT` as its parts. */
const granted = (text: string): { right: string; columns: string[] | null }[] =>
  [...text.matchAll(/(SELECT|INSERT|UPDATE|DELETE)(?:\s*\(([^)]*)\))?/g)].map(([, right = '', columns]) => ({
    right,
    columns: columns === undefined ? null : columns.split(',').map((column) => column.trim()),
  }))
