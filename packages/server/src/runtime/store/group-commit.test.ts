/** A group of writes is durable or refused as a whole; an operation alone can fail without its neighbours. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../errors.js'
import { type GroupCommit, groupCommit } from './group-commit.js'
import type { SlowWrite } from './slow-write.js'
import { openConnection, type SqliteConnection, sqliteConnection } from './sqlite-connection.js'
import { sqliteDriver } from './sqlite-driver.js'

const { Database } = sqliteDriver()

let folder: string
let file: string
let connection: SqliteConnection
let commits: GroupCommit
let onSlow: (write: SlowWrite) => void = () => undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-commit-'))
  file = join(folder, 'test.db')
  connection = sqliteConnection(openConnection(file, 'write'), 'write')
  connection.driver.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY)')
  connection.driver.exec('CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent, note TEXT)')
  commits = groupCommit(connection, { onSlowWrite: (write) => onSlow(write), groupMsMax: Number.POSITIVE_INFINITY })
})

afterEach(async () => {
  await commits.close()
  connection.driver.close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (id: number, note = '') =>
  connection.db.rows(sql`INSERT INTO child (id, note) VALUES (${id}, ${note}) RETURNING id`)

/** What another connection sees: committed rows only. */
function committed(): number[] {
  const reader = new Database(file, { readonly: true })
  try {
    return reader.prepare('SELECT id FROM child ORDER BY id').pluck().all() as number[]
  } finally {
    reader.close()
  }
}

/** Makes the disk full: the file may not grow any more. */
function fillDisk(): void {
  const pages = connection.driver.pragma('page_count', { simple: true }) as number
  connection.driver.pragma(`max_page_count = ${pages}`)
}
const emptyDisk = () => connection.driver.pragma('max_page_count = 1073741823')
const LARGE = 'x'.repeat(200_000)

const refusals = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'rejected' && result.reason instanceof Refusal ? result.reason.code : result.status,
  )

