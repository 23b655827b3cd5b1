/**
 * The process under test: the whole app on one SQLite file with its workers, as `plumbline serve` runs it. It begins a scan
 * whenever none is under way, until it is killed. Its clock is ahead by the seconds of the second argument, so that the lease of
 * the process before it is over.
 *
 * Arguments: `FOLDER AHEAD run|finish|bury`. It prints `started`, and `moving` when a scan has gone on in it. `finish` begins no
 * scan and ends when nothing of them is left to do; `bury` ends when none is open.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { createApp } from '../../src/app.js'
import { SCAN_JOB } from '../../src/compliance/scan/open.js'
import { complianceTables } from '../../src/compliance/tables.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { pipelineTables } from '../../src/pipeline/tables.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { createLog } from '../../src/runtime/log/log.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { testSettings } from '../../test/support/settings.js'

const RECORDS = 1500
const OPEN = ['pending', 'running']
const PASSWORD = 'Correct-Horse-7'

const [folder = '', ahead = '0', mode = 'run'] = process.argv.slice(2)
const store = await openSqliteStore(join(folder, 'plumbline.db'))
const clock = { now: () => Date.now() + Number(ahead) * 1000 }
const settings = testSettings({ DATA_DIR: folder, AUTH_LIMITER_MAX: '0', LIMITER_MAX: '0' })
const app = createApp({ store, settings, log: createLog({ level: 'fatal' }), clock, print: () => {} })
const { runtime } = app
await prepareFirstStart(runtime)

async function call(
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<{ status: number; data: Record<string, never> }> {
  const response = await app.http.fetch(
    new Request(`http://plumbline.test/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const answer = (await response.json()) as { data: Record<string, never> }
  return { status: response.status, data: answer.data }
}

const person = { username: 'kim', email: 'kim@plumbline.test', password: PASSWORD }
const { status } = await call('POST', '/auth/register', person)
const { accessToken } = (await call('POST', '/auth/login', { identifier: person.email, password: PASSWORD })).data
if (status === 201) await seed()

async function seed(): Promise<void> {
  const rule = { name: 'odd', target: 'pipeline', field: 'keywords', operator: 'notContains', value: 'odd' }
  await call('POST', '/compliance/rules', rule, accessToken)
  await call('POST', '/compliance/scan-schedules', { target: 'plugin', cronExpression: '* * * * *' }, accessToken)
  const step = { plugin: { name: 'node-build', version: '1.0.0' } }
  const props = {
    synth: { source: { type: 'github', options: { repo: 'a/b', branch: 'main' } }, ...step },
    stages: [{ stageName: 'Build', steps: [step] }],
  }
  const made = await call('POST', '/pipelines', { project: 'first', organization: 'acme', props }, accessToken)
  if (made.status !== 201) throw new Error(JSON.stringify(made))
  const { pipelines: t } = pipelineTables(store)
  const [first] = await store.system.read((db) => db.select().from(t))
  if (first === undefined) throw new Error('no pipeline')
  await store.system.write(async (tx) => {
    for (let n = 1; n < RECORDS; n++) {
      const name = `p-${n}`
      const keywords = [n % 3 === 0 ? 'odd' : 'even']
      await tx.insert(t).values({
        ...first,
        id: runtime.ids.next(),
        project: name,
        projectKey: `p_${n}`,
        pipelineName: name,
        nameKey: name,
        keywords,
        defaultKey: null,
      })
    }
  })
}

const openScans = () =>
  store.system.read((db) => {
    const { scans: t } = complianceTables(db)
    return db
      .select({ id: t.id, processed: t.processedEntities })
      .from(t)
      .where(mode === 'run' ? eq(t.pipelineSlot, 'open') : inArray(t.status, OPEN))
  })

/** Work that this process will still get to. */
const scanJobs = () =>
  store.system.read((db) => {
    const { jobs } = jobTables(db)
    return db.$count(jobs, and(eq(jobs.kind, SCAN_JOB), inArray(jobs.state, ['waiting', 'running'])))
  })

app.start()
process.stdout.write('started\n')
let isMoving = false
const before = new Map((await openScans()).map(({ id, processed }) => [id, processed]))
for (;;) {
  const open = await openScans()
  if (mode === 'finish' && (await scanJobs()) === 0) process.exit(0)
  if (mode === 'bury' && open.length === 0) process.exit(0)
  if (mode === 'run' && open.length === 0) await call('POST', '/compliance/scans', { target: 'pipeline' }, accessToken)
  if (!isMoving && open.some(({ id, processed }) => processed > (before.get(id) ?? 0))) {
    isMoving = true
    process.stdout.write('moving\n')
  }
  await sleep(5)
}
