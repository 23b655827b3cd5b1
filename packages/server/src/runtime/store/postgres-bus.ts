/**
 * The bus between processes that share a PostgreSQL database and have no Redis: `LISTEN` and `NOTIFY` on one connection of its
 * own, beside the pools. A pooler by transaction takes a `LISTEN` and delivers nothing, so the connection counts only after
 * it has heard itself; until then, and whenever it is lost, this process hears itself alone and says so (`isShared`).
 * Source: spec platform 26.3; ADR 75.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log/log.js'
import { type Bus, localBus } from '../redis/redis.js'

const CHANNEL = 'plumbline_bus'
/** PostgreSQL takes 8000 bytes less one. */
const BYTES_MAX = 7999
const CONNECT_MS_MAX = 5000
const ECHO_MS_MAX = 2000
const RETRY_MS_MAX = 5000
/** How often a silent connection is asked whether it still hears. */
const ASK_MS = 30_000

interface Told {
  readonly channel: string
  readonly message: unknown
}

const ECHO = 'bus.echo'

/** @param url a login that may connect; it needs no right on any table. */
export function postgresBus(url: string, log: Log): Bus {
  const local = localBus()
  let client: pg.Client | null = null
  let isShared = false
  let isClosed = false
  let attempt = 0
  let timer: NodeJS.Timeout | undefined
  let heardEcho: ((id: unknown) => void) | undefined
  local.subscribe(ECHO, (id) => heardEcho?.(id))

  const later = (ms: number, run: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
    timer.unref()
  }

  function lose(lost: pg.Client, error: unknown): void {
    if (lost !== client) return
    client = null
    if (isShared) log.write('bus.connection_lost', { error })
    isShared = false
    lost.end().catch(() => undefined)
    if (isClosed) return
    attempt += 1
    later(Math.min(RETRY_MS_MAX, 100 * 2 ** Math.min(attempt, 10)), () => void connect())
  }

  async function connect(): Promise<void> {
    const opened = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: CONNECT_MS_MAX,
      keepAlive: true,
      application_name: 'plumbline bus',
    })
    client = opened
    opened.on('error', (error) => lose(opened, error))
    opened.on('end', () => lose(opened, new Error('the connection ended')))
    opened.on('notification', ({ payload = '' }) => {
      const told = read(payload)
      if (told === null) log.write('bus.message_unreadable', { channel: CHANNEL })
      else local.publish(told.channel, told.message)
    })
    try {
      await opened.connect()
      await opened.query(`LISTEN ${CHANNEL}`)
      await ask(opened)
    } catch (error) {
      lose(opened, error)
      return
    }
  }

  /** Says something and waits to hear it: then everybody else hears it too. */
  async function ask(opened: pg.Client): Promise<void> {
    const id = randomUUID()
    const echo = new Promise<boolean>((resolve) => {
      const waiting = setTimeout(() => resolve(false), ECHO_MS_MAX)
      heardEcho = (heard) => {
        if (heard !== id) return
        clearTimeout(waiting)
        resolve(true)
      }
    })
    await notify(opened, { channel: ECHO, message: id })
    if (!(await echo)) throw new Error('the connection does not deliver what it listens for: is it a pooler?')
    if (opened !== client) return
    if (!isShared) log.write('bus.connection_ready', { channel: CHANNEL })
    isShared = true
    attempt = 0
    later(ASK_MS, () => ask(opened).catch((error: unknown) => lose(opened, error)))
  }

  void connect()
  return {
    isShared: () => isShared,
    publish(channel, message) {
      const fits = Buffer.byteLength(JSON.stringify({ channel, message })) <= BYTES_MAX
      if (client === null || !isShared || !fits) {
        local.publish(channel, message)
        return
      }
      notify(client, { channel, message }).catch((error: unknown) => {
        local.publish(channel, message)
        log.write('bus.publish_failed', { error, channel })
      })
    },
    subscribe: local.subscribe,
    async close() {
      isClosed = true
      isShared = false
      clearTimeout(timer)
      const open = client
      client = null
      await open?.end().catch(() => undefined)
    },
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
