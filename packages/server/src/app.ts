/**
 * Composes the domains into one process: their operations behind HTTP, their jobs and schedules behind the queue, their
 * checks behind the probes. This file alone knows every domain.
 */
import type { Hono } from 'hono'
import { type Clock, systemClock } from './runtime/clock.js'
import { Refusal } from './runtime/errors.js'
import { Health, type HealthCheck } from './runtime/health/health.js'
import { mountProbes } from './runtime/health/probes.js'
import type { Authenticator } from './runtime/http/authenticator.js'
import { createHttp } from './runtime/http/mount.js'
import { createIds, type Ids } from './runtime/ids.js'
import type { Log } from './runtime/log/log.js'
import { createMetrics, type ProcessMetrics } from './runtime/metrics/metrics.js'
import { type ObservedHttp, observe } from './runtime/metrics/observe.js'
import type { Module } from './runtime/module.js'
import type { Runtime } from './runtime/operation/context.js'
import type { Operation } from './runtime/operation/operation.js'
import type { Settings } from './runtime/settings/load.js'
import type { Store } from './runtime/store/db.js'

export interface AppOptions {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly clock?: Clock
  readonly ids?: Ids
}

export interface App {
  readonly runtime: Runtime
  readonly operations: readonly Operation[]
  readonly http: ObservedHttp
  readonly health: Health
  readonly metrics: ProcessMetrics
  /** Begins the background work of the process. */
  start(): void
  /** Finishes jobs that run, and seals what waits, for at most this long. */
  drain(msMax: number): Promise<void>
  /** Ends what is left, and connections besides the store's. */
  close(): Promise<void>
}

export function createApp(options: AppOptions): App {
  const { store, settings, log } = options
  const clock = options.clock ?? systemClock
  const ids = options.ids ?? createIds(clock)
  const modules = mountedModules(settings)
  const metrics = createMetrics()
  const runtime: Runtime = {
    clock,
    ids,
    store,
    settings,
    domains: modules.flatMap(({ registration }) => (registration === null ? [] : [registration])),
  }
  const operations = modules.flatMap((module) => module.operations)
  const health = new Health(healthChecks(options))
  const api = createHttp({
    runtime,
    operations,
    authenticator: nobody,
    basePath: settings.BASE_PATH,
    onError: (error, requestId) => log.error({ error, requestId }, 'an operation failed unexpectedly'),
  })
  const http = mountProbes(api as Hono, {
    health,
    metrics,
    basePath: settings.BASE_PATH,
    metricsToken: settings.METRICS_TOKEN,
    peerOf,
  })
  return {
    runtime,
    operations,
    http: observe({ http, metrics, log, clock }),
    health,
    metrics,
    start: () => undefined,
    drain: async () => undefined,
    close: async () => undefined,
  }
}

/** In the order in which their tables depend on one another. */
const MODULES: readonly Module[] = []

function mountedModules(settings: Settings): readonly Module[] {
  return MODULES.filter(({ name }) => settings.PLUMBLINE_MODULES.includes(name))
}

function healthChecks({ store }: AppOptions): HealthCheck[] {
  return [{ name: 'database', check: () => store.ping().then(() => undefined) }]
}

/** The other end of the connection, as @hono/node-server hands it over. */
function peerOf(env: unknown): string | null {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? null
}

const refuse = async (): Promise<never> => {
  throw new Refusal('TOKEN_INVALID', 'the credential is not known')
}

/** Until identity is mounted nobody can sign in. */
const nobody: Authenticator = {
  authenticate: async (headers) => (headers.has('authorization') ? refuse() : { kind: 'anonymous' }),
  authority: refuse,
  actor: refuse,
  stepUp: refuse,
}
