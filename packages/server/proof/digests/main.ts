/**
 * `npm run proof -- server-digests [--cycles 40] [--engine sqlite] [--seed 1]`: a server that tells organizations of blocked checks,
 * at once and in digests, to a receiver in a process of its own, is killed at random moments, again and again on one database;
 * on PostgreSQL there are two, which are killed one after the other. After each kill, and when everything is over: each event was
 * told by itself or in one digest, no id of a delivery came with two contents, each request has its row in the log.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApp } from '../../src/app.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { createLog } from '../../src/runtime/log/log.js'
import type { Store } from '../../src/runtime/store/db.js'
import { postgresStore } from '../../test/support/stores.js'
import { bundle } from '../bundle.js'
import { createRandom } from '../world/random.js'
import { isDigest, readTold, type Told, wrongInTheEnd, wrongNow } from './inspect.js'
import type { Received } from './receiver.js'
import { CHECKS_OF_EACH, openWorld, PASSWORD, PEOPLE, proofSettings, SECRET } from './world.js'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '40' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const { engine } = values
const [cycles, seed] = [Number(values.cycles), Number(values.seed)]
if (![cycles, seed].every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error('--cycles and --seed must be whole numbers from 1')
  process.exit(2)
}
if (!['sqlite', 'postgres'].includes(engine)) {
  console.error('--engine must be sqlite or postgres: only what outlives its process can be looked at')
  process.exit(2)
}

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
/** How far the clock is ahead between two processes, beyond the lease of a job: a lease, a wait, a window. */
const JUMPS_S = [MINUTE_S + 1, 6 * MINUTE_S, 3 * HOUR_S, 7 * HOUR_S, 25 * HOUR_S, 25 * HOUR_S, 8 * DAY_S]
const FINISHES_MAX = 10
const SAYS_MS_MAX = 15_000
const REPLICAS = engine === 'postgres' ? 2 : 1

const random = createRandom(seed)
const folder = mkdtempSync(join(tmpdir(), 'plumbline-digests-'))
const file = join(folder, 'plumbline.db')
const server = engine === 'postgres' ? await postgresStore() : null
const place = server?.url ?? file
const store: Store = server ?? (await openWorld(engine, file))
const worker = await bundle('proof/digests/worker.ts')
const receiverFile = await bundle('proof/digests/receiver.ts')
const received: Received[] = []
let tellArrival: () => void = () => undefined
const receiver = spawn(process.execPath, [receiverFile.file, SECRET, String(seed)], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const receiverGone = new Promise<void>((resolve) => receiver.on('close', () => resolve()))
const address = await new Promise<string>((resolve) => {
  createInterface({ input: receiver.stdout }).on('line', (line) => {
    if (line.startsWith('http')) return resolve(line)
    received.push(JSON.parse(line) as Received)
    tellArrival()
  })
})

const failures: string[] = []
let aheadS = 0
let told: Told
try {
  await seedWorld()
  for (let cycle = 0; cycle < cycles && failures.length === 0; cycle++) {
    aheadS += random.pick(JUMPS_S)
    await runAndKill(cycle)
    failures.push(...wrongNow(await readTold(store), received).map((each) => `cycle ${cycle}: ${each}`))
  }
  receiver.stdin.write('calm\n')
  for (let left = FINISHES_MAX; left > 0; left--) {
    aheadS += 8 * DAY_S
    const { gone } = await start('finish')
    await gone
    const { deliveries } = await readTold(store)
    const open = deliveries.filter(({ state }) => state === 'pending' || state === 'retrying')
    // A digest that was due and did not go out will not go out next time.
    if (open.every(({ channel }) => channel === 'digest')) break
  }
} finally {
  receiver.stdin.end()
  await receiverGone
  told = await readTold(store)
  worker.clean()
  receiverFile.clean()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
failures.push(...wrongInTheEnd(told, received).map((each) => `in the end: ${each}`))

const digests = told.notifications.filter(isDigest)
const cutOff = told.attempts.filter(({ error }) => error?.includes('interrupted') === true)
const again = received.length - new Set(received.map(({ deliveryId }) => deliveryId)).size
const webhooks = told.deliveries.filter(({ channel }) => channel === 'webhook')
const failed = webhooks.filter(({ state }) => state === 'failed')
const inDigests = told.deliveries.filter(({ channel }) => channel === 'digest')
if (digests.length === 0 || cutOff.length === 0 || again === 0) {
  failures.push('no digest went out, or no attempt was cut off or made again: nothing was shown')
}
console.log(
  `${failures.length === 0 ? 'pass' : 'FAIL'}  notifications under kill -9 on ${engine}: ${cycles} cycles, ${told.blocked.length} blocked checks, ${inDigests.length} of them in ${digests.length} digests, ` +
    `${webhooks.length} webhook deliveries in ${received.length} requests, ${cutOff.length} attempts cut off, ${failed.length} deliveries failed and say so`,
)
for (const failure of failures.slice(0, 10)) console.log(`      ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)

async function seedWorld(): Promise<void> {
  const log = createLog({ level: 'error', destination: { write: (line: string) => void process.stderr.write(line) } })
  const app = createApp({ store, settings: proofSettings(folder, address), log, print: () => {} })
  await prepareFirstStart(app.runtime)
  const send = async (
    method: string,
    path: string,
    body: object,
    headers: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  ): Promise<any> => {
    const response = await app.http.fetch(
      new Request(`http://plumbline.test/api${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    )
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: unknown }).data
  }
  const rule = { name: 'no latest', target: 'plugin', field: 'version', operator: 'neq', value: 'latest' }
  for (const [username, digestMode] of Object.entries(PEOPLE)) {
    const email = `${username}@plumbline.test`
    await send('POST', '/auth/register', { username, email, password: PASSWORD, organizationName: `${username} org` })
    const { accessToken } = await send('POST', '/auth/login', { identifier: username, password: PASSWORD })
    const as = { authorization: `Bearer ${accessToken}` }
    await send('POST', '/compliance/rules', rule, as)
    const preference = { digestMode, webhookUrl: `${address}/${username}`, webhookSecret: SECRET }
    await send('PUT', '/compliance/notification-preferences', preference, as)
  }
  await app.close()
}

