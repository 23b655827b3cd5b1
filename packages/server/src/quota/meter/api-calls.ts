/**
 * API calls, counted in memory and written once a second, or after a hundred calls of accounts that have a limit. A
 * crash loses at most one second of counts. Concurrent processes may together exceed a limit by the calls that each has
 * not written yet; in one process the limit is exact. Service principals and the system organization are not counted.
 *
 * INVARIANT: a call that is counted but not written is in `pending`, or in the single running write.
 */
import { LRUCache } from 'lru-cache'
import type { Service } from '../../runtime/manifest.js'
import type { Maybe } from '../../runtime/maybe.js'
import type { CallMeter, CountedCall } from '../../runtime/operation/call-meter.js'
import type { Authority, Principal, Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { readAccountLimit } from '../account/limit.js'
import { UNLIMITED } from '../limit/effective.js'
import { type QuotaState, quotaExceeded, quotaHeaders } from '../limit/exceeded.js'
import { type Period, periodOf } from '../limit/period.js'
import { noteThresholds } from '../notice/thresholds.js'
import { addWithin, readCounter } from './counters.js'

const TYPE = 'apiCalls'
const FLUSH_MS = 1000
const FLUSH_CALLS = 100
const FRESH_MS = 5000
const ORGANIZATIONS_MAX = 20_000

/** A counter of the database, with the calls counted here since its last write. */
interface Counter {
  readonly orgId: string
  readonly table: 'quotaPools' | 'quotaCounters'
  readonly period: Period
  limit: number
  /** As last read from the database, plus the amount that is being written. */
  used: number
  pending: number
}

/** What is cached of one organization, for a few seconds. */
interface Known {
  /** Counter of the account. */
  readonly pool: Counter
  /** Counter of the team; null for a root. */
  readonly team: Counter | null
  readonly rootOrgId: string
  readonly freshUntilMs: number
}

export interface ApiCalls extends CallMeter {
  readonly service: Service
  /** Writes the pending counts. */
  flush(): Promise<void>
}

/** @param onError called when counts could not be written; they are kept and written the next time. */
export const apiCalls = (runtime: Runtime, onError: (error: unknown) => void): ApiCalls =>
  new CountedApiCalls(runtime, onError)

class CountedApiCalls implements ApiCalls {
  readonly service: Service = {
    start: () => {
      this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
    },
    drain: async () => {
      this.#stop()
      await this.flush()
      await this.flush()
    },
    cut: () => this.#stop(),
  }
  readonly #runtime: Runtime
  readonly #onError: (error: unknown) => void
  readonly #known = new LRUCache<string, Known>({ max: ORGANIZATIONS_MAX })
  /** By table, organization and period, so that all organizations of an account share one counter. */
  readonly #counters = new LRUCache<string, Counter>({ max: 2 * ORGANIZATIONS_MAX })
  readonly #loading = new Map<string, Promise<Known>>()
  readonly #dirty = new Set<Counter>()
  #sinceFlush = 0
  #flushing: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(runtime: Runtime, onError: (error: unknown) => void) {
    this.#runtime = runtime
    this.#onError = onError
  }

  count(principal: Principal, { org, isSuperAdmin }: Authority): Maybe<CountedCall | null> {
    // A system administrator can help an account whose calls are used up, and their calls use up no account's.
    // guard: administrators-use-up-no-api-calls
    if (principal.kind !== 'user' || org === null || org.isSystem || isSuperAdmin) return null
    const nowMs = this.#runtime.clock.now()
    const found = this.#known.get(org.id)
    if (found !== undefined && nowMs < found.freshUntilMs && isWithin(found.pool.period, nowMs)) {
      return this.#countOn(found, nowMs)
    }
    return this.#loadOnce(org.id).then((loaded) => this.#countOn(loaded, nowMs))
  }

  forget(rootOrgId: string): void {
    for (const [orgId, known] of this.#known.entries()) if (known.rootOrgId === rootOrgId) this.#known.delete(orgId)
  }

  async flush(): Promise<void> {
    if (this.#flushing !== null) return this.#flushing
    // `pending` is negative when a call was taken back after it was written: the counter waits for further calls.
    const due = [...this.#dirty].filter(({ pending }) => pending > 0)
    this.#sinceFlush = 0
    if (due.length === 0) return
    this.#flushing = this.#write(due).finally(() => {
      this.#flushing = null
    })
    return this.#flushing
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #countOn({ pool, team }: Known, nowMs: number): CountedCall {
    refuseFull(pool, 'account', nowMs)
    if (team !== null) refuseFull(team, 'team', nowMs)
    this.#add(pool, 1)
    if (team !== null) this.#add(team, 1)
    if (pool.limit !== UNLIMITED && ++this.#sinceFlush >= FLUSH_CALLS) void this.flush()
    return {
      headers: () => (pool.limit === UNLIMITED ? null : quotaHeaders(stateOf(pool))),
      takeBack: () => {
        this.#add(pool, -1)
        if (team !== null) this.#add(team, -1)
      },
    }
  }

  #add(counter: Counter, amount: number): void {
    counter.pending += amount
    this.#dirty.add(counter)
  }

  /** Concurrent callers share one read. */
  #loadOnce(orgId: string): Promise<Known> {
    const running = this.#loading.get(orgId) ?? this.#load(orgId).finally(() => this.#loading.delete(orgId))
    this.#loading.set(orgId, running)
    return running
  }

  async #load(orgId: string): Promise<Known> {
    const { store, settings, clock } = this.#runtime
    const nowMs = clock.now()
    const { account, period, used, share } = await store.system.read(async (db) => {
      const account = await readAccountLimit(db, settings, orgId, TYPE)
      const period = periodOf(settings, account.tier, nowMs)
      const key = { type: TYPE, periodStartMs: period.startMs }
      const used = await readCounter(db, 'quotaPools', { ...key, orgId: account.rootOrgId })
      const share = account.isTeam ? await readCounter(db, 'quotaCounters', { ...key, orgId }) : 0
      return { account, period, used, share }
    })
    const found: Known = {
      rootOrgId: account.rootOrgId,
      pool: this.#counterOf('quotaPools', account.rootOrgId, period, account.pool.limit, used),
      team: account.isTeam ? this.#counterOf('quotaCounters', orgId, period, account.own, share) : null,
      freshUntilMs: nowMs + FRESH_MS,
    }
    this.#known.set(orgId, found)
    return found
  }

  #counterOf(table: Counter['table'], orgId: string, period: Period, limit: number, used: number): Counter {
    const key = `${table} ${orgId} ${period.startMs}`
    const counter = this.#counters.get(key) ?? { orgId, table, period, limit, used, pending: 0 }
    this.#counters.set(key, counter)
    counter.limit = limit
    // The running write may already be in the database: the larger value includes it.
    counter.used = this.#flushing === null ? used : Math.max(used, counter.used)
    return counter
  }

  async #write(due: readonly Counter[]): Promise<void> {
    const taken = due.map((counter) => ({ counter, amount: counter.pending }))
    for (const { counter, amount } of taken) {
      counter.used += amount
      counter.pending = 0
      this.#dirty.delete(counter)
    }
    try {
      const written = await this.#runtime.store.system.write(
        (tx) => addAll(tx, this.#runtime, taken),
        'quota.api-calls',
      )
      for (const [index, { counter }] of taken.entries()) counter.used = written[index] ?? counter.used
    } catch (error) {
      for (const { counter, amount } of taken) {
        counter.used -= amount
        this.#add(counter, amount)
      }
      this.#onError(error)
    }
  }
}

