/**
 * The processes that the benchmark loads. `echo`: bare Hono, the limit. `server WHERE`: the HTTP floor with everything
 * on: token, session, authority, limits, validation, store, evidence, sequencer, metrics, log, on a folder for SQLite or the URL of an
 * empty PostgreSQL database. `replica URL`: another of these beside it. Each prints one line of JSON when it is ready, and
 * one with its counts for each line that it reads.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { and, eq, type Placeholder } from 'drizzle-orm'
import { Hono } from 'hono'
import Type from 'typebox'
import { auditSequencer } from '../../src/audit/chain/start-sequencer.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { createRole, nameTaken } from '../../src/identity/role/create.js'
import { RoleName, RolePermissions, RoleRecord, roleRecord } from '../../src/identity/role/record.js'
import { identityOf } from '../../src/identity/services.js'
import { SIGN_IN_OPERATIONS } from '../../src/identity/sign-in-operations.js'
import { identityTables } from '../../src/identity/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { notFound } from '../../src/runtime/errors.js'
import { createHttp } from '../../src/runtime/http/mount.js'
import { observe } from '../../src/runtime/http/observe.js'
import { createLimiter, memoryRateStore } from '../../src/runtime/http/rate-limit.js'
import { createIds } from '../../src/runtime/ids.js'
import { createLog } from '../../src/runtime/log/log.js'
import { createMetrics } from '../../src/runtime/metrics/metrics.js'
import { permission } from '../../src/runtime/operation/access.js'
import { bucketsOf, tierFactors } from '../../src/runtime/operation/buckets.js'
import { changed, type Runtime, tenantId } from '../../src/runtime/operation/context.js'
import { nameKey } from '../../src/runtime/operation/name.js'
import { command, fromPath, type Operation, query } from '../../src/runtime/operation/operation.js'
import { strictObject } from '../../src/runtime/operation/schema.js'
import { loadSettings, type Settings } from '../../src/runtime/settings/load.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { insertNew, prepared } from '../../src/runtime/store/prepared.js'

const startedMs = performance.now()

const roleById = prepared((db, value: (name: 'orgId' | 'id') => Placeholder) => {
  const { roles } = identityTables(db)
  return db
    .select()
    .from(roles)
    .where(and(eq(roles.orgId, value('orgId')), eq(roles.id, value('id'))))
})

/** One row by its id, with the fields of a Role: about 600 bytes on the wire with its headers. */
const readRole = query({
  name: 'bench.role.get',
  summary: 'Read one Role',
  http: { method: 'get', path: '/bench/:id/roles/:roleId' },
  access: permission('members:manage'),
  tenant: fromPath('id'),
  input: { path: Type.Object({ id: Type.String(), roleId: Type.String() }) },
  output: strictObject({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    permissions: Type.Array(Type.String()),
    revision: Type.Integer(),
  }),
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const [row] = await roleById(context.db, { orgId: tenantId(context), id: path.roleId })
    if (row === undefined) throw notFound('Role')
    const { id, name, description, permissions, revision } = row
    return { id, name, description, permissions, revision }
  },
})

/**
 * One row with its evidence. The server's own `POST /organization/:id/roles` also counts the Roles of the organization
 * under its lock, and takes 200 of them.
 */
const writeRole = command({
  name: 'bench.role.create',
  summary: 'Create a Role, of any number',
  http: { method: 'post', path: '/bench/:id/roles', status: 201 },
  access: permission('roles:manage'),
  tenant: fromPath('id'),
  audit: ['org.role.create'],
  idempotent: true,
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({ name: RoleName, description: Type.String(), permissions: RolePermissions }),
  },
  output: strictObject({ role: RoleRecord }),
  errors: ['DUPLICATE_ENTRY'],
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const { roles } = identityTables(tx)
    const row = {
      ...body,
      id: runtime.ids.next(),
      orgId: tenantId(context),
      nameKey: nameKey(body.name),
      builtIn: false,
      grantsLevel: 'member' as const,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    if (!(await insertNew(tx, roles, row))) throw nameTaken()
    const { id, name, permissions } = row
    await context.audit('org.role.create', { targetType: 'role', targetId: id, details: { name, permissions } })
    return changed({ role: roleRecord(row, 0) })
  },
})

