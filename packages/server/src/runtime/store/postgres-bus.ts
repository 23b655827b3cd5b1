/**
 * The bus between processes that share a PostgreSQL database and have no Redis: `LISTEN` and `NOTIFY` on a separate
 * connection.
 *
 * A pooler in transaction mode accepts `LISTEN` and delivers nothing. So the connection counts as working only after it
 * has received its own message. Until then, and while it is lost, this process reaches only itself and reports so
 * (`isShared`). Source: spec platform 26.3; ADR 75.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log/log.js'
import { type Bus, localBus } from '../redis/redis.js'

const CHANNEL = 'plumbline_bus'
/** PostgreSQL limits a payload to less than 8000 bytes. */
const BYTES_MAX = 7999
const CONNECT_MS_MAX = 5000
const ECHO_MS_MAX = 2000
const RETRY_MS_MAX = 5000
/** How often an idle connection is tested. */
const ASK_MS = 30_000

interface Told {
  readonly channel: string
  readonly message: unknown
}

const ECHO = 'bus.echo'

/** @param url A login that may connect. It needs no rights on tables. */
export const postgresBus = (url: string, log: Log): Bus => new PostgresBus(url, log)

class PostgresBus implements Bus {
  readonly subscribe: Bus['subscribe']
  readonly #url: string
  readonly #log: Log
  readonly #local = localBus()
  #client: pg.Client | null = null
  #isShared = false
  #isClosed = false
  #attempt = 0
  #timer: NodeJS.Timeout | undefined
  #heardEcho: ((id: unknown) => void) | undefined

  constructor(url: string, log: Log) {
    this.#url = url
    this.#log = log
    this.subscribe = this.#local.subscribe
    this.#local.subscribe(ECHO, (id) => this.#heardEcho?.(id))
    void this.#connect()
  }

  isShared(): boolean {
    return this.#isShared
  }

  publish(channel: string, message: unknown): void {
    const client = this.#client
    const fits = Buffer.byteLength(JSON.stringify({ channel, message })) <= BYTES_MAX
    if (client === null || !this.#isShared || !fits) {
      this.#local.publish(channel, message)
      return
    }
    notify(client, { channel, message }).catch((error: unknown) => {
      this.#local.publish(channel, message)
      this.#log.write('bus.publish_failed', { error, channel })
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#isShared = false
    clearTimeout(this.#timer)
    const open = this.#client
    this.#client = null
    await open?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const opened = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: CONNECT_MS_MAX,
      keepAlive: true,
      application_name: 'plumbline bus',
    })
    this.#client = opened
    opened.on('error', (error) => this.#lose(opened, error))
    opened.on('end', () => this.#lose(opened, new Error('the connection ended')))
    opened.on('notification', ({ payload = '' }) => this.#hear(payload))
    try {
      await opened.connect()
      await opened.query(`LISTEN ${CHANNEL}`)
      await this.#ask(opened)
    } catch (error) {
      this.#lose(opened, error)
    }
  }

  #hear(payload: string): void {
    const told = read(payload)
    if (told === null) this.#log.write('bus.message_unreadable', { channel: CHANNEL })
    else this.#local.publish(told.channel, told.message)
  }

  /** Sends a message and waits to receive it. When it arrives, every other process receives messages too. */
  async #ask(opened: pg.Client): Promise<void> {
    const id = randomUUID()
    const echo = new Promise<boolean>((resolve) => {
      const waiting = setTimeout(() => resolve(false), ECHO_MS_MAX)
      this.#heardEcho = (heard) => {
        if (heard !== id) return
        clearTimeout(waiting)
        resolve(true)
      }
    })
    await notify(opened, { channel: ECHO, message: id })
    if (!(await echo)) throw new Error('the connection does not deliver what it listens for: is it a pooler?')
    if (opened !== this.#client) return
    if (!this.#isShared) this.#log.write('bus.connection_ready', { channel: CHANNEL })
    this.#isShared = true
    this.#attempt = 0
    this.#later(ASK_MS, () => this.#ask(opened).catch((error: unknown) => this.#lose(opened, error)))
  }

  #lose(lost: pg.Client, error: unknown): void {
    if (lost !== this.#client) return
    this.#client = null
    if (this.#isShared) this.#log.write('bus.connection_lost', { error })
    this.#isShared = false
    lost.end().catch(() => undefined)
    if (this.#isClosed) return
    this.#attempt += 1
    this.#later(Math.min(RETRY_MS_MAX, 100 * 2 ** Math.min(this.#attempt, 10)), () => void this.#connect())
  }

  #later(ms: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, ms)
    this.#timer.unref()
  }
}

const notify = async (client: pg.Client, told: Told): Promise<void> => {
  await client.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(told)])
}

function read(payload: string): Told | null {
  try {
    const { channel, message } = JSON.parse(payload) as { channel?: unknown; message?: unknown }
    return typeof channel === 'string' ? { channel, message } : null
  } catch {
    return null
  }
}
