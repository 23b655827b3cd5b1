/** Processes that share a PostgreSQL database hear one another without Redis, and know whether they do. */
import { createServer, connect as dial, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { POSTGRES_URL, postgresMissing, postgresStore } from '../../../test/support/stores.js'
import { silentLog } from '../log/log.js'
import type { Bus } from '../redis/redis.js'
import { postgresBus } from './postgres-bus.js'

const until = async (holds: () => boolean, what: string) => {
  for (let looks = 0; !holds(); looks++) {
    if (looks > 1000) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const missing = await postgresMissing()
describe.skipIf(missing !== null)(`the bus through PostgreSQL${missing === null ? '' : ` (${missing})`}`, () => {
  let store: Awaited<ReturnType<typeof postgresStore>>
  const open: Bus[] = []
  const busOn = (url: string): Bus => {
    const bus = postgresBus(url, silentLog)
    open.push(bus)
    return bus
  }
  beforeAll(async () => {
    store = await postgresStore()
  })
  afterAll(async () => {
    for (const bus of open) await bus.close()
    await store.close()
  })

  it('tells each process what any of them says, itself included', async () => {
    const [one, two] = [busOn(store.url), busOn(store.url)]
    const heard: unknown[] = []
    one.subscribe('here', (message) => heard.push(['one', message]))
    two.subscribe('here', (message) => heard.push(['two', message]))
    two.subscribe('elsewhere', (message) => heard.push(message))
    await until(() => one.isShared() && two.isShared(), 'both hear themselves')
    one.publish('here', { text: 'it’s "quoted"\n' })
    await until(() => heard.length >= 2, 'both hear')
    expect(heard.sort()).toEqual([
      ['one', { text: 'it’s "quoted"\n' }],
      ['two', { text: 'it’s "quoted"\n' }],
    ])
    // What PostgreSQL does not carry is told here alone; nothing fails.
    heard.length = 0
    one.publish('here', 'x'.repeat(9000))
    expect(heard).toEqual([['one', 'x'.repeat(9000)]])
  })

  it('listens again after its connection was cut, and says meanwhile that it hears nobody', async () => {
    const bus = busOn(store.url)
    const heard: unknown[] = []
    bus.subscribe('here', (message) => heard.push(message))
    await until(() => bus.isShared(), 'it hears')
    const admin = new pg.Client({ connectionString: POSTGRES_URL })
    await admin.connect()
    const name = new URL(store.url).pathname.slice(1)
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'plumbline bus'`,
      [name],
    )
    await admin.end()
    await until(() => !bus.isShared(), 'it notices')
    bus.publish('here', 'alone')
    expect(heard).toEqual(['alone'])
    await until(() => bus.isShared(), 'it hears again')
    busOn(store.url).subscribe('here', () => undefined)
    bus.publish('here', 'together')
    await until(() => heard.length >= 2, 'it is told')
    expect(heard).toEqual(['alone', 'together'])
  })

  it('does not count on a connection that never delivers, as a pooler’s', async () => {
    // Between the bus and the database: drops every notification, as a pooler by transaction does.
    const sockets: Socket[] = []
    const { hostname, port } = new URL(store.url)
    const host = decodeURIComponent(hostname)
    const server = createServer((from) => {
      const to = host.startsWith('/') ? dial(`${host}/.s.PGSQL.${port || 5432}`) : dial(Number(port || 5432), host)
      sockets.push(from, to)
      from.pipe(to)
      let rest = Buffer.alloc(0)
      to.on('data', (bytes) => {
        rest = Buffer.concat([rest, bytes])
        for (let length = 0; rest.length >= 5; rest = rest.subarray(length)) {
          length = rest.readUInt32BE(1) + 1
          if (rest.length < length) break
          if (rest[0] !== 'A'.charCodeAt(0)) from.write(rest.subarray(0, length))
        }
      })
      for (const socket of [from, to])
        socket.on('error', () => undefined).on('close', () => [from, to].map((each) => each.destroy()))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const through = new URL(store.url)
    through.hostname = '127.0.0.1'
    through.port = String((server.address() as { port: number }).port)
    const bus = busOn(through.href)
    const heard: unknown[] = []
    bus.subscribe('here', (message) => heard.push(message))
    await until(() => sockets.length >= 4, 'it gave the first connection up')
    expect(bus.isShared()).toBe(false)
    bus.publish('here', 'still told here')
    expect(heard).toEqual(['still told here'])
    await bus.close()
    server.close()
    for (const socket of sockets) socket.destroy()
  })
})
