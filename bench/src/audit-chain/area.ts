/**
 * Speed of the audit chain. The limit is the minimum of any implementation: one `JSON.stringify` of the hashed fields
 * and one SHA-256 of those bytes. Everything is measured in the same run, on the same events.
 */
import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type AuditEvent,
  type AuditRecord,
  canonicalText,
  type EventCore,
  eventHash,
  inclusionRanges,
  type SealInput,
  StoredTree,
  scrub,
  sealEvent,
  TreeBuilder,
  verifyInclusion,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import {
  type BenchArea,
  type BenchOptions,
  type BenchTable,
  compare,
  comparisonRows,
  formatRate,
  time,
} from '../harness.js'

const canonicalize = createRequire(import.meta.url)('canonicalize') as (value: unknown) => string

const BATCH = 1024
const salts = Array.from({ length: BATCH * 2 }, () => new Uint8Array(randomBytes(16)))
const saltOf = (index: number): Uint8Array => salts[index % salts.length] ?? new Uint8Array(16)

const details = () =>
  scrub(nodeCrypto, {
    discountId: 'disc_0190a1b2',
    kind: 'recurring',
    unit: 'percent',
    value: 15,
    subscriptionId: 'sub_0190a1b2c3d4',
  }).details

function eventOf(index: number, shared: AuditEvent['details']): AuditEvent {
  return {
    id: `evt_0190a1b2-c3d4-7e5f-8a9b-${String(index).padStart(12, '0')}`,
    action: 'billing.discount.apply',
    actorId: 'usr_0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    actorRole: 'billing-admin',
    orgId: 'org_0190a1b2-c3d4-7e5f-8a9b-111111111111',
    affectedOrgId: 'org_0190a1b2-c3d4-7e5f-8a9b-222222222222',
    targetType: 'subscription',
    targetId: 'sub_0190a1b2c3d4',
    requestId: 'req_0190a1b2c3d4e5f6',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    idempotencyKey: `idem-${index}`,
    occurredAt: '2026-01-31T08:00:00.000Z',
    createdAt: '2026-01-31T08:00:00.120Z',
    actorEmail: 'ada.lovelace@example.com',
    ip: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
    details: shared ?? null,
  }
}

function sealBatch(events: readonly AuditEvent[], start: AuditRecord | null = null): AuditRecord[] {
  let previous = start
  return events.map((event, index) => {
    const sealed = sealEvent(nodeCrypto, {
      event,
      previous,
      identitySalt: saltOf(index),
      detailsSalt: saltOf(index + 7),
    })
    previous = sealed.record
    return sealed.record
  })
}

function coreOf(record: AuditRecord): EventCore {
  return {
    v: record.v,
    chain: record.chain,
    seq: record.seq,
    prevHash: record.prevHash,
    id: record.id,
    action: record.action,
    actorId: record.actorId,
    actorRole: record.actorRole,
    orgId: record.orgId,
    affectedOrgId: record.affectedOrgId,
    targetType: record.targetType,
    targetId: record.targetId,
    groupId: record.groupId,
    impersonatorId: record.impersonatorId,
    outcome: record.outcome,
    requestId: record.requestId,
    traceId: record.traceId,
    idempotencyKey: record.idempotencyKey,
    occurredAt: record.occurredAt,
    createdAt: record.createdAt,
    identityHash: record.identityHash,
    detailsHash: record.detailsHash,
  }
}

async function sealing(options: BenchOptions): Promise<BenchTable> {
  const shared = details()
  const events = Array.from({ length: BATCH }, (_, index) => eventOf(index, shared))
  const records = sealBatch(events)
  const cores = records.map(coreOf)
  let sink = 0
  const measured = compare(
    [
      {
        name: 'limit: JSON.stringify(core) and one SHA-256',
        run: () => {
          for (const core of cores) sink += hash('sha256', JSON.stringify(core), 'hex').length
          return BATCH
        },
      },
      {
        name: '`sealEvent`: three hashes, link, instants, field rules',
        run: () => {
          let previous: AuditRecord | null = null
          for (let index = 0; index < BATCH; index++) {
            const event = events[index] as AuditEvent
            const input: SealInput = { event, previous, identitySalt: saltOf(index), detailsSalt: saltOf(index + 7) }
            previous = sealEvent(nodeCrypto, input).record
          }
          return BATCH
        },
      },
      {
        name: 'canonical text of the core and one SHA-256',
        run: () => {
          for (const core of cores) sink += (eventHash(nodeCrypto, core) ?? '').length
          return BATCH
        },
      },
      {
        name: '`canonicalize(core)` (npm) and one SHA-256',
        run: () => {
          for (const core of cores) sink += hash('sha256', canonicalize(core), 'hex').length
          return BATCH
        },
      },
    ],
    options,
  )
  return {
    title: 'Sealing an event',
    unit: 'events/s',
    columns: ['contender', 'events/s', 'of the limit'],
    rows: comparisonRows(measured),
    note: `core of ${JSON.stringify(cores[0]).length} bytes${sink > 0 ? '' : '!'}`,
  }
}

