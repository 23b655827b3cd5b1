/**
 * Composes the domains into one process: their operations behind HTTP, their jobs and schedules behind the queue, their
 * checks behind the probes. This file alone knows every domain.
 */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installAudit } from './audit/index.js'
import { choosePort, complianceModule, lastRecheck, ruleLibrary } from './compliance/index.js'
import { homePage } from './home.js'
import { identityModule, installIdentity, tenantKeyOf } from './identity/index.js'
import { installMessages, messageModule } from './message/index.js'
import { pipelineModule, pluginReferences } from './pipeline/index.js'
import { pluginCatalog, pluginModule } from './plugin/index.js'
import { apiCalls, capacityPort, quotaModule } from './quota/index.js'
import { type Background, createBackground } from './runtime/background.js'
import { blobCheck, openBlobs } from './runtime/blobs/open.js'
import { sweepBlobsJob, sweepBlobsSchedule } from './runtime/blobs/sweep.js'
import { type Clock, systemClock } from './runtime/clock.js'
import type { DomainRegistration } from './runtime/domain.js'
import { Health, type HealthCheck } from './runtime/health/health.js'
import { mountProbes } from './runtime/health/probes.js'
import { createHttp } from './runtime/http/mount.js'
import { mountPages } from './runtime/http/pages.js'
import { createLimiter, memoryRateStore } from './runtime/http/rate-limit.js'
import { redisRateStore } from './runtime/http/rate-limit-redis.js'
import { sweepRequestsJob, sweepRequestsSchedule } from './runtime/http/sweep.js'
import { uploadFolder } from './runtime/http/upload-folder.js'
import { createIds, type Ids } from './runtime/ids.js'
import { localWakeUps, redisWakeUps } from './runtime/jobs/wake-ups.js'
import type { Log } from './runtime/log/log.js'
import { mailJob } from './runtime/mail/send.js'
import { mailTransport } from './runtime/mail/transport.js'
import { createMetrics, type ProcessMetrics } from './runtime/metrics/metrics.js'
import { type ObservedHttp, observe } from './runtime/metrics/observe.js'
import { collectStoreMetrics } from './runtime/metrics/store.js'
import type { Module } from './runtime/module.js'
import type { Runtime } from './runtime/operation/context.js'
import type { Operation } from './runtime/operation/operation.js'
import type { EntitySource } from './runtime/records/entity.js'
import { type Bus, connectRedis, localBus, type RedisLink } from './runtime/redis/redis.js'
import { bucketSizes, tierFactors } from './runtime/settings/limits.js'
import type { Settings } from './runtime/settings/load.js'
import type { Store } from './runtime/store/db.js'
import { postgresBus } from './runtime/store/postgres-bus.js'
import { SERVER_VERSION } from './runtime/version.js'
import { isPostgres } from './store.js'

export interface AppOptions {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly clock?: Clock
  readonly ids?: Ids
  /** A number from 0 up to 1, for the spread of retries. */
  readonly random?: () => number
  /** The address that the process listens at, once it does: for links. */
  readonly listensAt?: () => string | null
  /** Where the e-mails of a development server without a provider are shown. */
  readonly print?: (text: string) => void
}

export interface App {
  readonly runtime: Runtime
  readonly operations: readonly Operation[]
  readonly http: ObservedHttp
  readonly health: Health
  readonly metrics: ProcessMetrics
  readonly background: Background
  /** Begins the background work of the process. */
  start(): void
  /** Ends event streams, finishes jobs that run, and seals what waits, for at most this long. */
  drain(msMax: number): Promise<void>
  /** Ends a draining early. */
  cut(): void
  /** Closes what this app opened; the store is its owner's. */
  close(): Promise<void>
}

