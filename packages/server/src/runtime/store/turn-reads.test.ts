/** Reads of one turn share a transaction, and none of them sees less than what was committed before it was asked for. */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../../test/support/stores.js'
import type { SqliteStore } from './sqlite.js'
import { openConnection, type SqliteConnection, sqliteConnection } from './sqlite-connection.js'
import { readsOfTurn } from './turn-reads.js'

const notes = sqliteTable('notes', { id: text('id').primaryKey() })

let store: SqliteStore
let reader: SqliteConnection
beforeAll(async () => {
  store = await sqliteStore()
  store.writer.exec('CREATE TABLE notes (id TEXT PRIMARY KEY)')
  reader = sqliteConnection(openConnection(store.writer.name, 'read'), 'read')
})
afterAll(() => store.close())

const put = (id: string) => void store.writer.prepare('INSERT INTO notes VALUES (?)').run(id)
/** A clock that stands: no group is cut because the machine has other work. */
const still = () => 0
const count = (db: SqliteConnection['db']) => db.$count(notes)

describe('reads of one turn', () => {
  it('run in one transaction that has ended when the first is answered', async () => {
    const read = readsOfTurn(reader, () => false, still)
    const inside: boolean[] = []
    const asked = Array.from({ length: 5 }, () =>
      read(() => {
        inside.push(reader.driver.inTransaction)
        return reader.driver.inTransaction
      }),
    )
    expect(inside).toEqual([])
    await asked[0]
    expect([inside, reader.driver.inTransaction]).toEqual([[true, true, true, true, true], false])
    // Nobody to share it with: no transaction.
    expect(await read(() => reader.driver.inTransaction)).toBe(false)
  })

  it('see what is committed until the turn ends, and in later statements what comes after it', async () => {
    const read = readsOfTurn(reader, () => false, still)
    const before = await read(count)
    const asked = [read(count), read(async (db) => [await count(db), put('behind'), await count(db)])]
    put('meanwhile')
    const [first, later] = await Promise.all(asked)
    expect(first).toBe(before + 1)
    expect(later).toEqual([before + 1, undefined, before + 2])
  })

  it('fail each for itself, and outlast a closed connection', async () => {
    const read = readsOfTurn(reader, () => false)
    const results = await Promise.allSettled([
      read(count),
      read(() => {
        throw new Error('no')
      }),
      read(async () => {
        throw new Error('never')
      }),
      read(count),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(reader.driver.inTransaction).toBe(false)
    const late = [read(count), read(count)]
    reader.driver.close()
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('leave a turn to others when they take long, and all run', async () => {
    const own = sqliteConnection(openConnection(store.writer.name, 'read'), 'read')
    const read = readsOfTurn(own, () => false)
    const order: string[] = []
    const busy = (name: string) => () => {
      const until = performance.now() + 4
      while (performance.now() < until);
      order.push(name)
    }
    const asked = ['a', 'b', 'c', 'd'].map((name) => read(busy(name)))
    setImmediate(() => order.push('other'))
    await Promise.all(asked)
    own.driver.close()
    expect(order.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c', 'd'])
    expect(order.indexOf('other')).toBeLessThan(3)
  })

  it('are not put off inside a write', async () => {
    const seen = await store.system.write(async () => {
      let answered = false
      void store.system.read(() => {
        answered = true
      })
      return answered
    })
    expect(seen).toBe(true)
  })
})