describe('group commit', () => {
  it('carries writes that arrive together in one commit', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, id) => commits.submit('insert', () => insert(id))))
    expect(commits.counts).toEqual({ groups: 1, operations: 20, lostGroups: 0 })
    expect(committed()).toHaveLength(20)
  })

  it('gives the event loop a turn in a long group, and commits once', async () => {
    let group: 'open' | 'done' = 'open'
    let turns = 0
    const count = () => {
      if (group === 'done') return
      turns += 1
      setImmediate(count)
    }
    const busy = (id: number) => {
      const untilMs = performance.now() + 3
      while (performance.now() < untilMs);
      if (id === 0) setImmediate(count)
      return insert(id)
    }
    await Promise.all(Array.from({ length: 10 }, (_, id) => commits.submit('insert', () => busy(id))))
    group = 'done'
    expect(turns).toBeGreaterThanOrEqual(9)
    expect(commits.counts).toEqual({ groups: 1, operations: 10, lostGroups: 0 })
  })

  describe('after a large group', () => {
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
    const together = (many: GroupCommit, ids: readonly number[]) =>
      Promise.all(ids.map((id) => many.submit('insert', () => insert(id))))
    /** One a turn of the event loop, as requests come in. */
    async function oneByOne(many: GroupCommit, ids: readonly number[]): Promise<void> {
      const under: Promise<unknown>[] = []
      for (const id of ids) {
        under.push(many.submit('insert', () => insert(id)))
        await turn()
      }
      await Promise.all(under)
    }
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

    it('waits for as many again', async () => {
      const patient = groupCommit(connection, { groupMsMax: Number.POSITIVE_INFINITY, gatherMsMax: 10_000 })
      await together(patient, ids(1, 8))
      await oneByOne(patient, ids(100, 8))
      expect(patient.counts).toEqual({ groups: 2, operations: 16, lostGroups: 0 })
      await patient.close()
    })

    it('waits no longer than it may', async () => {
      const hasty = groupCommit(connection, { groupMsMax: Number.POSITIVE_INFINITY, gatherMsMax: 1 })
      await together(hasty, ids(1, 9))
      await oneByOne(hasty, ids(100, 2))
      expect(hasty.counts.operations).toBe(11)
      await hasty.close()
    })

    it('waits for nobody after a small one', async () => {
      const patient = groupCommit(connection, { groupMsMax: Number.POSITIVE_INFINITY, gatherMsMax: 600_000 })
      await together(patient, ids(1, 7))
      await oneByOne(patient, [100])
      expect(patient.counts).toEqual({ groups: 2, operations: 8, lostGroups: 0 })
      await patient.close()
    })
  })

  it('answers nobody before the commit', async () => {
    const seen: number[][] = []
    await Promise.all([
      commits.submit('first', () => insert(1)).then(() => seen.push(committed())),
      commits.submit('second', () => insert(2)).then(() => seen.push(committed())),
      commits.submit('fails', async () => Promise.reject(new Error('no'))).catch(() => seen.push(committed())),
    ])
    expect(seen).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ])
  })

  it('puts at most 256 operations into a group', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, id) => commits.submit('insert', () => insert(id))))
    expect(commits.counts).toEqual({ groups: 3, operations: 600, lostGroups: 0 })
  })

  it('lets timers and sockets run between groups, also when answers queue more writes', async () => {
    let loops = 0
    let isDone = false
    const count = () => {
      loops += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    for (let id = 0; id < 50; id++) await commits.submit('insert', () => insert(id))
    isDone = true
    expect(loops).toBeGreaterThanOrEqual(50)
  })

  it('refuses every member when the disk is full, also those whose savepoint was released', async () => {
    fillDisk()
    const results = await Promise.allSettled([
      commits.submit('small', () => insert(1)),
      commits.submit('large', () => insert(2, LARGE)),
      commits.submit('small', () => insert(3)),
    ])
    expect(refusals(results).slice(0, 2)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
    expect(committed()).not.toContain(1)
    expect(committed()).not.toContain(2)
    expect(commits.counts.lostGroups).toBe(1)

    emptyDisk()
    await commits.submit('large', () => insert(4, LARGE))
    expect(committed()).toContain(4)
  })

  it('refuses an operation that swallows the error of a lost transaction and goes on', async () => {
    fillDisk()
    const [result] = await Promise.allSettled([
      commits.submit('swallows', async () => {
        await insert(1, LARGE).catch(() => undefined)
        await insert(2).catch(() => undefined)
        return 'done'
      }),
    ])
    expect(refusals([result as PromiseSettledResult<unknown>])).toEqual(['SERVICE_UNAVAILABLE'])
    expect(committed()).toEqual([])
  })

  it('refuses every member when the commit fails, and recovers', async () => {
    const results = await Promise.allSettled([
      commits.submit('good', () => insert(1)),
      // A constraint that is looked at in the COMMIT stands for any reason why that may fail.
      commits.submit('deferred', async () => {
        connection.driver.pragma('defer_foreign_keys = ON')
        await connection.db.rows(sql`INSERT INTO child (id, parent) VALUES (2, 99) RETURNING id`)
      }),
    ])
    expect(refusals(results)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
    expect(committed()).toEqual([])
    await commits.submit('good', () => insert(3))
    expect(committed()).toEqual([3])
  })

  it('refuses all that wait when no transaction can begin', async () => {
    connection.driver.pragma('busy_timeout = 0')
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    const results = await Promise.allSettled([1, 2].map((id) => commits.submit('insert', () => insert(id))))
    expect(refusals(results)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
    other.exec('ROLLBACK')
    other.close()
    await commits.submit('insert', () => insert(3))
    expect(committed()).toEqual([3])
  })

  it('refuses a statement that runs after its write has ended', async () => {
    await commits.submit('insert', () => insert(1))
    await expect((async () => insert(2))()).rejects.toThrow(/outside its write/)
    expect(committed()).toEqual([1])
  })

  it('names a write that stays open, while it is open', async () => {
    const report = new Promise<SlowWrite>((resolve) => {
      onSlow = resolve
    })
    const [, noticed] = await Promise.all([commits.submit('org.role.create', () => report), report])
    expect(noticed.operation).toBe('org.role.create')
    expect(noticed.openMs).toBeGreaterThanOrEqual(49)
  })

  it('finishes what is queued when it closes, and then refuses', async () => {
    const queued = commits.submit('insert', () => insert(1))
    await commits.close()
    await queued
    expect(committed()).toEqual([1])
    await expect(commits.submit('late', () => insert(2))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
