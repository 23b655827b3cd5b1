/**
 * The processes that the benchmark of reports loads. `echo`: bare Hono. `server FOLDER`: the whole app on SQLite, with a pipeline that is
 * registered, a forwarder and a source of GitHub. Each prints one line of JSON when it is ready, and its counts for each line that it reads.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp } from '../../src/app.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { reportingTables } from '../../src/reporting/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createLog } from '../../src/runtime/log/log.js'
import { loadSettings } from '../../src/runtime/settings/load.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { forwarder } from '../../test/support/reports.js'

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
const onLine = (answer: () => Promise<object>) =>
  createInterface({ input: process.stdin }).on('line', () => void answer().then(say))
const counts = () => ({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() })

const key = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index * 7) & 255)).toString('base64')

const settingsOf = (folder: string) =>
  loadSettings([
    {
      origin: 'bench',
      values: {
        NODE_ENV: 'test',
        DATA_DIR: folder,
        PUBLIC_URL: 'http://127.0.0.1',
        PASSWORD_HASH_COST: '4',
        LIMITER_MAX: '10000000',
        AUTH_LIMITER_MAX: '10000000',
        REPORT_INGEST_RATE_MAX: '10000000',
        BILLING_ENABLED: 'false',
        JWT_KEYS: `k1:${key(1)}`,
        SECRET_ENCRYPTION_KEYS: `s1:${key(2)}`,
        AUDIT_CHECKPOINT_KEY: key(3),
      },
    },
  ])

async function startServer(folder: string): Promise<void> {
  const loaded = settingsOf(folder)
  if (!loaded.ok) throw new Error(loaded.issues.map(({ message }) => message).join('\n'))
  const store = await openSqliteStore(join(folder, 'plumbline.db'), { checkpointsBeside: true })
  // As in production: answers are not compared with their schemas.
  const settings = { ...loaded.settings, NODE_ENV: 'production' as const }
  const app = createApp({ store, settings, log: createLog({ level: 'error' }), clock: systemClock, print: () => {} })
  await prepareFirstStart(app.runtime)
  app.start()

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
  const call = async (path: string, body: unknown, token?: string): Promise<any> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await app.http.fetch(
      new Request(`http://127.0.0.1/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify(body),
      }),
    )
    const answer = (await response.json()) as { readonly data: unknown }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }
  const person = { username: 'bench', email: 'bench@plumbline.test', password: 'Correct-Horse-7' }
  const { organization } = await call('/auth/register', person)
  const { accessToken } = await call('/auth/login', { identifier: person.email, password: person.password })
  const source = { type: 'github', options: { repo: 'acme/shop', branch: 'main' } }
  const plugin = { name: 'node-build', version: '1.0.0' }
  const { pipeline } = await call(
    '/pipelines',
    { project: 'shop', organization: 'acme', props: { synth: { source, plugin } } },
    accessToken,
  )
  await call('/pipelines/registry', { pipelineId: pipeline.id, pipelineName: 'shop' }, accessToken)
  const github = await call(
    '/reports/sources',
    { name: 'github', format: 'github', mapping: { '*': pipeline.id } },
    accessToken,
  )
  const machine = await forwarder(
    {
      runtime: app.runtime,
      clock: systemClock,
      call: async (_: string, path: string, { body }: { body: unknown }) => ({
        status: 200,
        data: await call(path, body),
      }),
    } as never,
    organization.id,
  )
  serve({ fetch: app.http.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
    say({ port, machine, pipelineId: pipeline.id, path: new URL(github.source.url).pathname, secret: github.secret }),
  )
  onLine(async () => ({
    ...counts(),
    events: await store.system.read((db) => db.$count(reportingTables(db).reportEvents)),
  }))
}

function startEcho(): void {
  const app = new Hono()
  app.post('/echo', async (c) => c.json(await c.req.json()))
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => say({ port }))
  onLine(async () => counts())
}

const [mode, where = ''] = process.argv.slice(2)
if (mode === 'echo') startEcho()
else await startServer(where)
