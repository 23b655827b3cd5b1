/**
 * Follows docs/contributing/adding-a-domain.md: writes a new domain into a copy of the server, adds its lines to the
 * shared files that the page names, and starts a server with it on each database. Each snippet of the page is used
 * here.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import { freePort } from '../demo-server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/contributing/adding-a-domain.md'), 'utf8')
const tsx = join(root, 'node_modules/.bin/tsx')
const pg = createRequire(join(root, 'packages/server/package.json'))('pg')
const postgresUrl = process.env.PLUMBLINE_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const FILES: Readonly<Record<string, string>> = {
  'declarations.ts': `import { adminsAndMembers, declare } from '../runtime/declare.js'
import { given } from '../runtime/setting/setting.js'
import { whole } from '../runtime/setting/types.js'

export const parkingDeclarations = declare({
  name: 'parking',
  sections: { parking: 'Parking' },
  permissions: { 'parking:read': adminsAndMembers('list the places of the organization') },
  settings: { PARKING_RATE_MAX: given('parking', whole(0), 60, 'Requests of an organization in 60 s; 0 is off') },
  buckets: { parking: { per: 'org', max: 'PARKING_RATE_MAX', windowMs: 60_000 } },
})
`,
  'tables.ts': `import { tableSet, tenant } from '../runtime/store/table-set.js'

export const parkingTables = tableSet(
  'parking',
  (k) => ({
    parkingPlaces: k.table(
      'parking_places',
      { id: k.text('id').primaryKey(), orgId: k.text('org_id').notNull(), name: k.text('name').notNull() },
      (t) => [k.index('parking_places_org').on(t.orgId, t.id)],
    ),
  }),
  { parkingPlaces: tenant() },
)
`,
  'place/list.ts': `import { asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { parkingTables } from '../tables.js'

export const listPlaces = query({
  name: 'parking.place.list',
  summary: 'List the places of the organization',
  http: { method: 'get', path: '/parking/places' },
  access: permission('parking:read'),
  tenant: fromHeader,
  rateLimit: 'parking',
  input: {},
  errors: [],
  output: strictObject({ places: Type.Array(strictObject({ id: Type.String(), name: Type.String() })) }),
  async run(context) {
    const { parkingPlaces: t } = parkingTables(context.db)
    const rows = await context.db.select().from(t).where(eq(t.orgId, tenantId(context))).orderBy(asc(t.id)).limit(100)
    return { places: rows.map(({ id, name }) => ({ id, name })) }
  },
})
`,
  'operations.ts': `import type { Operation } from '../runtime/operation/operation.js'
import { listPlaces } from './place/list.js'

export const PARKING_OPERATIONS: readonly Operation[] = [listPlaces]
`,
  'registration.ts': `import { eq } from 'drizzle-orm'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRows } from '../runtime/records/export.js'
import { parkingTables } from './tables.js'

export const parkingRegistration: DomainRegistration = {
  name: 'parking',
  ...exportOf(
    {
      parkingPlaces: async (db, orgId, after) =>
        (await ownRows(db, parkingTables(db).parkingPlaces, orgId, after)).map(({ id, name }) => ({ key: id, row: { id, name } })),
    },
    { parkingPlaces: 'parking:read' },
  ),
  async purge(tx, orgId) {
    const { parkingPlaces: t } = parkingTables(tx)
    return (await tx.delete(t).where(eq(t.orgId, orgId)).returning({ id: t.id })).length
  },
  async erase() {},
  usage: {},
  async *blobs() {},
}
`,
  'index.ts': `import { defineDomain } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { parkingDeclarations } from './declarations.js'
import { PARKING_OPERATIONS } from './operations.js'
import { parkingRegistration } from './registration.js'
import { parkingTables } from './tables.js'

export const parking = defineDomain({
  ...parkingDeclarations,
  operations: PARKING_OPERATIONS,
  tables: [parkingTables],
  registration: parkingRegistration,
  requires: [capacityPort],
})
`,
}

/** Far longer than a start takes on a busy machine. */
const START_MS_MAX = 600_000

/** A copy of the server's sources, next to the packages that it imports. */
let copy: string
const started: ChildProcess[] = []

