/**
 * Goal: several processes that seal at once never fork a chain, and lose no event that was committed, though they are
 * killed at random moments. Method: processes without the lease, SIGKILL from a seeded series, then a full verification.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifyLog } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc, eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { recordOf } from '../../src/audit/chain/read-record.js'
import { auditSequencer } from '../../src/audit/chain/start-sequencer.js'
import { auditTables } from '../../src/audit/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { noMetrics } from '../../src/runtime/metrics-port.js'
import type { Store } from '../../src/runtime/store/db.js'
import { migrate } from '../../src/runtime/store/migrate.js'
import { openSqlite } from '../../src/runtime/store/sqlite.js'
import { postgresMissing, postgresStore } from '../stores.js'
import { ORG_A, ORG_B } from './evidence.js'

const WORKER = fileURLToPath(new URL('race-worker.ts', import.meta.url))
const missing = await postgresMissing()

interface Worker {
  readonly process: ChildProcess
  /** Ids of events that it saw committed. */
  readonly committed: string[]
  readonly ended: Promise<number | null>
}

function work(address: string, share: number): Worker {
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER, address, String(share)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const committed: string[] = []
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    committed.push(...lines)
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return { process: child, committed, ended }
}

/** Resolves when the worker has committed so many more events. */
async function progress(worker: Worker, count: number): Promise<void> {
  const target = worker.committed.length + count
  while (worker.committed.length < target) {
    if (worker.process.exitCode !== null) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function check(store: Store, committed: readonly string[]): Promise<void> {
  const sequencer = auditSequencer({ store, clock: systemClock, metrics: noMetrics, onError: () => undefined })
  expect(await sequencer.drain(30_000)).toBe(true)
  await sequencer.stop()
  const ids: string[] = []
  for (const chain of [ORG_A, ORG_B]) {
    const { rows, head } = await store.system.snapshot(async (db) => {
      const { auditEvents: t, auditHeads: h } = auditTables(db)
      return {
        rows: await db.select().from(t).where(eq(t.chain, chain)).orderBy(asc(t.seq)),
        head: (await db.select().from(h).where(eq(h.chain, chain)))[0],
      }
    })
    const report = verifyLog(nodeCrypto, rows.map(recordOf), { chain, head: head ?? null })
    expect(report).toMatchObject({ verdict: 'valid', count: rows.length, lastSeq: rows.length })
    ids.push(...rows.map(({ id }) => id))
  }
  expect(new Set(ids).size).toBe(ids.length)
  const sealed = new Set(ids)
  expect(committed.filter((id) => !sealed.has(id))).toEqual([])
}

describe('processes that seal at once', () => {
  const cleanUp: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const run of cleanUp.splice(0).reverse()) await run()
  })

  it.skipIf(missing !== null)(
    `never fork on PostgreSQL: three of them, killed at random${missing === null ? '' : ` (${missing})`}`,
    { timeout: 180_000 },
    async () => {
      const store = await postgresStore()
      cleanUp.push(() => store.close())
      const committed: string[] = []
      let state = 20_261_121
      const random = (below: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state % below
      }
      const crew = Array.from({ length: 3 }, () => work(store.url, 100_000))
      for (let kill = 0; kill < 6; kill++) {
        const at = random(3)
        const victim = crew[at] as Worker
        await progress(victim, 20 + random(100))
        victim.process.kill('SIGKILL')
        await victim.ended
        committed.push(...victim.committed)
        crew[at] = work(store.url, 100_000)
      }
      for (const worker of crew) {
        await progress(worker, 20)
        worker.process.kill('SIGKILL')
        await worker.ended
        committed.push(...worker.committed)
      }
      expect(committed.length).toBeGreaterThan(200)
      await check(store, committed)
    },
  )

  it('never fork on SQLite: two of them on one file', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-race-'))
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'plumbline.db')
    const store = openSqlite(file)
    cleanUp.push(() => store.close())
    await migrate({
      dialect: 'sqlite',
      exec: async (statement) => void store.writer.exec(statement),
      rows: async (query) => store.writer.prepare(query).all() as Record<string, unknown>[],
    })
    const first = work(file, 100_000)
    const second = work(file, 400)
    await progress(first, 200)
    first.process.kill('SIGKILL')
    await first.ended
    expect(await second.ended).toBe(0)
    expect(second.committed).toHaveLength(800)
    await check(store, [...first.committed, ...second.committed])
  })
})
