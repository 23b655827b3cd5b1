/**
 * What the operations and jobs of one process share: clock, store, settings, bus, limiter, and the ports that the domains
 * provide for one another.
 */
import type { BlobBackend } from './runtime/blobs/backend.js'
import { blobCheck, openBlobs } from './runtime/blobs/open.js'
import { CannotStart } from './runtime/cannot-start.js'
import { type Clock, systemClock } from './runtime/clock.js'
import type { HealthCheck } from './runtime/health/health.js'
import { createLimiter, memoryRateStore } from './runtime/http/rate-limit.js'
import { redisRateStore } from './runtime/http/rate-limit-redis.js'
import { createIds, type Ids } from './runtime/ids.js'
import { sealerPort } from './runtime/jobs/evidence.js'
import { busWakeUps, type WakeUps } from './runtime/jobs/wake-ups.js'
import type { Log } from './runtime/log/log.js'
import type { Domain } from './runtime/manifest.js'
import { createMetrics, type ProcessMetrics } from './runtime/metrics/metrics.js'
import { collectStoreMetrics } from './runtime/metrics/store.js'
import { bucketsOf, tierFactors } from './runtime/operation/buckets.js'
import type { Runtime } from './runtime/operation/context.js'
import { Ports } from './runtime/port.js'
import { type Bus, connectRedis, localBus, type RedisLink } from './runtime/redis/redis.js'
import type { Settings } from './runtime/settings/load.js'
import type { Store } from './runtime/store/db.js'
import { postgresBus } from './runtime/store/postgres-bus.js'
import { isPostgres } from './store.js'

export interface RuntimeOptions {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly clock?: Clock
  readonly ids?: Ids
  /** The address that the process listens at, once it does: for links. */
  readonly listensAt?: () => string | null
}

export interface ComposedRuntime {
  readonly runtime: Runtime & { readonly ports: Ports; readonly blobs: BlobBackend }
  readonly metrics: ProcessMetrics
  readonly wakeUps: WakeUps
  readonly checks: readonly HealthCheck[]
  /** Closes what this opened; the store is its owner's. */
  close(): Promise<void>
}

/**
 * @param all the domains whose tables the store has: export, purge, erasure and ports span them, whatever a process mounts.
 * @param mounted the domains that this process mounts.
 * @throws CannotStart where a mounted domain requires a port that nobody provides; BadSettings of a provider.
 */
export function composeRuntime(
  { store, settings, log, clock = systemClock, ids = createIds(clock), listensAt }: RuntimeOptions,
  all: readonly Domain[],
  mounted: readonly Domain[],
): ComposedRuntime {
  const { REDIS_URL, REDIS_PREFIX } = settings
  const link = REDIS_URL === null ? null : connectRedis(REDIS_URL, log, REDIS_PREFIX)
  const bus = busOf(settings, log, link)
  const wakeUps = busWakeUps(bus, clock)
  const metrics = createMetrics()
  collectStoreMetrics(metrics, store)
  const blobs = openBlobs(settings)
  const ports = new Ports()
  const runtime: ComposedRuntime['runtime'] = {
    clock,
    ids,
    store,
    settings,
    log,
    bus,
    ports,
    blobs,
    metrics,
    ...(listensAt === undefined ? {} : { listensAt }),
    domains: all.map(({ registration }) => registration),
    entities: all.flatMap(({ entities }) => entities),
    wake: (job) => wakeUps.announce(job),
    onEvidence: () => ports.find(sealerPort)?.wake(),
    limiter: createLimiter({
      clock,
      store: link === null ? memoryRateStore() : redisRateStore({ redis: link.redis, prefix: `${REDIS_PREFIX}:rate:` }),
      buckets: bucketsOf(settings),
      tierFactors: tierFactors(settings),
    }),
  }
  connectPorts(runtime, all, mounted)
  return {
    runtime,
    metrics,
    wakeUps,
    checks: [...healthChecks(store, link), blobCheck(blobs, () => clock.now())],
    async close() {
      await bus.close()
      await link?.close()
    },
  }
}

function connectPorts(runtime: ComposedRuntime['runtime'], all: readonly Domain[], mounted: readonly Domain[]): void {
  const providers = new Map<string, string>()
  for (const { name, provides } of all) {
    for (const { port, make } of provides) {
      const other = providers.get(port.name)
      if (other !== undefined) throw new CannotStart(`${other} and ${name} both provide the port "${port.name}"`)
      providers.set(port.name, name)
      runtime.ports.set(port, make(runtime))
    }
  }
  for (const { name, requires } of mounted) {
    for (const port of requires) {
      if (runtime.ports.find(port) !== undefined) continue
      throw new CannotStart(`the domain ${name} requires the port "${port.name}", which no domain provides`)
    }
  }
}

const busOf = (settings: Settings, log: Log, link: RedisLink | null): Bus =>
  link?.bus ?? (isPostgres(settings) ? postgresBus(busLogin(settings), log) : localBus())

/** The login with the least rights: the bus reads no table. */
const busLogin = ({ DATABASE_TENANT_URL, DATABASE_URL }: Settings): string => DATABASE_TENANT_URL ?? DATABASE_URL ?? ''

function healthChecks(store: Store, link: RedisLink | null): HealthCheck[] {
  const database: HealthCheck = { name: 'database', check: () => store.ping().then(() => undefined) }
  if (link === null) return [database]
  return [database, { name: 'redis', isOptional: true, check: () => link.ping().then(() => undefined) }]
}
