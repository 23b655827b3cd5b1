/**
 * Processes that write and seal on one database, killed at random and started again, and what must hold afterwards: every
 * chain verifies, and holds each acknowledged event once.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyLog } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc } from 'drizzle-orm'
import { readPages } from '../../src/audit/chain/read-pages.js'
import { auditSequencer } from '../../src/audit/chain/start-sequencer.js'
import { auditTables } from '../../src/audit/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { noMetrics } from '../../src/runtime/metrics/port.js'
import type { Store } from '../../src/runtime/store/db.js'

export interface RaceOptions {
  /** The bundle of `race-worker.ts`. */
  readonly worker: string
  /** `postgres://…`, or the file of a SQLite database. */
  readonly address: string
  readonly processes: number
  readonly kills: number
  readonly random: () => number
  readonly lease: boolean
}

interface Worker {
  readonly process: ChildProcess
  /** Ids of events that it saw committed; those that it printed before it died. */
  readonly committed: string[]
  readonly ended: Promise<void>
}

/** More than a worker writes in its life. */
const SHARE = 1_000_000
/** Events of a victim between two kills. */
const PROGRESS_MAX = 100

function start({ worker, address, lease }: RaceOptions): Worker {
  const child = spawn(process.execPath, [worker, address, String(SHARE), lease ? 'lease' : 'none'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const committed: string[] = []
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    committed.push(...lines)
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return { process: child, committed, ended }
}

/** @throws Error when the worker ends by itself: there is nothing to kill then. */
async function progress({ process: child, committed }: Worker, count: number): Promise<void> {
  const target = committed.length + count
  while (committed.length < target) {
    if (child.exitCode !== null) throw new Error(`a worker ended by itself with ${child.exitCode}`)
    await sleep(2)
  }
}

/** @returns the ids of all events that a process saw committed. */
export async function race(options: RaceOptions): Promise<string[]> {
  const { processes, kills, random } = options
  const committed: string[] = []
  const crew = Array.from({ length: processes }, () => start(options))
  const kill = async (worker: Worker) => {
    worker.process.kill('SIGKILL')
    await worker.ended
    for (const id of worker.committed) committed.push(id)
  }
  try {
    for (let count = 0; count < kills; count++) {
      const at = Math.floor(random() * processes)
      await progress(crew[at] as Worker, 1 + Math.floor(random() * PROGRESS_MAX))
      await kill(crew[at] as Worker)
      crew[at] = start(options)
    }
    // Each of the last ones wrote too.
    for (const worker of crew) await progress(worker, 1)
  } finally {
    for (const worker of crew) await kill(worker)
  }
  return committed
}

export interface RaceReport {
  readonly chains: number
  readonly events: number
  readonly failures: string[]
}

/** Seals what waits, verifies every chain from its first row to its head, and looks for each acknowledged event. */
export async function judgeRace(store: Store, committed: readonly string[]): Promise<RaceReport> {
  const failures: string[] = []
  const onError = (error: unknown) => void failures.push(String(error))
  const sequencer = auditSequencer({ store, clock: systemClock, metrics: noMetrics, onError })
  if (!(await sequencer.drain(30_000))) failures.push('the outbox does not become empty')
  await sequencer.stop()
  const ids: string[] = []
  const chains = await store.system.snapshot(async (db) => {
    const { auditEvents, auditHeads } = auditTables(db)
    const heads = await db.select().from(auditHeads).orderBy(asc(auditHeads.chain))
    const named = new Set(heads.map(({ chain }) => chain))
    for (const { chain } of await db.selectDistinct({ chain: auditEvents.chain }).from(auditEvents))
      if (!named.has(chain)) failures.push(`chain ${chain} has no head`)
    for (const { chain, seq, hash } of heads) {
      const rows = []
      for await (const page of readPages(db, chain, { after: 0, strict: false })) rows.push(...page)
      const report = verifyLog(nodeCrypto, rows, { chain, head: { seq, hash } })
      if (report.verdict !== 'valid' || report.count !== seq) {
        failures.push(`chain ${chain}: ${report.verdict}, ${report.reason} at ${report.brokenSeq} of ${report.count}`)
      }
      // One by one: a call takes no hundred thousand arguments.
      for (const { id } of rows) ids.push(id)
    }
    return heads.length
  })
  const sealed = new Set(ids)
  if (sealed.size !== ids.length) failures.push(`${ids.length - sealed.size} events are in a chain twice`)
  const lost = committed.filter((id) => !sealed.has(id))
  if (lost.length > 0) failures.push(`${lost.length} acknowledged events are lost, the first ${lost[0]}`)
  return { chains, events: ids.length, failures }
}
