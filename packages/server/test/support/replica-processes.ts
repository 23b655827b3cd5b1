/**
 * Several server processes, built like a release, on one PostgreSQL database and one Redis behind a load balancer.
 * The process of the test has one more app on the same database that serves no requests. Tests use it to prepare and to
 * inspect data.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundle } from '../../proof/bundle.js'
import { type App, createApp } from '../../src/app.js'
import { prepareFirstStart } from '../../src/identity/index.js'
import { identityOf } from '../../src/identity/services.js'
import { systemClock } from '../../src/runtime/clock.js'
import { silentLog } from '../../src/runtime/log/log.js'
import type { Store } from '../../src/runtime/store/db.js'
import { balancer } from './balancer.js'
import { TEST_ENVIRONMENT, testSettings } from './settings.js'
import type { CallOptions, IdentityApp } from './sign-in.js'
import { postgresStore, REDIS_URL } from './stores.js'

/** After this time every replica knows the changes of the others, even if the notice through Redis was lost. */
export const NOTICED_MS = 2000

export interface Replicas {
  /** The URL of the load balancer. */
  readonly url: string
  /** The URL of each replica. */
  readonly urls: readonly string[]
  readonly processes: readonly ChildProcess[]
  readonly store: Store
  /** Calls go through the load balancer. Everything else uses the app in this process. */
  readonly app: IdentityApp
  /** Calls one replica directly. */
  at(replica: number): Pick<IdentityApp, 'call'>
  /** What one replica logged and printed. */
  output(replica: number): string
  /** Kills one replica and starts it again without its memory. */
  restart(replica: number): Promise<void>
  stop(): Promise<void>
}

type Values = Readonly<Record<string, string>>

interface Started {
  readonly process: ChildProcess
  /** What the process logged and printed so far. */
  output(): string
  /** Resolves with its URL. @throws Error if the process ends before it is ready. */
  readonly ready: Promise<string>
}

function startProcess(file: string, values: Values, flags: readonly string[]): Started {
  const child = spawn(process.execPath, [...flags, file], {
    env: { PATH: process.env['PATH'], ...TEST_ENVIRONMENT, LOG_LEVEL: 'info', PORT: '0', ...values },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const url = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => reject(new Error(`a replica ended with ${code}: ${output}`)))
  })
  return { process: child, output: () => output, ready }
}

const sharedBy = (store: { readonly url: string }, values: Values) => ({
  DATABASE_URL: store.url,
  DATABASE_POOL_MAX: '8',
  REDIS_URL,
  REDIS_PREFIX: `test-${randomUUID()}`,
  TRUST_PROXY: '1',
  LIMITER_MAX: '0',
  AUTH_LIMITER_MAX: '0',
  STEP_UP_LIMITER_MAX: '0',
  INVITATION_LIMITER_MAX: '0',
  SHUTDOWN_DELAY_MS: '0',
  ...values,
})

/**
 * @param values settings by name, as texts, for every replica.
 * @param own additional settings of one replica.
 * @param flags flags of Node, such as a module to load first.
 */
export async function startReplicas(
  count: number,
  values: Values = {},
  own: (replica: number) => Values = () => ({}),
  flags: readonly string[] = [],
): Promise<Replicas> {
  const store = await postgresStore()
  const built = await bundle('src/main.ts')
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-replicas-'))
  const shared = sharedBy(store, values)
  const inside = createApp({ store, settings: testSettings(shared), log: silentLog })
  const launch = (replica: number): Started =>
    startProcess(built.file, { DATA_DIR: join(folder, String(replica)), ...shared, ...own(replica) }, flags)
  // All start at once, so that they create the first records concurrently.
  const replicas = Array.from({ length: count }, (_, replica) => launch(replica))
  const processes = replicas.map((each) => each.process)
  let front: Awaited<ReturnType<typeof balancer>> | null = null
  const stop = async () => {
    for (const child of processes) child.kill('SIGKILL')
    await front?.close()
    await inside.close()
    await store.close()
    built.clean()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const urls = await Promise.all(replicas.map(({ ready }) => ready))
    await prepareFirstStart(inside.runtime)
    front = await balancer(urls)
    const { url } = front
    const seen = noticedBy(inside)
    return {
      url,
      urls,
      processes,
      store,
      app: { ...seen.app, call: (method, path, more) => seen.settled().then(() => callAt(url, method, path, more)) },
      at: (replica) => ({ call: (method, path, more) => callAt(urls[replica] ?? '', method, path, more) }),
      output: (replica) => replicas[replica]?.output() ?? '',
      async restart(replica) {
        processes[replica]?.removeAllListeners('exit')
        processes[replica]?.kill('SIGKILL')
        const started = launch(replica)
        replicas[replica] = started
        processes[replica] = started.process
        urls[replica] = await started.ready
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The app in this process. Nothing tells the test when the replicas have noticed what this app drops, so the next call
 * waits for it.
 */
function noticedBy({ runtime }: App): { app: IdentityApp; settled(): Promise<void> } {
  const identity = identityOf({ runtime })
  let waiting: Promise<void> = Promise.resolve()
  const directory = {
    ...identity.directory,
    drop(stale: Parameters<typeof identity.directory.drop>[0]) {
      identity.directory.drop(stale)
      waiting = identity.directory.settle().then(() => sleep(NOTICED_MS))
    },
  }
  const app = { runtime, clock: systemClock, errors: [], identity: { ...identity, directory } } as never as IdentityApp
  return { app, settled: () => waiting }
}

async function callAt(
  url: string,
  method: string,
  path: string,
  { as = null, body, headers = {} }: CallOptions = {},
): ReturnType<IdentityApp['call']> {
  const token = typeof as === 'string' ? as : as?.accessToken
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body: parsed, data: parsed?.data, code: parsed?.code, headers: response.headers }
}
