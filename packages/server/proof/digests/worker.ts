/**
 * The process under test: the whole app with its workers, as `plumbline serve` runs it. It has versions of a plugin checked that are
 * blocked, so that there is something to tell, until it is killed. Its clock is ahead by the seconds of the fourth argument, so that
 * leases of the process before it, waits between attempts and windows of digests are over.
 *
 * Arguments: `ENGINE PLACE FOLDER AHEAD RECEIVER run|finish`. It prints `started`, and `checked` for each. `finish` has nothing checked, and ends when nothing
 * that is due is left.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, lte, or } from 'drizzle-orm'
import { createApp } from '../../src/app.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { WEBHOOK_JOB } from '../../src/notification/delivery/webhook.js'
import { digestJob } from '../../src/notification/digest/digest.js'
import { notificationTables } from '../../src/notification/tables.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { createLog } from '../../src/runtime/log/log.js'
import { NOTICE_JOB } from '../../src/runtime/records/notice.js'
import { NOTIFY_JOB } from '../../src/runtime/records/notification.js'
import { CHANGING, CHECKS_OF_EACH, openWorld, PASSWORD, PEOPLE, proofSettings } from './world.js'

const PAUSE_MS = 10
/** What is left then is found by who looks at the database. */
const FINISH_MS_MAX = 60_000

const [engine = '', place = '', folder = '', ahead = '0', receiver = '', mode = 'run'] = process.argv.slice(2)
const store = await openWorld(engine, place)
const clock = { now: () => Date.now() + Number(ahead) * 1000 }
const log = createLog({ level: 'fatal' })
const app = createApp({ store, settings: proofSettings(folder, receiver), log, clock, print: () => {} })
await prepareFirstStart(app.runtime)

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
async function call(method: string, path: string, body: object, token?: string): Promise<any> {
  const response = await app.http.fetch(
    new Request(`http://plumbline.test/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    }),
  )
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: unknown }).data
}

if (mode === 'finish') await finish()
else await work()

async function work(): Promise<never> {
  const tokens = new Map<string, string>()
  for (const name of Object.keys(PEOPLE)) {
    tokens.set(name, (await call('POST', '/auth/login', { identifier: name, password: PASSWORD })).accessToken)
  }
  app.start()
  process.stdout.write('started\n')
  for (let at = 0; at < CHECKS_OF_EACH; at++) {
    for (const [name, token] of tokens) {
      if (name === CHANGING && at % 4 === 1) {
        const digestMode = Math.random() < 0.5 ? 'daily' : 'immediate'
        await call('PUT', '/compliance/notification-preferences', { digestMode }, token)
      }
      const body = { attributes: { version: 'latest' }, entityName: `${name} ${at}` }
      await call('POST', '/compliance/validate/plugin', body, token)
      process.stdout.write('checked\n')
    }
    await sleep(PAUSE_MS)
  }
  for (;;) await sleep(1000)
}

async function finish(): Promise<never> {
  app.start()
  process.stdout.write('started\n')
  for (const endMs = Date.now() + FINISH_MS_MAX; Date.now() < endMs; await sleep(50)) {
    if ((await due()) === 0) break
  }
  process.exit(0)
}

/** Work that this process will still get to: jobs, and what waits for a digest. */
function due(): Promise<number> {
  return store.system.read(async (db) => {
    const { jobs } = jobTables(db)
    const { deliveries } = notificationTables(db)
    const kinds = [NOTIFY_JOB, WEBHOOK_JOB, NOTICE_JOB, digestJob.kind]
    const isOpen = or(eq(jobs.state, 'running'), and(eq(jobs.state, 'waiting'), lte(jobs.runAtMs, clock.now())))
    const parked = and(eq(deliveries.channel, 'digest'), eq(deliveries.state, 'pending'))
    return (await db.$count(jobs, and(inArray(jobs.kind, kinds), isOpen))) + (await db.$count(deliveries, parked))
  })
}
