/** Honest logs for tests and proofs: reproducible, with every kind of row, checkpoints and keys. */
import {
  type AuditEvent,
  type AuditRecord,
  chainOrigin,
  createSigningKey,
  ERASE_ACTION,
  type ErasablePart,
  eraseRecord,
  erasureDetails,
  nobleCrypto,
  type SigningKey,
  scrub,
  sealEvent,
  signCheckpoint,
  TreeBuilder,
} from '../../src/index.js'
import { nodeCrypto } from '../../src/node.js'

/** Small, fast, seedable (mulberry32); never for anything secret. */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  /** From 0 to `bound` − 1. */
  int(bound: number): number {
    return Math.floor(this.next() * bound)
  }
  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T
  }
  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.int(256))
  }
  hash(): string {
    return Buffer.from(this.bytes(32)).toString('hex')
  }
}

export const ORIGIN = 'audit.example.com'
export const crypto = nodeCrypto

export const logKey: SigningKey = createSigningKey(nobleCrypto, 'plumbline-audit', new Uint8Array(32).fill(7))
export const otherKey: SigningKey = createSigningKey(nobleCrypto, 'plumbline-audit', new Uint8Array(32).fill(9))
export const witnessKey: SigningKey = createSigningKey(
  nobleCrypto,
  'witness.example/w1',
  new Uint8Array(32).fill(11),
  'cosignature',
)

const START_MS = Date.UTC(2026, 0, 31, 8)

export function eventAt(index: number, random: Random, chain: string): AuditEvent {
  const kind = random.int(8)
  const at = new Date(START_MS + index * 1000 + random.int(900)).toISOString()
  return {
    id: `evt_0190a1b2-c3d4-7e5f-8a9b-${String(index).padStart(12, '0')}`,
    action: random.pick(['user.login', 'user.login.failed', 'org.update', 'pipeline.create', 'billing.addon.add']),
    actorId: kind === 0 ? 'system' : `usr_${random.int(50)}`,
    actorRole: kind === 1 ? null : random.pick(['admin', 'owner', 'member']),
    orgId: chain,
    affectedOrgId: chain,
    targetType: random.pick(['pipeline', 'plugin', null]),
    targetId: kind === 2 ? null : `tgt_${random.int(1000)}`,
    groupId: kind === 3 ? 'grp_1' : null,
    impersonatorId: kind === 4 ? 'usr_root' : null,
    requestId: `req_${random.int(1_000_000)}`,
    traceId: kind === 5 ? null : random.hash().slice(0, 32),
    idempotencyKey: kind === 6 ? `key "${index}" \\ \u0007` : null,
    occurredAt: kind === 7 ? null : at,
    createdAt: at,
    actorEmail: kind === 0 ? null : random.pick(['ada@example.com', 'grace@example.com', 'zoë@example.com']),
    ip: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) 😀',
    details:
      random.int(4) === 0 ? null : scrub(crypto, { name: `n${index}`, changed: ['a', 'b'], reason: 'because' }).details,
  }
}

export interface Log {
  readonly chain: string
  readonly rows: AuditRecord[]
}

export function sealAll(
  events: readonly AuditEvent[],
  random: Random,
  start: AuditRecord | null = null,
): AuditRecord[] {
  const rows: AuditRecord[] = []
  let previous = start
  for (const event of events) {
    const detailsSalt = event.details == null ? null : random.bytes(16)
    const { record } = sealEvent(crypto, { event, previous, identitySalt: random.bytes(16), detailsSalt })
    rows.push(record)
    previous = record
  }
  return rows
}

export function makeLog(size: number, seed = 1, chain = 'acme'): Log {
  const random = new Random(seed)
  const events = Array.from({ length: size }, (_, index) => eventAt(index + 1, random, chain))
  return { chain, rows: sealAll(events, random) }
}

/** A log in which some halves are erased and the last events explain it. */
export function makeLogWithErasures(size: number, seed = 1, chain = 'acme'): Log {
  const random = new Random(seed)
  const plain = makeLog(Math.max(1, size - 2), seed, chain).rows
  const erased: Record<ErasablePart, number[]> = { identity: [], details: [] }
  const rows = plain.map((row) => {
    let changed = row
    if (random.int(10) === 0) {
      erased.identity.push(row.seq)
      changed = eraseRecord(changed, 'identity')
    }
    if (row.details !== null && random.int(10) === 0) {
      erased.details.push(row.seq)
      changed = eraseRecord(changed, 'details')
    }
    return changed
  })
  const parts: readonly ErasablePart[] = ['identity', 'details']
  const explanations = parts.flatMap((part) =>
    erasureDetails(part, erased[part]).map((details, index): AuditEvent => {
      const base = eventAt(size + index, random, chain)
      return { ...base, action: ERASE_ACTION, details: scrub(crypto, details).details }
    }),
  )
  return { chain, rows: [...rows, ...sealAll(explanations, random, plain.at(-1) ?? null)] }
}

export function checkpointOf(
  rows: readonly AuditRecord[],
  chain: string,
  keys: readonly SigningKey[] = [logKey],
): string {
  const tree = new TreeBuilder(crypto)
  for (const row of rows) tree.append(row.hash)
  const head = rows.at(-1)?.hash ?? null
  const origin = chainOrigin(ORIGIN, chain)
  return signCheckpoint(crypto, { origin, size: tree.size, root: tree.root(), head }, keys)
}
