/** The speed of the disk under the database: the latency of one sync, and commits of one row with only the driver. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteDriver } from '../../../packages/server/src/runtime/store/sqlite-driver.js'
import type { BenchOptions, BenchTable } from '../harness.js'
import { formatRate } from '../harness.js'

const { Database } = sqliteDriver()

/** Sorted durations of `count` calls, in ms. */
function times(count: number, run: (index: number) => void): number[] {
  const all: number[] = []
  for (let index = 0; index < count; index++) {
    const startedMs = performance.now()
    run(index)
    all.push(performance.now() - startedMs)
  }
  return all.sort((a, b) => a - b)
}

export function diskTable({ quick }: BenchOptions): BenchTable {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
  const count = quick ? 50 : 2000
  try {
    const file = openSync(join(folder, 'file'), 'w')
    const page = Buffer.alloc(4096, 1)
    const syncs = times(count, () => {
      writeSync(file, page)
      fdatasyncSync(file)
    })
    closeSync(file)
    const database = new Database(join(folder, 'bench.db'))
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)')
    const insert = database.prepare('INSERT INTO t (text) VALUES (?)')
    const three = database.transaction(() => {
      for (let row = 0; row < 3; row++) insert.run('x'.repeat(200))
    })
    const commits = times(count, () => three())
    database.close()
    const row = (name: string, all: readonly number[]) => [
      name,
      formatRate(1000 / (all.reduce((sum, each) => sum + each, 0) / all.length)),
      (all[all.length >> 1] ?? 0).toFixed(2),
      (all[Math.floor(all.length * 0.99)] ?? 0).toFixed(2),
    ]
    return {
      title: 'The disk',
      unit: 'operations/s, ms',
      columns: ['operation', 'operations/s', 'p50', 'p99'],
      rows: [
        row('write of 4 KiB and fdatasync', syncs),
        row('one FULL commit of three inserts, driver alone', commits),
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