beforeAll(() => {
  mkdirSync(join(root, 'tmp'), { recursive: true })
  copy = mkdtempSync(join(root, 'tmp/adding-a-domain-'))
  for (const part of ['src', 'scripts', 'assets', 'migrations', 'package.json']) {
    cpSync(join(root, 'packages/server', part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(root, 'packages/server/node_modules'), join(copy, 'node_modules'))
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(copy, 'src/parking', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  edit('src/declarations.ts', [
    [/^import \{ pipelineDeclarations/m, "import { parkingDeclarations } from './parking/declarations.js'\n$&"],
    [/^\] as const$/m, '  parkingDeclarations,\n$&'],
  ])
  edit('src/domains.ts', [
    [/^import \{ pipeline \}/m, "import { parking } from './parking/index.js'\n$&"],
    [/^ {2}pipeline,$/m, '  parking,\n$&'],
  ])
  execFileSync(tsx, ['scripts/write-schema.ts'], { cwd: copy })
})

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(copy, { recursive: true, force: true })
})

function edit(name: string, changes: readonly (readonly [RegExp, string])[]): void {
  const file = join(copy, name)
  let text = readFileSync(file, 'utf8')
  for (const [place, by] of changes) {
    expect(text, `${name} has ${place}`).toMatch(place)
    text = text.replace(place, by)
  }
  writeFileSync(file, text)
}

/** @returns the address of the API and the token of the demo's owner. */
async function start(env: Record<string, string>): Promise<{ api: string; token: string }> {
  const port = await freePort()
  const data = mkdtempSync(join(copy, 'data-'))
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: copy,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: data,
      SHUTDOWN_DELAY_MS: '0',
      // Another test covers the demo's history of a month.
      PLUMBLINE_DEMO_HISTORY: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  // A start can take minutes on a busy machine, so this waits as long as the process lives. The timeout of the test
  // ends it.
  onTestFailed(() => console.error(said))
  while (!/"?ready"?/.test(said) || !/plp_\w+/.test(said)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server did not start:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { api: `http://127.0.0.1:${port}/api`, token: /plp_[\w-]+/.exec(said)?.[0] ?? '' }
}

async function answersWithTheDomain(env: Record<string, string>): Promise<void> {
  const { api, token } = await start({ ...env, PARKING_RATE_MAX: '2' })
  const call = async (path: string, headers = {}) => {
    const response = await fetch(`${api}${path}`, { headers })
    return { status: response.status, body: await response.json() }
  }
  const as = { authorization: `Bearer ${token}` }
  expect(await call('/parking/places', as)).toMatchObject({ status: 200, body: { data: { places: [] } } })
  expect((await call('/parking/places')).status).toBe(401)
  expect((await call('/parking/places', as)).status).toBe(200)
  // The domain has its own rate limit setting.
  expect((await call('/parking/places', as)).status).toBe(429)
  expect((await call('/openapi.json')).body.paths).toHaveProperty('/parking/places')
}

it('has every snippet of the page as code', () => {
  const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
  const written = Object.values(FILES).map(flat).join('\n')
  const snippets = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => flat(text))
  expect(snippets.length).toBeGreaterThan(1)
  for (const snippet of snippets) expect(written).toContain(snippet)
})

it(
  'a server with the domain starts on SQLite, and answers',
  async () => {
    await answersWithTheDomain({})
  },
  START_MS_MAX,
)

it(
  'and on PostgreSQL',
  async ({ skip }) => {
    const admin = new pg.Client({ connectionString: postgresUrl })
    try {
      await admin.connect()
    } catch (error) {
      if (process.env.PLUMBLINE_REQUIRE_SERVICES === '1') throw error
      return skip('no PostgreSQL answers: set PLUMBLINE_TEST_POSTGRES_URL')
    }
    const name = `plumbline_parking_${randomUUID().replaceAll('-', '')}`
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(postgresUrl)
    url.pathname = `/${name}`
    try {
      await answersWithTheDomain({ DATABASE_URL: url.href })
    } finally {
      for (const child of started) child.kill('SIGKILL')
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    }
  },
  START_MS_MAX,
)
