/**
 * The process under test: the real store, with a command that leaves evidence, under many clients at once. A number is
 * acknowledged, in a file beside the database, when its command has answered.
 *
 * Arguments: `kill FOLDER` writes, and seals evidence, until it is killed; `verify FOLDER` verifies the chain that is left; `replay FOLDER COUNT SYNCHRONOUS` writes COUNT and exits without
 * closing; `faults FOLDER CONTROL POINTS KIND` fails one call after the other and looks at what was answered.
 */
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { chainKey } from '@plumbline/audit-chain'
import { auditSequencer } from '../../src/audit/chain/start-sequencer.js'
import { verifyStoredChain } from '../../src/audit/chain/verify-chain.js'
import type { AuditLog } from '../../src/audit/log.js'
import { identityTables } from '../../src/identity/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { Refusal } from '../../src/runtime/errors.js'
import type { Metrics } from '../../src/runtime/metrics/port.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import type { SqliteStore } from '../../src/runtime/store/sqlite.js'
import { change, ORG } from './change.js'

const CLIENTS = 32

async function nextNumber(store: SqliteStore): Promise<number> {
  const { roles } = identityTables(store)
  return 1 + (await store.system.read((db) => db.$count(roles)))
}

/** Every client writes, acknowledges, and writes again, until `count` numbers are given out. */
async function writeMany(folder: string, count: number, synchronous = 'FULL', isSealing = false): Promise<void> {
  const store = await openSqliteStore(join(folder, 'plumbline.db'))
  store.writer.pragma(`synchronous = ${synchronous}`)
  // Checkpoints are rare in a small run and the riskiest moment of it, so they are made frequent.
  store.writer.pragma('wal_autocheckpoint = 60')
  const acknowledged = openSync(join(folder, 'acknowledged'), 'a')
  const metrics = { count: () => undefined, observe: () => undefined, gauge: () => undefined } as unknown as Metrics
  const onError = (error: unknown) => {
    throw error
  }
  const sequencer = isSealing ? auditSequencer({ store, clock: systemClock, metrics, onError }) : null
  let number = await nextNumber(store)
  const last = number + count
  sequencer?.wake()
  process.stdout.write('ready\n')
  const client = async () => {
    while (number < last) {
      const own = number++
      await change(store, own)
      writeSync(acknowledged, `${own}\n`)
      sequencer?.wake()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

const FAULTS = { enospc: 1, eio: 2, sync: 3 } as const

/** One fault at each point: whatever is answered must be true, and the next write must succeed. */
async function failEach(folder: string, control: number, points: number, kind: keyof typeof FAULTS): Promise<void> {
  const store = await openSqliteStore(join(folder, 'plumbline.db'))
  store.writer.pragma('wal_autocheckpoint = 60')
  const { roles } = identityTables(store)
  const arm = (mode: number, after: number, count: number) =>
    writeSync(control, Buffer.from(Int32Array.of(mode, after, count, 0).buffer), 0, 16, 0)
  let number = await nextNumber(store)
  let refusals = 0
  const problems: string[] = []
  const answered = new Map<number, boolean>()
  for (let point = 0; point < points; point++) {
    arm(FAULTS[kind], point % (kind === 'sync' ? 4 : 40), 1 + (point % 3))
    const own = Array.from({ length: 8 }, () => number++)
    const results = await Promise.allSettled(own.map((each) => change(store, each)))
    arm(0, 0, 0)
    results.forEach((result, index) => {
      const isRefused = result.status === 'rejected'
      if (isRefused) refusals += 1
      if (isRefused && !(result.reason instanceof Refusal && result.reason.status === 503)) {
        problems.push(`point ${point}: ${String(result.reason)} is no 503`)
      }
      answered.set(own[index] ?? 0, !isRefused)
    })
    const probe = number++
    await change(store, probe).catch((error: unknown) => problems.push(`point ${point}: no recovery: ${String(error)}`))
    answered.set(probe, true)
  }
  const stored = new Set(
    (await store.system.read((db) => db.select({ id: roles.id }).from(roles))).map(({ id }) => Number(id.slice(5))),
  )
  for (const [each, isAcknowledged] of answered) {
    if (isAcknowledged !== stored.has(each)) {
      problems.push(`${each} was ${isAcknowledged ? 'acknowledged and is lost' : 'refused and is stored'}`)
    }
  }
  const integrity = String(store.writer.pragma('integrity_check', { simple: true }))
  if (integrity !== 'ok') problems.push(integrity)
  const { lostGroups } = store.commits
  await store.close()
  process.stdout.write(
    `${JSON.stringify({ points, writes: answered.size, refusals, lostGroups, problems: problems.slice(0, 20) })}\n`,
  )
}

const [mode, folder = '', ...rest] = process.argv.slice(2)
if (mode === 'kill') await writeMany(folder, Number.MAX_SAFE_INTEGER / 2, 'FULL', true)
else if (mode === 'verify') {
  const store = await openSqliteStore(join(folder, 'plumbline.db'))
  // No checkpoints are made here: the links, the hashes and the head are what is verified.
  const log = { origin: 'proof', logKeys: [], witnessKey: null } as unknown as AuditLog
  const {
    count,
    reason = null,
    verdict,
  } = await store.system.snapshot((db) =>
    verifyStoredChain(db, log, chainKey({ orgId: ORG, affectedOrgId: ORG }), null),
  )
  process.stdout.write(JSON.stringify({ count, reason, verdict }))
  await store.close()
} else if (mode === 'replay') {
  await writeMany(folder, Number(rest[0]), rest[1])
  // Neither a checkpoint nor a close: what is in the record is what a running server wrote.
  process.kill(process.pid, 'SIGKILL')
} else if (mode === 'faults') {
  await failEach(folder, openSync(rest[0] ?? '', 'r+'), Number(rest[1]), rest[2] as keyof typeof FAULTS)
}
