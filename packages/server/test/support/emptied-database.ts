/**
 * Reuses a PostgreSQL database for the next suite: emptying one takes a twentieth of the time of creating one.
 * A database whose schema, permissions or triggers have changed is detected and not reused.
 */

/** A connection of the owner of the tables. */
export interface Session {
  /** Runs one or several statements without parameters. */
  exec(statements: string): Promise<void>
  rows(query: string): Promise<Record<string, unknown>[]>
}

/** `alone`: roles and statistics belong to this database. `shared`: other tests use the same server. */
export type Server = 'alone' | 'shared'

export interface Beginning {
  readonly server: Server
  readonly shape: string
  /** A query that returns the tables with rows. */
  readonly filledTables: string
}

/** Background work of the server releases its locks after a second, so this is long enough. */
const LOCK_MS_MAX = 20_000

/** Another connection has an open transaction in the database. */
const AT_WORK = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend' AND xact_start IS NOT NULL`

export async function beginningOf(session: Session, server: Server): Promise<Beginning> {
  const rows = await session.rows(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'",
  )
  const filledTables = rows
    .map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`)
    .join(' UNION ALL ')
  return { server, shape: await shapeOf(session, server), filledTables }
}

/** @returns false if the database differs from its initial state, or another connection is using it. */
export async function emptied(session: Session, { server, shape, filledTables }: Beginning): Promise<boolean> {
  await session.exec('DISCARD ALL')
  await session.exec(`SET lock_timeout = ${LOCK_MS_MAX}`)
  if (server === 'shared' && (await session.rows(AT_WORK)).length > 0) return false
  if ((await shapeOf(session, server)) !== shape) return false
  const filled = await session.rows(filledTables)
  const names = filled.map(({ name }) => name).join(', ')
  const sequences = await session.rows(
    "SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE last_value IS NOT NULL",
  )
  const restarts = sequences.map(({ name }) => `ALTER SEQUENCE ${name} RESTART;`).join('')
  // Triggers forbid deleting audit events. They do not run in the role `replica`.
  const truncate = names === '' ? '' : `TRUNCATE ${names} CASCADE;`
  // A shared server collects statistics at any time, so they are removed.
  const forget = server === 'shared' ? 'DELETE FROM pg_statistic WHERE starelid >= 16384;' : ''
  await session.exec(
    `SET session_replication_role = replica; ${truncate} ${restarts} ${forget} RESET session_replication_role`,
  )
  return true
}

async function shapeOf(session: Session, server: Server): Promise<string> {
  const parts = server === 'alone' ? [...OWN_SHAPE, ...SERVER_SHAPE] : OWN_SHAPE
  const [row] = await session.rows(
    `SELECT md5(concat_ws('|', ${parts.map((part) => `(${part})`).join(', ')})) AS shape`,
  )
  return String(row?.['shape'] ?? '')
}

/** Everything except rows that a suite may have changed in its database: objects by id, permissions, triggers. */
const OWN_SHAPE = [
  `SELECT string_agg(concat_ws(' ', oid, relname, relnatts, relacl, relrowsecurity, relforcerowsecurity, reloptions), ',' ORDER BY oid)
    FROM pg_class WHERE oid >= 16384`,
  `SELECT string_agg(concat_ws(' ', attrelid, attnum, attname, attnotnull, attacl), ',' ORDER BY attrelid, attnum)
    FROM pg_attribute WHERE attrelid >= 16384`,
  "SELECT string_agg(concat_ws(' ', oid, tgenabled), ',' ORDER BY oid) FROM pg_trigger",
  "SELECT string_agg(concat_ws(' ', oid, prosrc), ',' ORDER BY oid) FROM pg_proc WHERE oid >= 16384",
  "SELECT string_agg(concat_ws(' ', oid, polname), ',' ORDER BY oid) FROM pg_policy",
  "SELECT string_agg(oid::text, ',' ORDER BY oid) FROM pg_constraint WHERE oid >= 16384",
  "SELECT string_agg(concat_ws(' ', oid, nspname, nspacl), ',' ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_'",
  'SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())',
  "SELECT string_agg(m::text, ',' ORDER BY version) FROM schema_migrations m",
]

/** Further state, of a server that no other test uses. */
const SERVER_SHAPE = [
  "SELECT string_agg(concat_ws(' ', oid, rolname, rolsuper, rolcanlogin), ',' ORDER BY oid) FROM pg_roles",
  "SELECT string_agg(concat_ws(' ', roleid, member), ',' ORDER BY roleid, member) FROM pg_auth_members",
  'SELECT count(*) FROM pg_db_role_setting',
  'SELECT count(*) FROM pg_statistic WHERE starelid >= 16384',
]
