/**
 * `npx tsx packages/server/proof/speed/build-logs.ts [ROUNDS]`: 100 builds whose logs grow by 64 KiB a second each, and a
 * person who follows each of them, beside other requests. One server process on SQLite; what builders send and followers
 * read is a process of its own, and so is the load. Prints the p99 of the requests without and with the logs.
 */
import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { createHostServicePrincipal } from '../../src/identity/index.js'
import { SIGN_IN_OPERATIONS } from '../../src/identity/sign-in-operations.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { pluginOperations } from '../../src/plugin/operations.js'
import { newTokenKey } from '../../src/registry/index.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createHttp } from '../../src/runtime/http/mount.js'
import { pluginApp, uploaded } from '../../test/support/plugins.js'
import { signUp } from '../../test/support/sign-in.js'
import { sqliteStore } from '../../test/support/stores.js'

const SELF = fileURLToPath(import.meta.url)
const LOAD = fileURLToPath(new URL('../../../../bench/src/server/load.mjs', import.meta.url))
const PEOPLE = 10
const BUILDS_EACH = 10
/** What a builder sends at a time. */
const PIECE_BYTES = 32_768
const EVERY_MS = 500
const CLIENTS = 4
const ASKED_MS = 6000
/** Of what was sent, the followers have read this much at the end, or they lag behind. */
const READ_SHARE_MIN = 0.9

interface Followed {
  readonly jobId: string
  readonly fence: number
  readonly orgId: string
  readonly token: string
}

interface Ready {
  readonly port: number
  readonly builder: string
  readonly token: string
  readonly builds: readonly Followed[]
}

const [role] = process.argv.slice(2)
if (role === 'target') await target()
else if (role === 'logs') await logs(await message())
else await measure(Number(role ?? 3))

async function target(): Promise<void> {
  const store = await sqliteStore()
  const app = await pluginApp(store, {
    operations: TENANT_OPERATIONS,
    settings: {
      ...{ REGISTRY_URL: 'http://127.0.0.1:1', REGISTRY_TOKEN_KEYS: newTokenKey(0) },
      PLUGIN_MAX_BUILDS_PER_ORG: String(BUILDS_EACH),
    },
  })
  app.clock.advance(systemClock.now() - app.clock.now())
  const { runtime } = app
  const { clientId, clientSecret } = await createHostServicePrincipal(
    { runtime, osUser: 'bench' },
    { name: 'builder', scopes: ['builds:work'] },
  )
  const credentials = { grant_type: 'client_credentials', clientId, clientSecret }
  const builder = (await app.call('POST', '/auth/token', { body: credentials })).data.accessToken as string
  const owners = new Map<string, Pick<Followed, 'orgId' | 'token'>>()
  let token = ''
  for (let person = 0; person < PEOPLE; person++) {
    const owner = await signUp(app, `owner${person}`)
    token = owner.accessToken
    for (let n = 0; n < BUILDS_EACH; n++) {
      const name = `p${person}-${n}`
      await uploaded(app, owner, { name, buildType: 'build_image' })
      owners.set(name, { orgId: owner.orgId, token })
    }
  }
  const builds: Followed[] = []
  for (let n = 0; n < PEOPLE * BUILDS_EACH; n++) {
    const { job } = (await app.call('POST', '/builder/claims', { as: builder, body: { name: 'b', version: '1' } })).data
    const owner = owners.get(job.pluginName)
    if (owner === undefined) throw new Error(`nobody uploaded ${job.pluginName}`)
    builds.push({ jobId: job.id, fence: job.fence, ...owner })
  }
  // As the server answers: the test's own floor holds each answer to its schema.
  const { fetch } = createHttp({
    runtime,
    operations: [...SIGN_IN_OPERATIONS, ...TENANT_OPERATIONS, ...pluginOperations],
    authenticator: app.identity.authenticator,
    basePath: '/api',
    onError: (error) => console.error(error),
    checkResponses: false,
  })
  serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    // The clock goes on.
    setInterval(() => app.clock.advance(systemClock.now() - app.clock.now()), 20).unref()
    process.stdout.write(`${JSON.stringify({ port, builder, token, builds } satisfies Ready)}\n`)
  })
}

