/** A snapshot sees one state, and connections are shared, not piled up. */
import { eq, type Placeholder } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../../test/support/stores.js'
import { prepared } from './prepared.js'
import { snapshotReaders } from './snapshot-readers.js'
import type { SqliteStore } from './sqlite.js'
import { openConnection, type SqliteConnection, sqliteConnection } from './sqlite-connection.js'

const notes = sqliteTable('notes', { id: text('id').primaryKey() })

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
  store.writer.exec('CREATE TABLE notes (id TEXT PRIMARY KEY)')
})
afterAll(() => store.close())

const put = (id: string) => store.system.write(async (tx) => void (await tx.insert(notes).values({ id })))

describe('snapshots', () => {
  it('see one state of the database while others write', async () => {
    await put('before')
    const counts = await store.system.snapshot(async (db) => {
      const first = await db.$count(notes)
      await put('meanwhile')
      return [first, await db.$count(notes)]
    })
    expect(counts).toEqual([1, 1])
    expect(await store.system.snapshot((db) => db.$count(notes))).toBe(2)
  })

  it('open at most eight connections, and use them again after errors', async () => {
    const opened: SqliteConnection[] = []
    const readers = snapshotReaders(() => {
      const connection = sqliteConnection(openConnection(store.writer.name, 'read'), 'read')
      opened.push(connection)
      return connection
    })
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        readers.use(async (db) => {
          await db.$count(notes)
          if (index % 3 === 0) throw new Error('no')
        }),
      ),
    )
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(14)
    expect(opened.length).toBeLessThanOrEqual(8)
    await readers.close()
    expect(opened.every(({ driver }) => !driver.open)).toBe(true)
  })

  it('leave turns to others when many wait', async () => {
    const readers = snapshotReaders(() => sqliteConnection(openConnection(store.writer.name, 'read'), 'read'))
    let done = 0
    const asked = Array.from({ length: 32 }, () =>
      readers.use(async (db) => {
        await db.$count(notes)
        done += 1
      }),
    )
    const doneAtTurns: number[] = []
    while (done < asked.length) {
      await new Promise((resolve) => setImmediate(resolve))
      doneAtTurns.push(done)
    }
    await Promise.all(asked)
    await readers.close()
    // Eight connections: no turn ran more than eight of them.
    const inTurns = doneAtTurns.map((count, at) => count - (doneAtTurns[at - 1] ?? 0))
    expect(Math.max(...inTurns)).toBeLessThanOrEqual(8)
  })
})

describe('prepared queries', () => {
  it('are built once for each connection and answer for each value', async () => {
    let built = 0
    const byId = prepared((db, value: (name: 'id') => Placeholder) => {
      built += 1
      return db
        .select()
        .from(notes)
        .where(eq(notes.id, value('id')))
    })
    await put('p1')
    await put('p2')
    for (let round = 0; round < 3; round++) {
      const [one] = await store.system.read((db) => byId(db, { id: 'p1' }))
      const [two] = await store.system.read((db) => byId(db, { id: 'p2' }))
      expect([one?.id, two?.id]).toEqual(['p1', 'p2'])
    }
    const inWrite = await store.system.write((tx) => byId(tx, { id: 'p1' }))
    expect(inWrite.map(({ id }) => id)).toEqual(['p1'])
    expect(built).toBe(2)
  })
})
