/**
 * Seals events into their chains in the given order: numbers, links, commitments and hashes. One insert stores all of
 * them. Each chain gets one head update, a compare-and-set on (seq, hash), so that two writers cannot fork a chain
 * whatever else goes wrong between them. Source: spec billing-audit 20; spec billing-audit 24.
 */
import { randomBytes } from 'node:crypto'
import {
  type AuditEvent,
  type AuditRecord,
  chainKey,
  EMPTY_FRONTIER,
  SALT_BYTES,
  sealEvent,
  TreeBuilder,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, eq, inArray, type Placeholder } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { auditTables } from '../tables.js'
import { insertRecords } from './insert-records.js'

/** Another writer appended first: the caller rolls back and runs again on the new head. */
export class HeadMoved extends Error {
  constructor(readonly chain: string) {
    super('another writer appended to the chain first')
    this.name = 'HeadMoved'
  }
}

export interface ChainMoved {
  readonly chain: string
  /** Sequence number of the newest event now. */
  readonly seq: number
  /** Size of the newest checkpoint. */
  readonly checkpointSize: number
}

interface Growing {
  readonly before: { readonly seq: number; readonly hash: string } | null
  readonly tree: TreeBuilder
  readonly checkpointSize: number
  last: { readonly seq: number; readonly hash: string; readonly createdAt: string } | null
}

/**
 * @returns the chains that grew, with their heads.
 * @throws HeadMoved when a chain has another head than the one that was read.
 */
export async function appendEvents(tx: Tx, events: readonly AuditEvent[]): Promise<ChainMoved[]> {
  if (events.length === 0) return []
  const chains = await readHeads(tx, [...new Set(events.map(chainKey))].sort())
  const salts = randomBytes(events.length * 2 * SALT_BYTES)
  const records: AuditRecord[] = []
  for (const [index, event] of events.entries()) {
    const chain = chains.get(chainKey(event)) as Growing
    // guard: a-salt-for-every-commitment
    const at = index * 2 * SALT_BYTES
    const { record } = sealEvent(nodeCrypto, {
      event,
      previous: chain.last,
      identitySalt: salts.subarray(at, at + SALT_BYTES),
      detailsSalt: event.details == null ? null : salts.subarray(at + SALT_BYTES, at + 2 * SALT_BYTES),
    })
    chain.tree.append(record.hash)
    chain.last = record
    records.push(record)
  }
  const moved: ChainMoved[] = []
  // Heads are updated first, and in the same order by all writers: the second writer waits here and then finds that the
  // head has moved.
  for (const [name, chain] of chains) {
    await moveHead(tx, name, chain)
    moved.push({ chain: name, seq: chain.tree.size, checkpointSize: chain.checkpointSize })
  }
  await insertRecords(tx, records)
  return moved
}

async function readHeads(tx: Tx, names: readonly string[]): Promise<Map<string, Growing>> {
  const { auditHeads } = auditTables(tx)
  const rows = await tx.select().from(auditHeads).where(inArray(auditHeads.chain, names))
  const byName = new Map(rows.map((row) => [row.chain, row]))
  return new Map(
    names.map((name) => {
      const head = byName.get(name)
      const growing: Growing =
        head === undefined
          ? { before: null, last: null, tree: new TreeBuilder(nodeCrypto, EMPTY_FRONTIER), checkpointSize: 0 }
          : {
              before: head,
              last: head,
              tree: new TreeBuilder(nodeCrypto, head.frontier),
              checkpointSize: head.checkpointSize,
            }
      return [name, growing]
    }),
  )
}

async function moveHead(tx: Tx, chain: string, { before, last, tree }: Growing): Promise<void> {
  // guard: head-and-tree-agree
  if (last === null || last.seq !== tree.size) throw new Error(`head and tree of chain ${chain} differ`)
  const { auditHeads } = auditTables(tx)
  const next = { seq: last.seq, hash: last.hash, createdAt: last.createdAt, frontier: tree.frontier() }
  const touched =
    before === null
      ? await tx
          .insert(auditHeads)
          .values({ chain, ...next, checkpointSize: 0 })
          .onConflictDoNothing()
          .returning({ chain: auditHeads.chain })
      : await moveFrom(tx, { chain, ...next, seqBefore: before.seq, hashBefore: before.hash })
  // guard: a-head-that-was-not-moved
  if (touched.length !== 1) throw new HeadMoved(chain)
}

type Moving = 'chain' | 'seq' | 'hash' | 'createdAt' | 'frontier' | 'seqBefore' | 'hashBefore'

const moveFrom = prepared((db, value: (name: Moving) => Placeholder) => {
  const { auditHeads: t } = auditTables(db)
  const next = { seq: value('seq'), hash: value('hash'), createdAt: value('createdAt'), frontier: value('frontier') }
  // guard: a-head-moved-by-its-number
  // guard: a-head-moved-by-its-hash
  const unmoved = and(eq(t.chain, value('chain')), eq(t.seq, value('seqBefore')), eq(t.hash, value('hashBefore')))
  return db
    .update(t)
    .set(next as never)
    .where(unmoved)
    .returning({ chain: t.chain })
})