async function message<T>(): Promise<T> {
  const [sent] = await once(process, 'message')
  return sent
}

/** Sends and follows until it is told to stop; then it says how many bytes were sent and read. */
async function logs({ port, builder, builds }: Ready): Promise<void> {
  const counted = { sent: 0, read: 0, refused: 0 }
  const line = `${'x'.repeat(127)}\n`
  const text = line.repeat(PIECE_BYTES / line.length)
  let isOver = false
  const follow = ({ jobId, orgId, token }: Followed) => {
    const headers = { authorization: `Bearer ${token}`, 'x-org-id': orgId, accept: 'text/event-stream' }
    return get({ port, host: '127.0.0.1', path: `/api/plugins/builds/${jobId}/logs`, headers }, (response) => {
      if (response.statusCode !== 200) counted.refused++
      response.on('data', (bytes: Buffer) => {
        counted.read += bytes.length
      })
    }).on('error', () => undefined)
  }
  const open: ReturnType<typeof follow>[] = []
  // Each looks once a second, and people do not begin in the same moment.
  for (const build of builds) {
    open.push(follow(build))
    await sleep(1000 / builds.length)
  }
  const post = async ({ jobId, fence }: Followed, from: number): Promise<void> => {
    const headers = {
      ...{ authorization: `Bearer ${builder}`, 'content-type': 'application/json', 'x-build-fence': String(fence) },
    }
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/api/builder/jobs/${jobId}/log`,
      headers,
    })
    sending.end(JSON.stringify({ from, text }))
    const [response] = await once(sending, 'response')
    response.resume()
    if (response.statusCode === 200) counted.sent += text.length
    else counted.refused++
  }
  const writers = builds.map(async (build, n) => {
    await sleep((n * EVERY_MS) / builds.length)
    for (let from = 0; !isOver; from += text.length) await Promise.all([post(build, from), sleep(EVERY_MS)])
  })
  process.send?.('open')
  await message()
  isOver = true
  await Promise.all(writers)
  // A follower looks once a second.
  await sleep(2500)
  for (const each of open) each.destroy()
  process.send?.(counted)
  process.disconnect()
}

async function measure(rounds: number): Promise<void> {
  const shares: number[] = []
  for (let round = 0; round < rounds; round++) shares.push(await oneRound(round))
  const [middle = Number.NaN] = shares.sort((a, b) => a - b).slice(shares.length >> 1)
  console.log(`p99 with 100 followed logs: ${middle.toFixed(2)} × alone (wanted: 2)`)
}

async function oneRound(round: number): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, SELF, 'target'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const ready = JSON.parse(line) as Ready
    const ask = () =>
      load({ port: ready.port, path: '/api/auth/me', headers: { authorization: `Bearer ${ready.token}` } })
    await ask()
    const alone = await ask()
    const writing = fork(SELF, ['logs'], { execArgv: process.execArgv })
    writing.send(ready)
    await once(writing, 'message')
    await sleep(2000)
    const beside = await ask()
    writing.send('stop')
    const [{ sent, read, refused }] = await once(writing, 'message')
    if (refused > 0 || read < sent * READ_SHARE_MIN)
      throw new Error(`${read} of ${sent} bytes were read, and ${refused} requests were refused`)
    const share = beside.p99 / alone.p99
    const MiB = 2 ** 20
    console.log(
      `round ${round}: p99 alone ${alone.p99.toFixed(1)} ms at ${alone.perSecond.toFixed(0)}/s, beside ${beside.p99.toFixed(1)} ms at ${beside.perSecond.toFixed(0)}/s; ${(sent / MiB).toFixed(0)} MiB sent, ${(read / MiB).toFixed(0)} read`,
    )
    return share
  } finally {
    child.kill('SIGKILL')
  }
}

async function load(more: object): Promise<{ readonly p99: number; readonly perSecond: number }> {
  const task = { clients: CLIENTS, ms: ASKED_MS, method: 'GET', ...more }
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, JSON.stringify(task)])
  const { statuses, ...result } = JSON.parse(stdout)
  if (Object.keys(statuses).join() !== '200') throw new Error(`it answered ${JSON.stringify(statuses)}`)
  return result
}
