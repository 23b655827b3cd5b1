/**
 * Emits audit events to a Plumbline server from another process. `emit` never throws and is never waited for: what cannot
 * be delivered waits in a durable, bounded spool. Source: spec billing-audit 24 (Client).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { normalise } from '@plumbline/audit-chain'
import { type Clock, systemClock, toIso } from '../../runtime/clock.js'
import type { TokenSource } from '../../runtime/http/service-token.js'
import type { Metrics } from '../../runtime/metrics/port.js'
import type { RemoteEvent } from '../event/ingest-schema.js'
import { type Delivery, deliver } from './deliver.js'
import type { Spool, SpoolEntry } from './spool.js'

export interface AuditClientOptions {
  /** Base of the API, such as `https://plumbline.example/api`. */
  readonly url: string
  /** A bearer token of a service principal with the scope `audit:ingest`. */
  readonly token: TokenSource
  /** Name of the emitting service, for metrics. */
  readonly service: string
  readonly spool: Spool
  readonly metrics: Metrics
  /** Told about a spool that fails, which loses an event and counts it, and about credentials that are refused. */
  readonly onError?: (error: unknown) => void
  readonly timeoutMs?: number
  /** Between two attempts to empty the spool. */
  readonly drainEveryMs?: number
  /** Before the second attempt at a live delivery; doubled before the third. */
  readonly retryMs?: number
  /** How long closing goes on emptying the spool of a server that is there. */
  readonly flushMs?: number
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

export type EmittedEvent = Omit<RemoteEvent, 'actorRole' | 'impersonatorId'>

export interface AuditClient {
  /** Hands an event over. Returns at once and never throws. */
  emit(event: EmittedEvent): void
  /** Delivers what the spool holds, until it is empty or the server is away. Never throws. */
  drain(): Promise<void>
  /** Waits for the events that were handed over: each is delivered, spooled or counted as dropped. */
  settled(): Promise<void>
  /** Takes no more, tries once to empty the spool, and leaves the rest in it. */
  close(): Promise<void>
}

const RETRIES = 2
const BATCH_EVENTS = 100
/** Below the server's limit for a request. */
const BATCH_CHARS = 80_000
/** Live deliveries at a time; beyond, events go to the spool at once. */
const LIVE_MAX = 50

export async function createAuditClient(options: AuditClientOptions): Promise<AuditClient> {
  const {
    service,
    spool,
    metrics,
    timeoutMs = 3000,
    drainEveryMs = 30_000,
    retryMs = 200,
    flushMs = 5000,
    clock = systemClock,
  } = options
  const onError = options.onError ?? (() => undefined)
  const http = { url: options.url, token: options.token, timeoutMs, fetch: options.fetch ?? fetch, onError }
  const live = new Set<Promise<void>>()
  let draining: Promise<void> | null = null
  let closed = false
  let flushUntil = Number.POSITIVE_INFINITY
  await spool.recover()

  /** Once: a delivery that is repeated is the same event. Details become JSON whatever they hold. */
  function stamp(event: EmittedEvent): RemoteEvent {
    return {
      ...event,
      ...(event.details === undefined ? {} : { details: normalise(event.details) as Record<string, unknown> }),
      occurredAt: event.occurredAt ?? toIso(clock.now()),
      idempotencyKey: event.idempotencyKey ?? randomUUID(),
    }
  }

  async function handOver(event: RemoteEvent): Promise<void> {
    const outcome = live.size > LIVE_MAX ? 'again' : await attempt(event)
    if (outcome === 'delivered') {
      metrics.count('audit_emitted_total', { service, outcome: 'delivered' })
      void drainRest()
      return
    }
    const text = JSON.stringify(event)
    if (outcome === 'refused') {
      metrics.count('audit_dropped_total', { service, reason: 'refused' })
      await spool.buryNew(text)
      return
    }
    const dropped = await spool.put(text)
    metrics.count('audit_emitted_total', { service, outcome: 'spooled' })
    metrics.count('audit_spool_enqueued_total', { service })
    if (dropped > 0) metrics.count('audit_spool_dropped_total', { service }, dropped)
  }

  async function attempt(event: RemoteEvent): Promise<Delivery> {
    for (let retry = 0; ; retry++) {
      const [outcome = 'again'] = await deliver(http, [event])
      if (outcome !== 'again' || retry === RETRIES || closed) return outcome
      await sleep(retryMs * 2 ** retry)
    }
  }

  async function drainAll(): Promise<void> {
    while (performance.now() < flushUntil) {
      const taken = await takeBatch()
      if (taken.length === 0) return
      const outcomes = await deliver(
        http,
        taken.map(({ text }) => JSON.parse(text) as RemoteEvent),
      )
      const which = (outcome: Delivery) => taken.filter((_, index) => outcomes[index] === outcome)
      const [delivered, refused, again] = [which('delivered'), which('refused'), which('again')]
      await spool.ack(delivered)
      await spool.bury(refused)
      await spool.requeue(again)
      if (delivered.length > 0) metrics.count('audit_spool_redelivered_total', { service }, delivered.length)
      if (refused.length > 0) metrics.count('audit_dropped_total', { service, reason: 'refused' }, refused.length)
      // The server is away: what comes after would fail as well.
      if (again.length > 0) return
    }
  }

  async function takeBatch(): Promise<readonly SpoolEntry[]> {
    const taken = await spool.take(BATCH_EVENTS)
    let chars = 0
    const fitting = taken.findIndex(({ text }, index) => {
      chars += text.length
      return index > 0 && chars > BATCH_CHARS
    })
    if (fitting === -1) return taken
    await spool.requeue(taken.slice(fitting))
    return taken.slice(0, fitting)
  }

  /** The server is there: what waits goes now. Not part of the delivery, which succeeded whatever becomes of this. */
  async function drainRest(): Promise<void> {
    try {
      if (!closed && (await spool.size()) > 0) await drain()
    } catch (error) {
      onError(error)
    }
  }

  function drain(): Promise<void> {
    draining ??= drainAll()
      .catch(onError)
      .finally(() => {
        draining = null
      })
    return draining
  }

  const timer = setInterval(() => void drain(), drainEveryMs).unref()

  return {
    emit(event) {
      try {
        if (closed) return void metrics.count('audit_dropped_total', { service, reason: 'closed' })
        const work = handOver(stamp(event)).catch((error: unknown) => {
          metrics.count('audit_dropped_total', { service, reason: 'spool' })
          onError(error)
        })
        live.add(work)
        void work.finally(() => live.delete(work))
      } catch (error) {
        metrics.count('audit_dropped_total', { service, reason: 'malformed' })
        onError(error)
      }
    },
    drain,
    async settled() {
      await Promise.all(live)
    },
    async close() {
      closed = true
      flushUntil = performance.now() + flushMs
      clearInterval(timer)
      await Promise.all(live)
      await draining
      await drain()
      await spool.close()
    },
  }
}
