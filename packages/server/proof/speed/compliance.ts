/**
 * The processes that the benchmark of compliance loads. `echo`: bare Hono. `server FOLDER`: the whole app on SQLite, workers and
 * all. Each prints one line of JSON when it is ready, and one for each line that it reads: a task as JSON, or an empty line
 * for its counts.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import type { JsonValue } from '@plumbline/engine'
import { and, eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { type App, createApp } from '../../src/app.js'
import { createRuleSets } from '../../src/compliance/rule-set/cache.js'
import { loadRules } from '../../src/compliance/rule-set/load.js'
import { complianceOf } from '../../src/compliance/services.js'
import { complianceTables, type RuleRow } from '../../src/compliance/tables.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { pipelineTables } from '../../src/pipeline/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { createLog } from '../../src/runtime/log/log.js'
import type { Settings } from '../../src/runtime/settings/load.js'
import { loadSettings } from '../../src/runtime/settings/load.js'
import type { Store } from '../../src/runtime/store/db.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
const counts = () => ({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() })
const onTask = (run: (task: Record<string, never>) => Promise<unknown>) =>
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === '') say(counts())
    else
      run(JSON.parse(line)).then(say, (error: unknown) => {
        console.error(error)
        process.exit(1)
      })
  })

const key = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index * 7) & 255)).toString('base64')

const PROPS = {
  synth: {
    source: { type: 'github', options: { repo: 'acme/shop', branch: 'main' } },
    plugin: { name: 'node-build', version: '1.0.0' },
  },
  stages: ['Build', 'Test', 'Deploy'].map((stageName) => ({
    stageName,
    steps: [{ plugin: { name: `node-${stageName.toLowerCase()}`, version: '1.0.0' } }],
  })),
}

/** Rules of the usual kinds; every fifth record violates every tenth one. Ten kinds of checks, taken in turn; `value` is absent where the operator takes none. */
const checkOf = (n: number): { field: string; operator: string; value?: JsonValue } => {
  const checks = [
    { field: 'project', operator: 'regex', value: '^[a-z][a-z0-9-]{2,63}$' },
    { field: '$count(stages)', operator: 'countGt', value: 0 },
    { field: 'props.synth.plugin.version', operator: 'neq', value: 'latest' },
    { field: 'accessModifier', operator: 'in', value: ['private', 'public'] },
    { field: 'description', operator: 'lengthLt', value: 2000 },
    { field: 'props.synth.source.options.branch', operator: 'eq', value: 'main' },
    { field: 'keywords', operator: 'notContains', value: `forbidden-${n}` },
    { field: 'pipelineName', operator: 'exists' },
    { field: 'props.stages.0.steps.0.plugin.name', operator: 'contains', value: 'node' },
  ]
  return checks[n % 10] ?? { field: 'keywords', operator: 'notContains', value: 'odd' }
}

const ruleOf = (n: number, target = 'pipeline') => ({
  name: `rule ${n}`,
  target,
  severity: n % 20 === 19 ? 'error' : 'warning',
  priority: n,
  ...checkOf(n),
})

/** The server under load: its app, and the first person's token and organization. */
interface Target {
  readonly app: App
  readonly store: Store
  readonly accessToken: string
  readonly orgId: string
}