interface Started {
  readonly child: ChildProcess
  readonly gone: Promise<void>
  /** When it has had checked what it has to. */
  readonly checked: Promise<void>
}

/** @returns when it works. */
async function start(mode: 'run' | 'finish'): Promise<Started> {
  const args = [worker.file, engine, place, folder, String(aheadS), address, mode]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve, reject) =>
    child.on('exit', (code, signal) =>
      signal === 'SIGKILL' || code === 0 ? resolve() : reject(new Error(`the worker ended with ${code}`)),
    ),
  )
  // Told where it is waited for.
  gone.catch(() => undefined)
  let lines = 0
  const saying = (count: number) =>
    new Promise<void>((resolve) => {
      child.stdout.on('data', () => {
        if (lines >= count) resolve()
      })
    })
  child.stdout.on('data', (bytes: Buffer) => {
    lines += bytes.toString().split('\n').length - 1
  })
  const checked = saying(1 + Object.keys(PEOPLE).length * CHECKS_OF_EACH)
  await Promise.race([saying(1), gone])
  return { child, gone, checked }
}

/** A third dies soon after its start, a third while a request is with the receiver, a third about when digests have been looked for. */
async function runAndKill(cycle: number): Promise<void> {
  const arrival = new Promise<void>((resolve) => {
    tellArrival = resolve
  })
  const running = await Promise.all(Array.from({ length: REPLICAS }, () => start('run')))
  const runMs = random.next()
  if (cycle % 3 === 0) await sleep(runMs * 400)
  else if (cycle % 3 === 1) {
    await Promise.race([arrival, sleep(SAYS_MS_MAX)])
    await sleep(runMs * 60)
  } else {
    await Promise.race([...running.map(({ checked }) => checked), sleep(SAYS_MS_MAX)])
    await sleep(runMs * 900)
  }
  for (const [at, { child, gone }] of running.entries()) {
    if (at > 0) await sleep(random.next() * 300)
    child.kill('SIGKILL')
    await gone
  }
}
