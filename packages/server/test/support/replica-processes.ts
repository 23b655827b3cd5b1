/**
 * Several server processes, built as a release is, on one PostgreSQL database and one Redis behind a balancer. The test's own
 * process holds one more app on the same database, which serves nothing: through it a test looks and prepares.
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

/** What one replica changed, the others know by then, whatever became of the notice through Redis. */
export const NOTICED_MS = 2000

export interface Replicas {
  /** The balancer's address. */
  readonly url: string
  /** Of each replica by itself. */
  readonly urls: readonly string[]
  readonly processes: readonly ChildProcess[]
  readonly store: Store
  /** Calls go through the balancer; all else is the app in this process. */
  readonly app: IdentityApp
  /** Calls one replica by itself. */
  at(replica: number): Pick<IdentityApp, 'call'>
  /** What one replica logged and printed. */
  output(replica: number): string
  stop(): Promise<void>
}

type Values = Readonly<Record<string, string>>

/**
 * @param values settings by name, as texts; each replica has them.
 * @param own those that one replica has besides.
 * @param flags of Node, such as a module that is loaded first.
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
  const shared = {
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
  }
  const processes: ChildProcess[] = []
  const outputs: string[] = []
  const start = (replica: number): Promise<string> => {
    const DATA_DIR = join(folder, String(replica))
    const child = spawn(process.execPath, [...flags, built.file], {
      env: {
        PATH: process.env['PATH'],
        ...TEST_ENVIRONMENT,
        LOG_LEVEL: 'info',
        PORT: '0',
        DATA_DIR,
        ...shared,
        ...own(replica),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    processes[replica] = child
    return new Promise((ready, failed) => {
      const read = (chunk: Buffer) => {
        outputs[replica] = `${outputs[replica] ?? ''}${chunk}`
        const url = /"url":"(http:[^"]+)"/.exec(outputs[replica] ?? '')?.[1]
        if (url !== undefined) ready(url)
      }
      child.stdout?.on('data', read)
      child.stderr?.on('data', read)
      child.on('exit', (code) => failed(new Error(`a replica ended with ${code}: ${outputs[replica]}`)))
    })
  }
  const inside = createApp({ store, settings: testSettings(shared), log: silentLog })
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
    // All at once: they make the first records together.
    const urls = await Promise.all(Array.from({ length: count }, (_, replica) => start(replica)))
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
      output: (replica) => outputs[replica] ?? '',
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The app in this process; what it drops is waited for before the next call, as nothing of the replicas answers for it. */
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
