/**
 * Dumps and restores a PostgreSQL database with its own tools, as the owner of the tables. Row security also applies to
 * the owner, so the dump is made under the policies of the system role, which the owner inherits.
 */
import { spawn } from 'node:child_process'
import pg from 'pg'
import { grantToOwner, makeRole } from '../runtime/store/role-statements.js'
import { TABLE_SETS } from '../schema.js'

const ROLES = ['plumbline_tenant', 'plumbline_system', 'plumbline_maintenance']

export async function dumpPostgres(url: string, to: string): Promise<void> {
  await withOwner(url, async (client) => {
    const { rows } = await client.query<{ name: string; sees: boolean }>(
      "SELECT current_user AS name, pg_has_role(current_user, 'plumbline_system', 'USAGE') AS sees",
    )
    // Without these policies the dump would contain no rows, and the loss would only be noticed at the restore.
    if (rows[0]?.sees !== true) {
      throw new Error(
        `${rows[0]?.name} of DATABASE_URL does not inherit plumbline_system, so that a backup would miss rows`,
      )
    }
  })
  await runTool('pg_dump', ['--format=custom', '--no-owner', '--enable-row-security', `--file=${to}`], url)
}

/** Restores into a database without our tables: existing tables would conflict with those of the dump. */
export async function restorePostgres(url: string, from: string): Promise<void> {
  await withOwner(url, async (client) => {
    // Privileges and policies in the dump name these roles, which may not exist yet on another server.
    for (const role of ROLES)
      for (const statement of [makeRole(role), grantToOwner(role)]) await client.query(statement)
  })
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  await runTool(
    'pg_restore',
    ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${database}`, from],
    url,
  )
  await withOwner(url, async (client) => {
    for (const statement of TABLE_SETS.flatMap(({ guards }) => guards.pgOwners ?? [])) await client.query(statement)
  })
}

async function withOwner(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'plumbline backup' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}

/** Only the driver knows `no-verify`; libpq does not. */
const sslMode = (mode: string | null): string | null => (mode === 'no-verify' ? 'require' : mode)
const given = (name: string, value: string | null): Record<string, string> => (value === null ? {} : { [name]: value })

/**
 * The connection address is passed in environment variables, because arguments are visible to every user of the host.
 */
async function runTool(tool: string, args: readonly string[], url: string): Promise<void> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const child = spawn(tool, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      // The address also determines how strictly TLS is verified.
      ...given('PGSSLMODE', sslMode(searchParams.get('sslmode'))),
      ...given('PGSSLROOTCERT', searchParams.get('sslrootcert')),
    },
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT' ? new Error(`${tool} is not installed: install the PostgreSQL client tools`) : error,
      ),
    )
    child.on('exit', resolve)
  })
  if (code !== 0) throw new Error(`${tool} failed: ${said.trim().split('\n').at(-1) ?? `exit code ${code}`}`)
}
