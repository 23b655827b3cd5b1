/**
 * Goal: sealed events are signed on time, at once when a chain grew by many events, and completely at shutdown; copies
 * and witnesses get the checkpoints.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  checkNote,
  cosign,
  createSigningKey,
  createVerifierKey,
  directoryCheckpoint,
  formatVerifierKey,
  parseCheckpoint,
  type WitnessedTree,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditSettings, evidence, ORG_A, ORG_B, runtimeOver } from '../../test/support/audit/evidence.js'
import { sqliteStore } from '../../test/support/stores.js'
import { systemClock } from '../runtime/clock.js'
import type { JobContext } from '../runtime/jobs/define.js'
import { jobTables } from '../runtime/jobs/tables.js'
import type { Runtime } from '../runtime/operation/context.js'
import type { Settings } from '../runtime/settings/load.js'
import type { Store } from '../runtime/store/db.js'
import { checkpointOf } from './chain/read-anchor.js'
import { publishCheckpoint } from './checkpoint/publish.js'
import { WitnessConflict } from './checkpoint/witness.js'
import { auditLog } from './log.js'
import { type Audit, createAudit } from './service.js'

const witnessKey = createSigningKey(nodeCrypto, 'witness.example/w1', new Uint8Array(32).fill(3), 'cosignature')
const witnessText = formatVerifierKey(
  createVerifierKey(nodeCrypto, witnessKey.name, witnessKey.publicKey, 'cosignature'),
)

let store: Store
let folder: string
let failures: unknown[]
beforeEach(async () => {
  store = await sqliteStore()
  folder = mkdtempSync(join(tmpdir(), 'plumbline-checkpoints-'))
  failures = []
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await store.close()
  expect(failures).toEqual([])
})

function install(more: Partial<Settings>): { audit: Audit; runtime: Runtime } {
  const runtime: Runtime = {
    ...runtimeOver(store, systemClock, () => audit.wake()),
    settings: { ...auditSettings, ...more } as Settings,
  }
  const audit = createAudit(runtime, (error) => void failures.push(error))
  return { audit, runtime }
}

const write = (runtime: Runtime, orgId: string, count: number) =>
  store.system.write(async (tx) => {
    for (let index = 0; index < count; index++) await evidence(tx, runtime, orgId, 'org.update')
  })
const newest = (chain: string) => store.system.read((db) => checkpointOf(db, chain))
const noteOf = (text: string) => {
  const parsed = parseCheckpoint(text)
  if (parsed === null) throw new Error('the checkpoint must parse')
  return parsed
}

describe('the audit service', () => {
  it('seals and signs to the end when it is drained, and copies every chain and the directory', async () => {
    const { audit, runtime } = install({ AUDIT_CHECKPOINT_DIR: folder })
    await write(runtime, ORG_A, 5)
    await write(runtime, ORG_B, 2)
    await audit.service.drain(10_000)
    for (const [chain, size] of [
      [ORG_A, 5],
      [ORG_B, 2],
    ] as const) {
      const stored = await newest(chain)
      const [name = ''] = readdirSync(join(folder, chain))
      const copy = readFileSync(join(folder, chain, name), 'utf8')
      expect(copy).toBe(stored?.note)
      expect(noteOf(copy)).toMatchObject({ origin: `audit.example.com/${chain}`, size })
      expect(checkNote(nodeCrypto, noteOf(copy).note, auditLog(runtime.settings).logKeys).verified).toHaveLength(1)
    }
    const files = readdirSync(join(folder, 'chains')).sort()
    const heads = readFileSync(join(folder, 'chains', files[0] ?? ''), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const directory = noteOf(readFileSync(join(folder, 'chains', files[1] ?? ''), 'utf8'))
    expect(directory).toMatchObject(directoryCheckpoint(nodeCrypto, 'audit.example.com', heads))
    expect(heads.map(({ seq }: { seq: number }) => seq)).toEqual([5, 2])
    // No chain has grown since, so nothing is signed again.
    await audit.checkpointAll()
    expect(readdirSync(join(folder, 'chains'))).toHaveLength(2)
  })

  it('signs without waiting when a chain grew by many events', async () => {
    const { audit, runtime } = install({ AUDIT_CHECKPOINT_EVERY: 10 })
    audit.service.start()
    await write(runtime, ORG_A, 9)
    await write(runtime, ORG_B, 10)
    let found = await newest(ORG_B)
    for (let look = 0; found === null && look < 1000; look++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      found = await newest(ORG_B)
    }
    expect(found?.size).toBe(10)
    expect(await newest(ORG_A)).toBeNull()
    await audit.service.drain(10_000)
    expect((await newest(ORG_A))?.size).toBe(9)
  })
})

describe('publishing to a witness', () => {
  let server: Server
  let url: string
  let state: WitnessedTree | null = null
  let requests = 0
  beforeEach(async () => {
    state = null
    requests = 0
    const logs = new Map([
      [`audit.example.com/${ORG_A}`, [createSigningKey(nodeCrypto, 'plumbline-audit', new Uint8Array(32).fill(7))]],
    ])
    server = createServer(async (request, response) => {
      requests += 1
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = cosign(nodeCrypto, {
        body: Buffer.concat(chunks).toString(),
        logs,
        last: () => state,
        key: witnessKey,
        now: 1_769_846_400,
      })
      if (answer.state !== null) state = answer.state
      response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => new Promise<void>((closed) => void server.close(() => closed())))

  /** Runs the job that is queued for the newest checkpoint, as a worker would. */
  async function publish(runtime: Runtime): Promise<void> {
    const { jobs } = jobTables(store)
    const queued = await store.system.read((db) => db.select().from(jobs))
    const job = queued.filter(({ kind }) => kind === publishCheckpoint.kind).at(-1)
    if (job === undefined) throw new Error('no job is queued')
    const write = <T>(run: (write: never) => Promise<T>) => store.system.write((tx) => run({ tx, nowMs: 0 } as never))
    const context = {
      runtime,
      nowMs: 0,
      signal: new AbortController().signal,
      read: store.system.read,
      write,
      finish: write,
    } as unknown as JobContext<never>
    await publishCheckpoint.run(context, job.payload as { chain: string; size: number })
  }

  it('keeps the cosignature, and goes on from where the witness stands', async () => {
    for (const count of [3, 4]) {
      const { audit, runtime } = install({ AUDIT_WITNESS_URL: url, AUDIT_WITNESS_KEY: witnessText })
      await write(runtime, ORG_A, count)
      await audit.service.drain(10_000)
      await publish(runtime)
      const { note, size } = noteOf((await newest(ORG_A))?.note ?? '')
      const { verified } = checkNote(nodeCrypto, note, [
        createVerifierKey(nodeCrypto, witnessKey.name, witnessKey.publicKey, 'cosignature'),
      ])
      expect(verified).toHaveLength(1)
      expect(state?.size).toBe(size)
    }
    // The second time the size that the witness had cosigned was known.
    expect(requests).toBe(2)
  })

  it('raises an alarm when the witness has seen another history', async () => {
    const { audit, runtime } = install({ AUDIT_WITNESS_URL: url, AUDIT_WITNESS_KEY: witnessText })
    await write(runtime, ORG_A, 3)
    await audit.service.drain(10_000)
    state = { size: 2, root: 'ab'.repeat(32) }
    await expect(publish(runtime)).rejects.toThrow(WitnessConflict)
    state = { size: 9, root: 'ab'.repeat(32) }
    await expect(publish(runtime)).rejects.toThrow(WitnessConflict)
    expect(noteOf((await newest(ORG_A))?.note ?? '').note.signatures).toHaveLength(1)
  })
})
