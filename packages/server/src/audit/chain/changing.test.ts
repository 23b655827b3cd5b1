/**
 * Goal: when a log changes during a read, or contains a row that was added without the server, the read is refused or
 * the row is reported, never passed on.
 */
import { type AuditRecord, BundleVerifier } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evidence, ORG_A, runtimeOver } from '../../../test/support/audit/evidence.js'
import { admin, auditHttp } from '../../../test/support/audit/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { heldClock } from '../../runtime/clock.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import type { Store } from '../../runtime/store/db.js'
import { sqliteStatement } from '../../runtime/store/sqlite-connection.js'
import { signMoved } from '../checkpoint/sign.js'
import { auditLog } from '../log.js'
import { eraseUser } from '../retention/erase.js'
import { pruneAll } from '../retention/prune.js'
import { auditTables } from '../tables.js'
import { exportChain } from './export.js'
import { insertRecords } from './insert-records.js'
import { prove } from './proofs.js'
import { recordOf } from './read-record.js'
import { sealBatch } from './seal-batch.js'
import { verifyStoredChain } from './verify-chain.js'

const DAY_MS = 86_400_000

let store: Store
let clock: ReturnType<typeof heldClock>
beforeEach(async () => {
  store = await sqliteStore()
  clock = heldClock(Date.UTC(2026, 0, 1))
  await write(5)
  await signMoved(runtime())
  clock.advance(100 * DAY_MS)
})
afterEach(() => store.close())

const runtime = () => runtimeOver(store, clock)
async function write(count: number): Promise<void> {
  await store.system.write(async (tx) => {
    for (let index = 0; index < count; index++) await evidence(tx, runtime(), ORG_A, 'org.update')
  })
  await store.system.write((tx) => sealBatch(tx))
}

describe('an export', () => {
  const open = async () => {
    const context = {
      runtime: runtime(),
      nowMs: clock.now(),
      authority: { isSuperAdmin: true, org: null },
      signal: new AbortController().signal,
      read: store.system.read,
    } as unknown as StreamContext
    const pieces = await exportChain.open(context, { query: { orgId: ORG_A } } as never)
    return (pieces as AsyncIterable<{ data: string }>)[Symbol.asyncIterator]()
  }
  const verdictOf = (text: string) => {
    const verifier = new BundleVerifier(nodeCrypto, { keys: auditLog(runtime().settings).logKeys })
    for (const line of text.trimEnd().split('\n')) verifier.pushLine(line)
    return verifier.finish()
  }

  it('breaks off when somebody is erased after its first line', async () => {
    const pieces = await open()
    await pieces.next()
    await store.system.write((tx) => eraseUser(tx, runtime(), { userId: 'usr_ada', details: false }))
    await expect(pieces.next()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('breaks off when its first events are pruned after its first line', async () => {
    await write(2)
    const pieces = await open()
    await pieces.next()
    expect(await pruneAll(runtime())).toBe(5)
    await expect(pieces.next()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('breaks off when an anchor comes after its first line, whatever it reads', async () => {
    const pieces = await open()
    await pieces.next()
    const { auditAnchors } = auditTables(store)
    const anchor = { chain: ORG_A, throughSeq: 1, hash: '', prunedCount: 1, prunedAt: '', origin: '', signature: '' }
    await store.system.write(
      async (tx) => void (await tx.insert(auditAnchors).values({ ...anchor, frontier: { size: 1, nodes: [] } })),
    )
    await expect(pieces.next()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('ends where the chain ended at its first line', async () => {
    const pieces = await open()
    let text = (await pieces.next()).value.data as string
    await write(3)
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) text += next.value.data
    expect(verdictOf(text)).toMatchObject({ verdict: 'valid', lastSeq: 5 })
  })

  it('verifies when everything that its stored checkpoint covers is pruned', async () => {
    await write(2)
    expect(await pruneAll(runtime())).toBe(5)
    const http = auditHttp(runtime(), { root: admin(ORG_A, { isSuperAdmin: true }) })
    const { text } = await http.request('root', `/audit/export?orgId=${ORG_A}`)
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      from: 6,
      checkpoints: [expect.any(String), expect.any(String)],
    })
    expect(verdictOf(text)).toMatchObject({ verdict: 'valid', firstSeq: 6 })
  })
})

describe('a proof', () => {
  it('is none when rows go away while it is made', async () => {
    const answers =
      (...pages: unknown[]) =>
      async () =>
        pages.shift() as never
    const ranges = [{ start: 0, end: 4 }]
    const row = (seq: number) => ({ seq, hash: String(seq).repeat(64) })
    expect(await prove(answers(null, [1, 2, 3, 4].map(row)), ORG_A, ranges)).toHaveLength(1)
    expect(await prove(answers(null, [3, 4].map(row)), ORG_A, ranges)).toBeNull()
    expect(await prove(answers(null, [1, 2].map(row), []), ORG_A, ranges)).toBeNull()
    expect(await prove(answers(null, [1, 2].map(row), [row(4)]), ORG_A, ranges)).toBeNull()
  })

  it('does not reach beyond its checkpoint', async () => {
    const http = auditHttp(runtime(), { a: admin(ORG_A) })
    for (const query of ['seq=6', 'from=6']) {
      const { status, body } = await http.request('a', `/audit/proof?${query}`)
      expect([status, body.message]).toEqual([400, expect.stringContaining('covers events 1 to 5')])
    }
  })
})

describe('verification', () => {
  const verify = () => store.system.snapshot((db) => verifyStoredChain(db, auditLog(runtime().settings), ORG_A, null))
  const first = async () => {
    const [row] = await store.system.read((db) => {
      const { auditEvents: t } = auditTables(db)
      return db.select().from(t).where(eq(t.seq, 1))
    })
    return recordOf(row as never)
  }
  /** As the owner of the file can do it: the trigger that checks the link is dropped first. */
  const add = (record: AuditRecord) =>
    store.system.write(async (tx) => {
      sqliteStatement(tx, 'DROP TRIGGER IF EXISTS audit_events_link').run()
      await insertRecords(tx, [record])
    })

  it('finds a row that was put before the first', async () => {
    expect(await verify()).toMatchObject({ verdict: 'valid', count: 5 })
    await add({ ...(await first()), seq: 0, id: 'evt_before', prevHash: 'x', hash: '0'.repeat(64) })
    expect(await verify()).toMatchObject({ verdict: 'invalid', reason: 'anchor_mismatch' })
  })

  it('finds a pruned row that was put back', async () => {
    const old = await first()
    await write(1)
    expect(await pruneAll(runtime())).toBe(5)
    expect(await verify()).toMatchObject({ verdict: 'valid', firstSeq: 6 })
    await add(old)
    expect(await verify()).toMatchObject({ verdict: 'invalid', reason: 'anchor_mismatch' })
  })

  it('finds a row behind the head', async () => {
    await add({ ...(await first()), seq: 6, id: 'evt_behind', prevHash: 'y', hash: '1'.repeat(64) })
    expect((await verify()).verdict).toBe('invalid')
    await store.system.write((tx) => tx.rows(sql`UPDATE audit_heads SET seq = 4 WHERE chain = ${ORG_A} RETURNING 1`))
    expect((await verify()).verdict).toBe('invalid')
  })
})