const isWithin = ({ startMs, endMs }: Period, nowMs: number): boolean => startMs <= nowMs && nowMs < endMs

const stateOf = ({ limit, used, pending, period }: Counter): QuotaState => ({
  type: TYPE,
  limit,
  used: used + pending,
  resetAtMs: period.endMs,
})

function refuseFull(counter: Counter, whose: 'account' | 'team', nowMs: number): void {
  const state = stateOf(counter)
  // guard: the-limit-of-api-calls
  if (state.limit !== UNLIMITED && state.used >= state.limit) throw quotaExceeded(state, whose, nowMs)
}

/**
 * Locks the accounts' rows by id, then the teams': every writer of several rows uses this order, so that none deadlock.
 */
async function addAll(
  tx: Tx,
  runtime: Runtime,
  taken: readonly { readonly counter: Counter; readonly amount: number }[],
): Promise<number[]> {
  const used: number[] = []
  const order = (at: number) => {
    const { table, orgId } = (taken[at] as (typeof taken)[number]).counter
    return `${table === 'quotaPools' ? 0 : 1} ${orgId}`
  }
  const inOrder = [...taken.keys()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
  for (const at of inOrder) {
    const { counter, amount } = taken[at] as (typeof taken)[number]
    const { orgId, table, period, limit } = counter
    const key = { orgId, type: TYPE, periodStartMs: period.startMs } as const
    // The calls were already made, so they are counted even above the limit.
    const after = (await addWithin(tx, table, key, amount, UNLIMITED)) ?? 0
    used[at] = after
    if (limit !== UNLIMITED) await noteThresholds(tx, runtime, { ...key, limit, used: after })
  }
  return used
}
