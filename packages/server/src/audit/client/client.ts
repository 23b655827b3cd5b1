/**
 * Emits audit events to a Plumbline server from another process. `emit` never throws and the caller never waits for it:
 * an event that cannot be delivered is kept in a durable, bounded spool. Source: spec billing-audit 24 (Client).
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
  /** Base URL of the API, such as `https://plumbline.example/api`. */
  readonly url: string
  /** A bearer token of a service principal with the scope `audit:ingest`. */
  readonly token: TokenSource
  /** Name of the emitting service, for metrics. */
  readonly service: string
  readonly spool: Spool
  readonly metrics: Metrics
  /** Called when the spool fails, which drops an event and counts it, and when the server refuses the credentials. */
  readonly onError?: (error: unknown) => void
  readonly timeoutMs?: number
  /** Time between two attempts to empty the spool. */
  readonly drainEveryMs?: number
  /** Delay before the second attempt at a live delivery; doubled before the third. */
  readonly retryMs?: number
  /** How long closing continues to empty the spool while the server answers. */
  readonly flushMs?: number
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

export type EmittedEvent = Omit<RemoteEvent, 'actorRole' | 'impersonatorId'>

export interface AuditClient {
  /** Accepts an event. Returns at once and never throws. */
  emit(event: EmittedEvent): void
  /** Delivers the spooled events until the spool is empty or the server does not answer. Never throws. */
  drain(): Promise<void>
  /** Waits for the emitted events: each is delivered, spooled or counted as dropped. */
  settled(): Promise<void>
  /** Accepts no further events, tries once to empty the spool, and leaves the rest in it. */
  close(): Promise<void>
}

const RETRIES = 2
const BATCH_EVENTS = 100
/** Below the server's limit for a request. */
const BATCH_CHARS = 80_000
/** Concurrent live deliveries; further events go to the spool at once. */
const LIVE_MAX = 50

export async function createAuditClient(options: AuditClientOptions): Promise<AuditClient> {
  await options.spool.recover()
  return new SpoolingAuditClient(options)
}

class SpoolingAuditClient implements AuditClient {
  readonly #options: AuditClientOptions
  readonly #service: string
  readonly #spool: Spool
  readonly #metrics: Metrics
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #http: Parameters<typeof deliver>[0]
  readonly #live = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #draining: Promise<void> | null = null
  #isClosed = false
  #flushUntil = Number.POSITIVE_INFINITY

  constructor(options: AuditClientOptions) {
    const { url, token, timeoutMs = 3000, drainEveryMs = 30_000 } = options
    this.#options = options
    this.#service = options.service
    this.#spool = options.spool
    this.#metrics = options.metrics
    this.#clock = options.clock ?? systemClock
    this.#onError = options.onError ?? (() => undefined)
    this.#http = { url, token, timeoutMs, fetch: options.fetch ?? fetch, onError: this.#onError }
    this.#timer = setInterval(() => void this.drain(), drainEveryMs).unref()
  }

  emit(event: EmittedEvent): void {
    try {
      if (this.#isClosed) {
        this.#dropped('closed')
        return
      }
      const work = this.#handOver(this.#stamp(event)).catch((error: unknown) => {
        this.#dropped('spool')
        this.#onError(error)
      })
      this.#live.add(work)
      void work.finally(() => this.#live.delete(work))
    } catch (error) {
      this.#dropped('malformed')
      this.#onError(error)
    }
  }

  drain(): Promise<void> {
    this.#draining ??= this.#drainAll()
      .catch(this.#onError)
      .finally(() => {
        this.#draining = null
      })
    return this.#draining
  }

  async settled(): Promise<void> {
    await Promise.all(this.#live)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#flushUntil = performance.now() + (this.#options.flushMs ?? 5000)
    clearInterval(this.#timer)
    await Promise.all(this.#live)
    await this.#draining
    await this.drain()
    await this.#spool.close()
  }

  /** Runs once per event, so that a repeated delivery is the same event. Details become JSON whatever they hold. */
  #stamp(event: EmittedEvent): RemoteEvent {
    return {
      ...event,
      ...(event.details === undefined ? {} : { details: normalise(event.details) as Record<string, unknown> }),
      occurredAt: event.occurredAt ?? toIso(this.#clock.now()),
      idempotencyKey: event.idempotencyKey ?? randomUUID(),
    }
  }

  async #handOver(event: RemoteEvent): Promise<void> {
    const outcome = this.#live.size > LIVE_MAX ? 'again' : await this.#attempt(event)
    if (outcome === 'delivered') {
      this.#emitted('delivered')
      void this.#drainRest()
      return
    }
    const text = JSON.stringify(event)
    if (outcome === 'refused') {
      this.#dropped('refused')
      await this.#spool.buryNew(text)
      return
    }
    const dropped = await this.#spool.put(text)
    this.#emitted('spooled')
    this.#metrics.count('audit_spool_enqueued_total', { service: this.#service })
    if (dropped > 0) this.#metrics.count('audit_spool_dropped_total', { service: this.#service }, dropped)
  }

  async #attempt(event: RemoteEvent): Promise<Delivery> {
    const { retryMs = 200 } = this.#options
    for (let retry = 0; ; retry++) {
      const [outcome = 'again'] = await deliver(this.#http, [event])
      if (outcome !== 'again' || retry === RETRIES || this.#isClosed) return outcome
      await sleep(retryMs * 2 ** retry)
    }
  }

  async #drainAll(): Promise<void> {
    while (performance.now() < this.#flushUntil) {
      const taken = await this.#takeBatch()
      if (taken.length === 0) return
      const outcomes = await deliver(
        this.#http,
        taken.map(({ text }) => JSON.parse(text) as RemoteEvent),
      )
      const which = (outcome: Delivery) => taken.filter((_, index) => outcomes[index] === outcome)
      const [delivered, refused, again] = [which('delivered'), which('refused'), which('again')]
      await this.#spool.ack(delivered)
      await this.#spool.bury(refused)
      await this.#spool.requeue(again)
      const service = this.#service
      if (delivered.length > 0) this.#metrics.count('audit_spool_redelivered_total', { service }, delivered.length)
      if (refused.length > 0) this.#dropped('refused', refused.length)
      // The server does not answer: the next events would fail as well.
      if (again.length > 0) return
    }
  }

  async #takeBatch(): Promise<readonly SpoolEntry[]> {
    const taken = await this.#spool.take(BATCH_EVENTS)
    let chars = 0
    const fitting = taken.findIndex(({ text }, index) => {
      chars += text.length
      return index > 0 && chars > BATCH_CHARS
    })
    if (fitting === -1) return taken
    await this.#spool.requeue(taken.slice(fitting))
    return taken.slice(0, fitting)
  }

  /**
   * The server answers again, so spooled events are delivered now. This is not part of the delivery, which has already
   * succeeded.
   */
  async #drainRest(): Promise<void> {
    try {
      if (!this.#isClosed && (await this.#spool.size()) > 0) await this.drain()
    } catch (error) {
      this.#onError(error)
    }
  }

  #emitted(outcome: 'delivered' | 'spooled'): void {
    this.#metrics.count('audit_emitted_total', { service: this.#service, outcome })
  }

  #dropped(reason: 'closed' | 'malformed' | 'refused' | 'spool', events = 1): void {
    this.#metrics.count('audit_dropped_total', { service: this.#service, reason }, events)
  }
}