export function createApp(options: AppOptions): App {
  const { store, settings, log, clock = systemClock } = options
  const link = settings.REDIS_URL === null ? null : connectRedis(settings.REDIS_URL, log, settings.REDIS_PREFIX)
  const bus = link?.bus ?? (isPostgres(settings) ? postgresBus(busLogin(settings), log) : localBus())
  const wakeUps =
    settings.REDIS_URL === null
      ? localWakeUps(clock)
      : redisWakeUps(settings.REDIS_URL, clock, log, settings.REDIS_PREFIX)
  const metrics = createMetrics()
  collectStoreMetrics(metrics, store)
  const domains: DomainRegistration[] = []
  const blobs = openBlobs(settings)
  const entities: EntitySource[] = []
  const compliance = choosePort(settings)
  const callMeter = apiCalls(
    () => runtime,
    (error) => log.warn({ error }, 'API calls were not written; they are kept'),
  )
  const runtime: Runtime = {
    clock,
    ids: options.ids ?? createIds(clock),
    store,
    settings,
    ...(options.listensAt === undefined ? {} : { listensAt: options.listensAt }),
    domains,
    capacity: capacityPort(() => runtime),
    blobs,
    entities,
    plugins: pluginCatalog,
    pluginReferences,
    ...(compliance === undefined ? {} : { compliance }),
    lastRecheck,
    ruleLibrary,
    callMeter,
    wake: (job) => wakeUps.announce(job),
    metrics,
    onEvidence: () => audit.wake(),
    get owners() {
      return identity.owners
    },
    limiter: createLimiter({
      clock,
      store:
        link === null
          ? memoryRateStore()
          : redisRateStore({ redis: link.redis, prefix: `${settings.REDIS_PREFIX}:rate:` }),
      buckets: bucketSizes(settings),
      tierFactors: tierFactors(settings),
    }),
  }
  const identity = installIdentity(runtime, staleChannel(bus))
  const audit = installAudit({
    runtime: () => runtime,
    metrics,
    onError: (error) => log.error({ error }, 'the audit trail'),
  })
  installMessages(runtime, bus)
  const all: readonly Module[] = [
    identityModule,
    audit.module,
    quotaModule,
    complianceModule(settings),
    messageModule(settings),
    pipelineModule,
    pluginModule,
  ]
  const modules = all.filter(({ name }) => settings.PLUMBLINE_MODULES.includes(name))
  // Export, purge and erasure span every domain that has tables, whatever this process mounts.
  for (const { registration, entities: owned = [] } of all) {
    if (registration !== null) domains.push(registration)
    entities.push(...owned)
  }
  const operations = modules.flatMap((module) => module.operations)
  const transport = mailTransport(settings, options.print ?? ((text) => process.stderr.write(text)))
  const background = createBackground({
    runtime,
    jobs: [
      mailJob(
        modules.flatMap(({ templates }) => templates),
        transport,
      ),
      sweepRequestsJob,
      sweepBlobsJob(blobs),
      ...modules.flatMap(({ jobs }) => jobs),
    ],
    schedules: [sweepRequestsSchedule, sweepBlobsSchedule, ...modules.flatMap(({ schedules }) => schedules)],
    services: [callMeter.service, ...modules.flatMap(({ service }) => (service === undefined ? [] : [service]))],
    wakeUps,
    random: options.random ?? Math.random,
    tenantOf: (orgId) => tenantKeyOf(store, orgId),
    metrics,
    log,
  })
  const health = new Health([
    ...healthChecks(store, link),
    blobCheck(blobs, () => clock.now()),
    ...modules.flatMap(({ checks }) => checks ?? []),
  ])
  const draining = new AbortController()
  // Beside the blobs where they are files; else nothing needs a folder of its own.
  const uploads = uploadFolder(settings.BLOB_STORE === 'fs' ? join(settings.DATA_DIR, 'uploads') : tmpdir())
  const behindTls = settings.TLS_CERT !== null || (settings.PUBLIC_URL ?? '').startsWith('https:')
  const api = createHttp({
    runtime,
    operations,
    authenticator: identity.authenticator,
    basePath: settings.BASE_PATH,
    version: SERVER_VERSION,
    onError: (error, requestId) => log.error({ error, requestId }, 'an operation failed unexpectedly'),
    trustedProxyHops: settings.TRUST_PROXY,
    behindTls,
    corsOrigins: settings.CORS_ORIGIN,
    checkResponses: settings.NODE_ENV !== 'production',
    bodyBytesMax: settings.BODY_LIMIT_BYTES,
    pageMax: settings.MAX_PAGE_LIMIT,
    uploadFolder: uploads,
    drain: draining.signal,
  })
  mountPages(api, [homePage(settings.BASE_PATH), ...modules.flatMap(({ pages }) => pages ?? [])], {
    basePath: settings.BASE_PATH,
    behindTls,
  })
  const http = mountProbes(api, {
    health,
    metrics,
    basePath: settings.BASE_PATH,
    metricsToken: settings.METRICS_TOKEN,
    metricsLoopback: settings.METRICS_LOOPBACK,
    peerOf,
  })
  return {
    runtime,
    operations,
    http: observe({ http, metrics, log, clock }),
    health,
    metrics,
    background,
    start: () => background.start(),
    async drain(msMax) {
      draining.abort()
      await background.drain(msMax)
    },
    cut: () => background.cut(),
    async close() {
      await identity.settle()
      transport.close()
      await bus.close()
      await link?.close()
    },
  }
}

/** The login with the least rights: the bus reads no table. */
const busLogin = ({ DATABASE_TENANT_URL, DATABASE_URL }: Settings): string => DATABASE_TENANT_URL ?? DATABASE_URL ?? ''

function healthChecks(store: Store, link: RedisLink | null): HealthCheck[] {
  const database: HealthCheck = { name: 'database', check: () => store.ping().then(() => undefined) }
  if (link === null) return [database]
  return [database, { name: 'redis', isOptional: true, check: () => link.ping().then(() => undefined) }]
}

const STALE = 'identity.stale'

function staleChannel(bus: Bus): Parameters<typeof installIdentity>[1] {
  return {
    publish: (stale) => bus.publish(STALE, stale),
    subscribe: (listener) => bus.subscribe(STALE, (message) => listener(message as Parameters<typeof listener>[0])),
  }
}

/** The other end of the connection, as @hono/node-server hands it over. */
function peerOf(env: unknown): string | null {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? null
}
