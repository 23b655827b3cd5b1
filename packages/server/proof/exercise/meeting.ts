/**
 * Requests that meet: on PostgreSQL the transaction of each stays open until that of every other one has done its work too,
 * or waits for a lock that one of them holds. Whatever reads before it locks has read the same then, no matter which was faster.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../src/app.js'
import type { Store, StoreScope } from '../../src/runtime/store/db.js'
import type { ProofDatabase } from '../world/database.js'

const LOOK_MS = 2
const BLOCKED = `SELECT count(*) AS blocked FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

interface Request {
  isDone: boolean
  /** What lets its transactions commit. */
  readonly held: (() => void)[]
}

/** On SQLite, which has one writer, requests are only sent together. */
export class Meeting {
  readonly #database: ProofDatabase
  readonly #own = new AsyncLocalStorage<Request>()
  #requests: Request[] = []
  #isLooking = false

  /** Takes the place of the app's store. */
  constructor(app: App, database: ProofDatabase) {
    this.#database = database
    if (database.engine !== 'sqlite') Object.assign(app.runtime, { store: this.#over(app.runtime.store) })
  }

  /** Sends all at once. */
  async of<T>(all: readonly (() => Promise<T>)[]): Promise<T[]> {
    const requests: Request[] = all.map(() => ({ isDone: false, held: [] }))
    this.#requests = requests
    try {
      return await Promise.all(
        all.map(async (send, at) => {
          const request = requests[at] as Request
          try {
            return await this.#own.run(request, send)
          } finally {
            request.isDone = true
          }
        }),
      )
    } finally {
      this.#requests = []
    }
  }

  #over(store: Store): Store {
    const scope = (given: StoreScope): StoreScope => ({
      ...given,
      write: (run, operation) =>
        given.write(async (tx) => {
          const value = await run(tx)
          await this.#arrive()
          return value
        }, operation),
    })
    return { ...store, system: scope(store.system), tenant: (key) => scope(store.tenant(key)) }
  }

  async #arrive(): Promise<void> {
    const request = this.#own.getStore()
    if (request === undefined || request.isDone || !this.#requests.includes(request)) return
    await new Promise<void>((commit) => {
      request.held.push(commit)
      void this.#look()
    })
  }

  /** Lets transactions commit once no request can do more without that. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    while (this.#requests.some(({ held }) => held.length > 0)) {
      const [row] = await this.#database.rows(BLOCKED)
      const ready = this.#requests.filter(({ isDone, held }) => isDone || held.length > 0).length
      if (ready + Number(row?.['blocked']) >= this.#requests.length) {
        for (const { held } of this.#requests) for (const commit of held.splice(0)) commit()
      }
      await sleep(LOOK_MS)
    }
    this.#isLooking = false
  }
}
