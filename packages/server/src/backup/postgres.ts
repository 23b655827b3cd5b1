/**
 * Dumps and restores a PostgreSQL database with the tools of PostgreSQL, as the owner of the tables. Row security is forced
 * on the owner too, so the dump is made with it, under the policies of the system's role, which the owner inherits.
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
    // Without the policies the dump would hold no row, and nobody would notice before the restore.
    if (rows[0]?.sees !== true) {
      throw new Error(
        `${rows[0]?.name} of DATABASE_URL does not inherit plumbline_system, so that a backup would miss rows`,
      )
    }
  })
  await runTool('pg_dump', ['--format=custom', '--no-owner', '--enable-row-security', `--file=${to}`], url)
}

/** Into a database without our tables: those of the dump would meet themselves. */
export async function restorePostgres(url: string, from: string): Promise<void> {
  await withOwner(url, async (client) => {
    // Rights and policies of the dump name them, and another server may not have them yet.
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

/** `no-verify` is a word of the driver alone. */
const sslMode = (mode: string | null): string | null => (mode === 'no-verify' ? 'require' : mode)
const given = (name: string, value: string | null): Record<string, string> => (value === null ? {} : { [name]: value })

/** The address goes through the environment: arguments are visible to everybody on the host. */
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
      // How much the connection is trusted is the address's to say here too.
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