const key = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index * 7) & 255)).toString('base64')

function benchSettings(): Settings {
  const loaded = loadSettings([
    {
      origin: 'bench',
      values: {
        NODE_ENV: 'test',
        PUBLIC_URL: 'http://127.0.0.1',
        PASSWORD_HASH_COST: '4',
        LIMITER_MAX: '10000000',
        AUTH_LIMITER_MAX: '10000000',
        JWT_KEYS: `k1:${key(1)}`,
        SECRET_ENCRYPTION_KEYS: `s1:${key(2)}`,
        AUDIT_CHECKPOINT_KEY: key(3),
      },
    },
  ])
  if (!loaded.ok) throw new Error(loaded.issues.map(({ message }) => message).join('\n'))
  return loaded.settings
}

/** The person and the role that the load asks for. */
async function signInFirst(http: Pick<ReturnType<typeof createHttp>, 'request'>) {
  const call = async (path: string, body: unknown, token?: string) => {
    const response = await http.request(`/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { data: Record<string, unknown> }
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer.data as { accessToken: string; organization: { id: string }; role: { id: string } }
  }
  const person = { username: 'bench', email: 'bench@plumbline.test', password: 'Correct-Horse-7' }
  const { organization } = await call('/auth/register', person)
  const { accessToken } = await call('/auth/login', { identifier: person.email, password: person.password })
  const role = { name: 'First', description: 'x'.repeat(200), permissions: ['pipelines:read'] }
  const first = await call(`/organization/${organization.id}/roles`, role, accessToken)
  return { accessToken, orgId: organization.id, roleId: first.role.id }
}

async function startServer(where: string, isFirst: boolean): Promise<void> {
  const settings = benchSettings()
  const clock = systemClock
  const sqlite = /^postgres/.test(where)
    ? null
    : await openSqliteStore(join(where, 'plumbline.db'), { checkpointsBeside: true })
  const store = sqlite ?? (await openPostgresStore({ url: where, connectionsMax: 8 }))
  const limiter = createLimiter({
    clock,
    store: memoryRateStore(),
    buckets: bucketsOf(settings),
    tierFactors: tierFactors(settings),
  })
  const metrics = createMetrics()
  const runtime: Runtime = { clock, ids: createIds(clock), store, settings, domains: [], limiter, metrics }
  const identity = identityOf({ runtime })
  if (isFirst) await prepareFirstStart(runtime)
  const onError = (error: unknown) => console.error(error)
  const sequencer = auditSequencer({ store, clock, metrics, onError })
  // As the server does it: sealed at once after a commit, and not in one heap each second.
  Object.assign(runtime, { onEvidence: () => sequencer.wake() })
  sequencer.start()
  const operations: readonly Operation[] = [...SIGN_IN_OPERATIONS, createRole, readRole, writeRole]
  const http = createHttp({
    runtime,
    operations,
    authenticator: identity.authenticator,
    basePath: '/api',
    onError,
    checkResponses: false,
  })
  const known = isFirst ? await signInFirst(http) : {}
  const observed = observe({ http, metrics, log: createLog({ level: 'info' }), clock })
  const fetch = (request: Request, env: object) => observed.fetch(request, env)
  serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    say({ port, ...known, readyMs: performance.now() - startedMs })
  })
  onLine(() => say({ ...sqlite?.commits, rss: process.memoryUsage().rss, cpu: process.cpuUsage() }))
}

function startEcho(): void {
  const app = new Hono()
  const row = { success: true, statusCode: 200, data: { id: 'x'.repeat(36), description: 'x'.repeat(480) } }
  app.get('/echo', (c) => c.json(row))
  app.post('/echo', async (c) => c.json(await c.req.json(), 201))
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => say({ port }))
  onLine(() => say({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() }))
}

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
const onLine = (answer: () => void) => void createInterface({ input: process.stdin }).on('line', answer)

const [mode, where = ''] = process.argv.slice(2)
process.on('SIGINT', () => process.exit(0))
if (mode === 'echo') startEcho()
else await startServer(where, mode === 'server')