async function verifying(options: BenchOptions): Promise<BenchTable> {
  const count = options.quick ? 20_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'bench-audit-'))
  try {
    const file = join(folder, 'log.jsonl')
    const sealRate = writeLog(file, count)
    const { rate, residentMiB } = verifyFile(file, count)
    return {
      title: `Verifying ${count.toLocaleString('en-US')} events from JSON Lines, tree root included`,
      unit: 'events/s',
      columns: ['work', 'events/s', 'of sealing', 'largest resident set, MiB'],
      rows: [
        ['sealing the same events, not kept', formatRate(sealRate), '1.00', ''],
        [
          'reading, parsing, verifying, root',
          formatRate(rate),
          (rate / sealRate).toPrecision(3),
          residentMiB.toFixed(0),
        ],
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seals events and writes them. Returns the rate of the sealing alone. */
function writeLog(file: string, count: number): number {
  const handle = openSync(file, 'w')
  const shared = details()
  let previous: AuditRecord | null = null
  let sealMs = 0
  for (let done = 0; done < count; done += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => eventOf(done + index, shared))
    const started = performance.now()
    const records = sealBatch(events, previous)
    sealMs += performance.now() - started
    previous = records.at(-1) ?? null
    writeSync(handle, records.map((record) => `${canonicalText({ ...record })}\n`).join(''))
  }
  closeSync(handle)
  return (count / sealMs) * 1000
}

function verifyFile(file: string, count: number): { rate: number; residentMiB: number } {
  const worker = fileURLToPath(new URL('verify-file.mjs', import.meta.url))
  const answer = JSON.parse(execFileSync(process.execPath, [worker, file], { encoding: 'utf8' })) as {
    ms: number
    residentMiB: number
    count: number
    reason: string | null
  }
  if (answer.reason !== null || answer.count !== count) throw new Error('the log must verify')
  return { rate: (count / answer.ms) * 1000, residentMiB: answer.residentMiB }
}

async function tree(options: BenchOptions): Promise<BenchTable> {
  const size = options.quick ? 20_000 : 1_000_000
  const hashes = Array.from({ length: 4096 }, () => randomBytes(32).toString('hex'))
  const hashOf = (index: number) => hashes[index % hashes.length] ?? ''
  const appendRate = rateOf(size, () => {
    const builder = new TreeBuilder(nodeCrypto)
    for (let index = 0; index < size; index++) builder.append(hashOf(index))
    builder.root()
  })
  const stored = new StoredTree(nodeCrypto)
  const storedRate = rateOf(size, () => {
    for (let index = 0; index < size; index++) stored.append(hashOf(index))
  })
  const root = stored.root()
  let next = 0
  const proofs = 2000
  const proofMs =
    time(() => {
      for (let index = 0; index < proofs; index++) stored.inclusionProof((next++ * 7919) % size)
    }, options) / proofs
  const index = Math.floor(size / 3)
  const proof = stored.inclusionProof(index) ?? []
  const claim = { eventHash: hashOf(index), index, size, root, proof }
  const checkMs =
    time(() => {
      for (let round = 0; round < proofs; round++)
        if (!verifyInclusion(nodeCrypto, claim)) throw new Error('must verify')
    }, options) / proofs
  return {
    title: `Tree of ${size.toLocaleString('en-US')} leaves`,
    unit: 'operations/s',
    columns: ['operation', 'operations/s', 'each'],
    rows: [
      ['append (frontier)', formatRate(appendRate), micro(1000 / appendRate)],
      ['append (all nodes kept, 64 bytes a leaf)', formatRate(storedRate), micro(1000 / storedRate)],
      ['inclusion proof', formatRate(1000 / proofMs), micro(proofMs)],
      [
        `verify an inclusion proof of ${inclusionRanges(index, size).length} hashes`,
        formatRate(1000 / checkMs),
        micro(checkMs),
      ],
    ],
  }
}

async function scrubbing(options: BenchOptions): Promise<BenchTable> {
  const typical = {
    id: 'pl_0190a1b2',
    name: 'nightly build',
    changed: ['steps', 'timeout'],
    reason: 'requested by the team',
  }
  const hostile = {
    ...typical,
    reason: 'arn:aws:iam::123456789012:role/x',
    accountId: '123456789012',
    nested: { token: 'x', list: [1, 2, 3] },
  }
  const run = (value: unknown) => () => {
    for (let index = 0; index < BATCH; index++) scrub(nodeCrypto, value)
    return BATCH
  }
  const measured = compare(
    [
      {
        name: 'JSON.stringify of typical details',
        run: () => {
          let sink = 0
          for (let index = 0; index < BATCH; index++) sink += JSON.stringify(typical).length
          return sink > 0 ? BATCH : 0
        },
      },
      { name: '`scrub`: typical details, nothing to remove', run: run(typical) },
      { name: '`scrub`: details with four things to remove', run: run(hostile) },
    ],
    options,
  )
  return {
    title: 'Scrubbing details',
    unit: 'details/s',
    columns: ['contender', 'details/s', 'of the first'],
    rows: comparisonRows(measured),
  }
}

function rateOf(count: number, run: () => void): number {
  const started = performance.now()
  run()
  return (count / (performance.now() - started)) * 1000
}

const micro = (ms: number): string => `${(ms * 1000).toPrecision(3)} µs`

export const area: BenchArea = {
  name: 'audit-chain',
  summary: 'sealing, verifying, proving and scrubbing audit events',
  async run(options) {
    // Verification runs first, because its memory is measured and must not include the tree of a million leaves.
    const verified = await verifying(options)
    return [await sealing(options), verified, await tree(options), await scrubbing(options)]
  },
}
