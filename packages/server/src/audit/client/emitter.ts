/**
 * An emitter of audit events for a program without access to the database, configured by settings alone. It signs in as
 * a service principal, delivers events, and spools those that it cannot deliver: in Redis if it is configured, else in
 * a synced file.
 */
import { join } from 'node:path'
import { serviceToken } from '../../runtime/http/service-token.js'
import { type Metrics, noMetrics } from '../../runtime/metrics/port.js'
import { type AuditClient, createAuditClient } from './client.js'
import { type EmitterSettings, readEmitterSettings } from './emitter-settings.js'
import { fileSpool } from './file-spool.js'
import { redisSpool } from './redis-spool.js'
import type { Spool } from './spool.js'

export interface AuditEmitterOptions {
  /** Name of the program, for metrics and for its spool: two programs need two names. */
  readonly service: string
  /** Where the settings are read from, such as `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly metrics?: Metrics
  /** Called when a sign-in is refused and when the spool fails. */
  readonly onError?: (error: unknown) => void
  /** Timeout of one request; 3 s by default. */
  readonly timeoutMs?: number
  readonly fetch?: typeof globalThis.fetch
}

export type AuditEmitter = AuditClient

const TIMEOUT_MS = 3000

/**
 * Takes over the events that a crashed process of the same name left in the spool. Close it before the process ends.
 * @throws BadEmitterSettings with every mistake; Error when the spool cannot be opened.
 */
export async function createAuditEmitter(options: AuditEmitterOptions): Promise<AuditEmitter> {
  const { service, environment, metrics = noMetrics, onError = () => undefined } = options
  const settings = readEmitterSettings(environment)
  const http = {
    url: settings.AUDIT_SERVICE_URL,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  }
  const spool = await openSpool(settings, service, onError)
  try {
    return await createAuditClient({
      ...http,
      token: serviceToken({
        ...http,
        clientId: settings.PLUMBLINE_SERVICE_CLIENT_ID,
        clientSecret: settings.PLUMBLINE_SERVICE_CLIENT_SECRET,
      }),
      service,
      spool,
      metrics,
      onError,
      drainEveryMs: settings.AUDIT_SPOOL_DRAIN_MS,
    })
  } catch (error) {
    await spool.close()
    throw error
  }
}

async function openSpool(
  settings: EmitterSettings,
  service: string,
  onError: (error: unknown) => void,
): Promise<Spool> {
  const { REDIS_URL, REDIS_PREFIX, AUDIT_SPOOL_DIR, AUDIT_SPOOL_MAX, DATA_DIR } = settings
  if (REDIS_URL === null) return fileSpool(AUDIT_SPOOL_DIR ?? join(DATA_DIR, 'audit-spool'), service, AUDIT_SPOOL_MAX)
  const { Redis } = await import('ioredis')
  // A command that cannot be sent fails at once: an event that is queued in memory would be lost without being counted.
  const redis = new Redis(REDIS_URL, { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  redis.on('error', onError)
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw new Error('the spool is in Redis, and REDIS_URL does not answer', { cause: error })
  }
  return { ...redisSpool(redis, service, AUDIT_SPOOL_MAX, REDIS_PREFIX), close: async () => redis.disconnect() }
}
