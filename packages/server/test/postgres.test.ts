/** The pool of PostgreSQL under bad weather: dropped connections, conflicts, exhaustion. On a real server only. */
import { eq, type Placeholder, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpTables } from '../src/runtime/http/tables.js'
import type { Db, Store } from '../src/runtime/store/db.js'
import { lockRow, storeOver } from '../src/runtime/store/postgres.js'
import { nodePostgresPool } from '../src/runtime/store/postgres-pool.js'
import { prepared } from '../src/runtime/store/prepared.js'
import { postgresMissing, postgresStore } from './support/stores.js'

const missing = await postgresMissing()
const { idempotencyKeys } = httpTables.sqlite

describe.skipIf(missing !== null)(`the store on PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let main: Awaited<ReturnType<typeof postgresStore>>
  let admin: pg.Client
  const opened: Store[] = []

  beforeAll(async () => {
    main = await postgresStore()
    admin = new pg.Client({ connectionString: main.url })
    await admin.connect()
    await admin.query('CREATE TABLE counters (id text PRIMARY KEY, value integer NOT NULL)')
    await admin.query('GRANT ALL ON counters TO plumbline_system')
    await admin.query("INSERT INTO counters VALUES ('a', 0), ('b', 0)")
  })
  afterAll(async () => {
    for (const store of opened) await store.close()
    await admin.end()
    await main.close()
  })

  const open = (options: {
    connectionsMax: number
    waitingMax?: number
    acquireTimeoutMs?: number
    statementTimeoutMs?: number
  }) => {
    const store = storeOver(nodePostgresPool({ url: main.url, ...options }), options)
    opened.push(store)
    return store
  }
  const run = (db: Db, text: string) => db.rows<{ value: number }>(sql.raw(text))
  const killOthers = () =>
    admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'plumbline'",
    )
  const value = async (id: string) =>
    (await admin.query<{ value: number }>('SELECT value FROM counters WHERE id = $1', [id])).rows[0]?.value

  it('reads again on a fresh connection when the server has dropped the idle ones', async () => {
    const store = open({ connectionsMax: 2 })
    await store.system.read((db) => run(db, 'SELECT 1 AS value'))
    await killOthers()
    expect(await store.system.read((db) => run(db, 'SELECT 2 AS value'))).toEqual([{ value: 2 }])
    await store.ping()
  })

  it('runs a write again when its connection is lost before the commit, and makes the change once', async () => {
    const store = open({ connectionsMax: 2 })
    let attempts = 0
    await store.system.write(async (tx) => {
      attempts += 1
      await run(tx, "UPDATE counters SET value = value + 1 WHERE id = 'a'")
      if (attempts === 1) await killOthers()
      await run(tx, 'SELECT 1 AS value')
    })
    expect(attempts).toBe(2)
    expect(await value('a')).toBe(1)
  })

  it('runs the loser of a deadlock again', async () => {
    const store = open({ connectionsMax: 4 })
    let attempts = 0
    let met = 0
    let meet: () => void = () => undefined
    const bothHold = new Promise<void>((resolve) => {
      meet = resolve
    })
    const both = (first: string, second: string) =>
      store.system.write(async (tx) => {
        attempts += 1
        await lockRow(tx, 'counters', first)
        met += 1
        if (met === 2) meet()
        await bothHold
        await lockRow(tx, 'counters', second)
        await run(tx, `UPDATE counters SET value = value + 10 WHERE id = '${first}'`)
      })
    await Promise.all([both('a', 'b'), both('b', 'a')])
    expect(attempts).toBe(3)
    expect(await value('b')).toBe(10)
  })

  it('refuses with 503 when no connection comes free in time, and when too many wait', async () => {
    const store = open({ connectionsMax: 1, waitingMax: 1, acquireTimeoutMs: 500 })
    let free: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      free = resolve
    })
    const holding = store.system.write(async () => held)
    const waits = store.system.read((db) => run(db, 'SELECT 1 AS value'))
    const refused = expect(waits).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    await new Promise((resolve) => setImmediate(resolve))
    await expect(store.system.read((db) => run(db, 'SELECT 1 AS value'))).rejects.toThrow(/are busy/)
    await refused
    free()
    await holding
    expect(await store.system.read((db) => run(db, 'SELECT 1 AS value'))).toEqual([{ value: 1 }])
  })

  it('lets reads that wait for a connection share one, and fails only the one that is wrong', async () => {
    const store = open({ connectionsMax: 1 })
    const org = (digit: number) => `${digit}3333333-3333-7333-8333-333333333333`
    const seen = "SELECT current_setting('app.org', true) AS org, txid_current_if_assigned() AS none"
    const reads = Array.from({ length: 30 }, (_, index) =>
      store
        .tenant({ orgId: org(index % 3), readableOrgIds: [] })
        .read((db) => db.rows<{ org: string }>(sql.raw(index % 7 === 3 ? 'SELECT 1 / 0' : seen)))
        .then(([row]) => row?.org)
        .catch((error: unknown) => (error as { cause?: { code?: string } }).cause?.code),
    )
    expect(await Promise.all(reads)).toEqual(
      Array.from({ length: 30 }, (_, index) => (index % 7 === 3 ? '22012' : org(index % 3))),
    )
  })

  it('uses connections that are free before reads share one', async () => {
    const store = open({ connectionsMax: 3 })
    const pid = () => store.system.read((db) => run(db, 'SELECT pg_backend_pid() AS value, pg_sleep(0.05)'))
    await Promise.all([pid(), pid(), pid()])
    const pids = (await Promise.all([pid(), pid(), pid()])).map(([row]) => row?.value)
    expect(new Set(pids).size).toBe(3)
  })

  const counter = prepared((db, id: (name: 'id') => Placeholder) =>
    db
      .select({ keyHash: httpTables(db).idempotencyKeys.keyHash })
      .from(httpTables(db).idempotencyKeys)
      .where(eq(httpTables(db).idempotencyKeys.keyHash, id('id'))),
  )

  describe('named statements', () => {
    const known = (store: Store) =>
      store.system.read((db) =>
        db.rows<{ name: string }>(sql.raw("SELECT name FROM pg_prepared_statements WHERE name LIKE 'pl\\_%'")),
      )

    it('are planned once for a connection', async () => {
      const store = open({ connectionsMax: 1 })
      for (let count = 0; count < 3; count++) await store.system.read((db) => counter(db, { id: 'x' }))
      expect(await known(store)).toHaveLength(1)
    })

    it.each(['read', 'write'] as const)(
      'are given up, and nothing fails, where a pooler loses them: %s',
      async (way) => {
        const store = open({ connectionsMax: 1 })
        const ask = () => store.system[way]((db: Db) => counter(db, { id: 'x' }))
        await ask()
        await store.system.write((tx) => run(tx, 'DEALLOCATE ALL'))
        expect(await ask()).toEqual([])
        expect(await ask()).toEqual([])
        expect(await known(store)).toEqual([])
      },
    )
  })

  it('cancels a statement that runs too long, with 503', async () => {
    const store = open({ connectionsMax: 1, statementTimeoutMs: 20 })
    await expect(store.system.read((db) => run(db, 'SELECT pg_sleep(60)'))).rejects.toMatchObject({ status: 503 })
    await expect(store.system.write((tx) => run(tx, 'SELECT pg_sleep(60)'))).rejects.toMatchObject({ status: 503 })
    await store.ping()
  })

  it('answers 503 when no server listens, without its address', async () => {
    const url = new URL(main.url)
    url.port = '1'
    const store = storeOver(nodePostgresPool({ url: url.href, connectionsMax: 1 }))
    const error = await store.system.read((db) => run(db, 'SELECT 1 AS value')).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ status: 503 })
    expect((error as Error).message).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|:1/)
    await expect(store.ping()).rejects.toMatchObject({ status: 503 })
    await store.close()
  })

  describe('a statement that is sent with COMMIT', () => {
    const increment = (tx: Db, id: string) => run(tx, `UPDATE counters SET value = value + 1 WHERE id = '${id}'`)

    it('is part of the transaction, in the order in which it was given', async () => {
      const store = open({ connectionsMax: 1 })
      const before = Number(await value('b'))
      const answers: unknown[] = []
      await store.system.write(async (tx) => {
        for (const factor of [2, 3]) {
          const text = `UPDATE counters SET value = value * ${factor} + 1 WHERE id = 'b' RETURNING value`
          await tx.withCommit(async () => answers.push((await run(tx, text))[0]?.value))
        }
        await increment(tx, 'b')
        expect(answers).toEqual([])
      })
      const doubled = (before + 1) * 2 + 1
      expect(answers).toEqual([doubled, doubled * 3 + 1])
      expect(await value('b')).toBe(doubled * 3 + 1)
    })

    it.each([
      ['the database refuses', (tx: Db) => run(tx, "INSERT INTO counters VALUES ('a', NULL)")],
      [
        'cannot be sent',
        (tx: Db) => {
          const toPostgres = () => {
            throw new Error('has no text')
          }
          return counter(tx, { id: { toPostgres } })
        },
      ],
    ])('changes nothing when it is one that %s, and the connection stays usable', async (_, statement) => {
      const store = open({ connectionsMax: 1 })
      const before = await value('a')
      const outcome = store.system.write(async (tx) => {
        await increment(tx, 'a')
        await tx.withCommit(() => statement(tx))
      })
      await expect(outcome).rejects.toThrow()
      expect(await value('a')).toBe(before)
      await store.system.write((tx) => increment(tx, 'a'))
      expect(await value('a')).toBe(Number(before) + 1)
    })
  })

  it('refuses to write in a read', async () => {
    for (const read of [main.system.read, main.system.snapshot]) {
      await expect(
        read(async (db) => {
          await db.delete(httpTables(db).idempotencyKeys).where(eq(idempotencyKeys.keyHash, 'x'))
        }),
      ).rejects.toThrow()
    }
  })

  it('keeps no setting in a session', async () => {
    const store = open({ connectionsMax: 1 })
    const org = '33333333-3333-7333-8333-333333333333'
    const scope = store.tenant({ orgId: org, readableOrgIds: [] })
    const who = "SELECT current_user AS role, current_setting('app.org', true) AS org"
    const [inside] = await scope.read((db) => db.rows(sql.raw(who)))
    expect(inside).toEqual({ role: 'plumbline_tenant', org })
    await scope.write(async () => Promise.reject(new Error('rolled back'))).catch(() => undefined)
    const [outside] = await store.system.read((db) => db.rows(sql.raw(who)))
    expect(outside).toEqual({ role: 'plumbline_system', org: '' })
  })
})
