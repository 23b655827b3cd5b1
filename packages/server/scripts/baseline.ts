/**
 * The baseline migration of one database, derived from the tables: the tables themselves, then (on PostgreSQL) the two
 * roles, their rights and row-level security, then what the domains add by hand.
 */

import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api'
import { getTableName } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../src/runtime/ids.js'
import { grantToOwner, makeRole } from '../src/runtime/store/role-statements.js'
import type { TableSet, Tenancy } from '../src/runtime/store/table-set.js'

// biome-ignore lint/suspicious/noExplicitAny: sets of tables of every shape
type AnyTableSet = TableSet<any>

export async function baseline(dialect: 'sqlite' | 'pg', sets: readonly AnyTableSet[]): Promise<string> {
  const tables = Object.assign({}, ...sets.map((set) => set[dialect])) as Record<string, never>
  const statements =
    dialect === 'sqlite'
      ? await generateSQLiteMigration(await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson(tables))
      : [
          ...(await generateMigration(generateDrizzleJson({}), generateDrizzleJson(tables))),
          ...ROLES.flatMap((role) => [makeRole(role), grantToOwner(role)]),
          `GRANT USAGE ON SCHEMA public TO ${ROLES.join(', ')};`,
          ...sets.flatMap((set) =>
            Object.entries(set.tenancy as Record<string, Tenancy>).flatMap(([key, tenancy]) =>
              rights(getTableName(set.pg[key]), tenancy),
            ),
          ),
          `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${ROLES.join(', ')};`,
        ]
  const guards = sets.flatMap(({ guards: { sqlite = [], pg = [], pgOwners = [] } }) =>
    dialect === 'sqlite' ? sqlite : [...pg, ...pgOwners],
  )
  return `${[...statements, ...guards].map((statement) => statement.trim()).join('\n--> statement-breakpoint\n')}\n`
}

/** Neither role logs in by itself: a transaction takes one on, for its own duration. */
const ROLES = ['plumbline_tenant', 'plumbline_system']

function rights(table: string, tenancy: Tenancy): string[] {
  const all = 'SELECT, INSERT, UPDATE, DELETE'
  const system = `GRANT ${all} ON "${table}" TO plumbline_system;`
  if (tenancy.kind === 'global') {
    return tenancy.tenantMay === undefined
      ? [system]
      : [system, `GRANT ${tenancy.tenantMay} ON "${table}" TO plumbline_tenant;`]
  }
  const isOf = (column: string) => `"${column}" = current_setting('app.org', true)`
  const own = [tenancy.column, ...(tenancy.alsoReadableBy ? [tenancy.alsoReadableBy] : [])].map(isOf).join(' OR ')
  const inserted = tenancy.insertedByEither === true ? own : isOf(tenancy.column)
  const shared = tenancy.sharedWhen
    ? ` OR ("${tenancy.column}" = ANY (current_setting('app.readable', true)::text[]) AND (${tenancy.sharedWhen}))`
    : ''
  const overseen = tenancy.readableBySystem ? ` OR current_setting('app.org', true) = '${SYSTEM_ORG_ID}'` : ''
  return [
    system,
    `GRANT ${all} ON "${table}" TO plumbline_tenant;`,
    `ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;`,
    `ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY;`,
    `CREATE POLICY "${table}_system" ON "${table}" TO plumbline_system USING (true) WITH CHECK (true);`,
    `CREATE POLICY "${table}_read" ON "${table}" FOR SELECT TO plumbline_tenant USING (${own}${shared}${overseen});`,
    `CREATE POLICY "${table}_insert" ON "${table}" FOR INSERT TO plumbline_tenant WITH CHECK (${inserted});`,
    `CREATE POLICY "${table}_update" ON "${table}" FOR UPDATE TO plumbline_tenant USING (${own}) WITH CHECK (${own});`,
    `CREATE POLICY "${table}_delete" ON "${table}" FOR DELETE TO plumbline_tenant USING (${own});`,
  ]
}