function benchSettings(folder: string): Settings {
  const loaded = loadSettings([
    {
      origin: 'bench',
      values: {
        NODE_ENV: 'test',
        DATA_DIR: folder,
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
  // As in production: answers are not compared with their schemas.
  return { ...loaded.settings, NODE_ENV: 'production' as const }
}

async function call({ http }: App, path: string, body: unknown, token?: string) {
  const response = await http.fetch(
    new Request(`http://127.0.0.1/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    }),
  )
  const answer = (await response.json()) as { data: unknown }
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer.data as { accessToken: string; organization: { id: string } }
}
async function openTarget(folder: string): Promise<Target> {
  const store = await openSqliteStore(join(folder, 'plumbline.db'), { checkpointsBeside: true })
  const app = createApp({
    store,
    settings: benchSettings(folder),
    log: createLog({ level: 'error' }),
    clock: systemClock,
    print: () => {},
  })
  await prepareFirstStart(app.runtime)
  app.start()
  const person = { username: 'bench', email: 'bench@plumbline.test', password: 'Correct-Horse-7' }
  const { organization } = await call(app, '/auth/register', person)
  const { accessToken } = await call(app, '/auth/login', { identifier: person.email, password: person.password })
  return { app, store, accessToken, orgId: organization.id }
}

const write = <T>(store: Store, run: Parameters<Store['system']['write']>[0]) =>
  store.system.write<T>(run as never, 'bench')

/** Copies of one pipeline, some of them with a keyword that a rule forbids. */
async function entities({ app, store, orgId, accessToken }: Target, { count }: { count: number }): Promise<void> {
  await call(app, '/pipelines', { project: 'first', organization: 'acme', props: PROPS }, accessToken)
  const { pipelines: t } = pipelineTables(store)
  const [first] = await store.system.read((db) => db.select().from(t).where(eq(t.orgId, orgId)))
  if (first === undefined) throw new Error('no pipeline')
  for (let at = 1; at < count; at += 200) {
    await write(store, async (tx) => {
      const rows = Array.from({ length: Math.min(200, count - at) }, (_, n) => {
        const name = `project-${at + n}`
        return {
          ...first,
          id: app.runtime.ids.next(),
          project: name,
          projectKey: `project_${at + n}`,
          pipelineName: name,
          nameKey: name,
          keywords: ['shop', (at + n) % 5 === 0 ? 'odd' : 'even'],
          defaultKey: null,
        }
      })
      for (const row of rows) await tx.insert(t).values(row)
    })
  }
}

async function rules(
  { app, store, accessToken }: Target,
  { count, target }: { count: number; target: string },
): Promise<void> {
  for (let n = 0; n < count; n++) await call(app, '/compliance/rules', ruleOf(n, target), accessToken)
  // The scan that follows a changed rule would stand in the way of the one that is measured.
  const { jobs } = jobTables(store)
  await write(store, (tx) => tx.delete(jobs).where(eq(jobs.kind, 'compliance.rescan')))
}

async function copies(store: Store, rows: readonly RuleRow[]): Promise<void> {
  const { rules: t } = complianceTables(store)
  for (let at = 0; at < rows.length; at += 500) {
    await write(store, async (tx) => {
      for (const row of rows.slice(at, at + 500)) await tx.insert(t).values(row)
    })
  }
}

async function firstRule({ store, orgId }: Target) {
  const { rules: t } = complianceTables(store)
  const [row] = await store.system.read((db) =>
    db
      .select()
      .from(t)
      .where(and(eq(t.orgId, orgId), eq(t.name, 'rule 0'))),
  )
  if (row === undefined) throw new Error('no rule')
  return row
}

async function published(target: Target, { count }: { count: number }): Promise<void> {
  const row = await firstRule(target)
  const made = Array.from({ length: count }, (_, n): RuleRow => {
    const name = `published ${String(n).padStart(6, '0')}`
    return {
      ...row,
      id: target.app.runtime.ids.next(),
      orgId: SYSTEM_ORG_ID,
      scope: 'published',
      name,
      nameKey: name,
      liveName: name,
      priority: n % 100,
    }
  })
  await copies(target.store, made)
}

interface RuleSetTask {
  readonly stored: number
  readonly held: number
  readonly rules: number
}

const heldBy = (id: string) => ({ orgId: id, parentOrgId: null })

/** The memory that compiled sets take, and the time that it takes to load one that is not in memory. */
async function ruleSets(target: Target, { stored, held, rules: each }: RuleSetTask) {
  const { runtime } = target.app
  const row = await firstRule(target)
  const orgs = Array.from({ length: stored }, () => runtime.ids.next())
  for (const id of orgs) {
    await copies(
      target.store,
      Array.from({ length: each }, (_, n): RuleRow => {
        const name = `rule ${n}`
        const check = { ...checkOf(n), conditions: null, conditionMode: 'all' }
        return { ...row, id: runtime.ids.next(), orgId: id, name, nameKey: name, liveName: name, check }
      }),
    )
  }
  return {
    ...(await measureMisses(target, orgs)),
    heapBytes: await measureHeap(target.store, orgs, held),
    keptRules: Math.min(50_000, held * each),
  }
}

async function measureMisses({ app, store }: Target, orgs: readonly string[]) {
  const misses: number[] = []
  const cpuBefore = process.cpuUsage()
  const sets = complianceOf(app).ruleSets
  for (const id of orgs) {
    const startedMs = performance.now()
    await store.system.read((db) => sets.get(db, heldBy(id), 'pipeline'))
    misses.push(performance.now() - startedMs)
  }
  const cpu = process.cpuUsage(cpuBefore)
  misses.sort((a, b) => a - b)
  return {
    missCpu: (cpu.user + cpu.system) / 1000 / orgs.length,
    missP50: misses[misses.length >> 1],
    missP99: misses[Math.floor(misses.length * 0.99)],
  }
}

async function measureHeap(store: Store, orgs: readonly string[], held: number): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})
  let turn = 0
  const cache = createRuleSets({
    clock: systemClock,
    ttlMs: 3_600_000,
    rulesMax: 50_000,
    regexLengthMax: 100,
    load: (db, _held, target) => loadRules(db, heldBy(orgs[turn++ % orgs.length] ?? ''), target),
  })
  collect()
  const before = process.memoryUsage()
  for (let n = 0; n < held; n++) await store.system.read((db) => cache.get(db, heldBy(`org-${n}`), 'pipeline'))
  collect()
  const after = process.memoryUsage()
  return after.heapUsed + after.external - before.heapUsed - before.external
}

async function startServer(folder: string): Promise<void> {
  const target = await openTarget(folder)
  const { accessToken, orgId } = target
  serve({ fetch: target.app.http.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
    say({ port, accessToken, orgId }),
  )
  onTask(async (task) => {
    const { name, ...of } = task as unknown as { name: string }
    const tasks: Record<string, unknown> = { entities, rules, published, ruleSets }
    const run = tasks[name] as ((target: Target, of: never) => Promise<unknown>) | undefined
    if (run === undefined) throw new Error(`no task ${name}`)
    return (await run(target, of as never)) ?? { done: name }
  })
}

function startEcho(): void {
  const app = new Hono()
  app.post('/echo', async (c) => c.json(await c.req.json()))
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => say({ port }))
  onTask(async () => ({}))
}

const [mode, where = ''] = process.argv.slice(2)
if (mode === 'echo') startEcho()
else await startServer(where)
