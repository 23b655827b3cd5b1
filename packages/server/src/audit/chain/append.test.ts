/**
 * Goal: when another writer interferes between two statements of a sealing pass, the pass leaves nothing behind, and
 * the next one succeeds.
 */
import { type AuditRecord, verifyLog } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../../test/support/audit/evidence.js'
import { ALONE, describeStores } from '../../../test/support/describe-stores.js'
import { systemClock } from '../../runtime/clock.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store, Tx } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'
import { HeadMoved } from './append.js'
import { insertRecords } from './insert-records.js'
import { recordOf } from './read-record.js'
import { BATCH_ROWS_MAX, sealBatch } from './seal-batch.js'
import { auditSequencer } from './start-sequencer.js'

const ORG_NEW = '0190a1b2-0000-7000-8000-00000000000c'

await describeStores('appending', ALONE, (open) => {
  let store: Store
  let runtime: ReturnType<typeof runtimeOver>
  beforeAll(async () => {
    store = await open()
    runtime = runtimeOver(store)
    await write(ORG_A, ORG_B)
    await seal()
  })
  afterAll(() => store.close())

  const seal = (rowsMax?: number) => store.system.write((tx) => sealBatch(tx, rowsMax === undefined ? {} : { rowsMax }))
  const write = (...orgs: readonly string[]) =>
    store.system.write(async (tx) => {
      for (const org of orgs) await evidence(tx, runtime, org, 'org.update', { details: { name: org } })
    })
  const eventsOf = (chain: string) =>
    store.system.read(async (db) => {
      const { auditEvents: t } = auditTables(db)
      return (await db.select().from(t).where(eq(t.chain, chain)).orderBy(asc(t.seq))).map(recordOf)
    })
  const state = async () => ({
    events: [...(await eventsOf(ORG_A)), ...(await eventsOf(ORG_B)), ...(await eventsOf(ORG_NEW))],
    heads: await store.system.read((db) => db.select().from(auditTables(db).auditHeads)),
    waiting: await store.system.read((db) => db.select().from(jobTables(db).auditOutbox)),
  })
  const change = (statement: SQL) => store.system.write((tx) => tx.rows(sql`${statement} RETURNING 1`))

  /** A store whose first transaction is disturbed. */
  const disturbed = (disturb: (tx: Tx) => Tx): Store => {
    let isDone = false
    const once = (tx: Tx) => {
      if (isDone) return tx
      isDone = true
      return disturb(tx)
    }
    const write = ((run: (tx: Tx) => Promise<unknown>) =>
      store.system.write((tx) => run(once(tx)))) as Store['system']['write']
    return { ...store, system: { ...store.system, write } }
  }
  const intercept = (tx: Tx, method: string, wrap: (call: (...args: unknown[]) => unknown) => unknown) =>
    new Proxy(tx, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown
        if (typeof value !== 'function') return value
        const call = value.bind(target) as (...args: unknown[]) => unknown
        return name === method ? wrap(call) : call
      },
    }) as Tx
  /** Another process's statement runs before each insert. */
  const beforeInserts = (statement: SQL) => (tx: Tx) =>
    intercept(tx, 'insert', (call) => (...args: unknown[]) => {
      void tx.rows(sql`${statement} RETURNING 1`)
      return call(...args)
    })
  /** Another process's statement runs once the heads are read. */
  const afterHeads = (statement: SQL) => (tx: Tx) =>
    intercept(tx, 'select', (call) => () => ({
      from: (table: unknown) => ({
        where: async (condition: unknown) => {
          const heads = await (call() as ReturnType<Tx['select']>).from(table as never).where(condition as never)
          await tx.rows(sql`${statement} RETURNING 1`)
          return heads
        },
      }),
    }))
  /** A pass that reads the outbox before another pass, and the heads after it. */
  const late = (tx: Tx) =>
    intercept(tx, 'rows', (call) => async (...args: unknown[]) => {
      const rows = (await call(...args)) as object[]
      if (rows[0] !== undefined && 'event' in rows[0]) await sealBatch(tx, { lease: false })
      return rows
    })
  const sealIn = (disturb: (tx: Tx) => Tx) => disturbed(disturb).system.write((tx) => sealBatch(tx))

  it.each([
    ['only its number', sql`UPDATE audit_heads SET seq = seq + 1 WHERE chain = ${ORG_A}`],
    ['only its hash', sql`UPDATE audit_heads SET hash = 'moved' WHERE chain = ${ORG_A}`],
    ['it away', sql`DELETE FROM audit_heads WHERE chain = ${ORG_A}`],
  ] as const)('refuses when another writer moved %s', async (_, statement) => {
    await write(ORG_A, ORG_B)
    const before = await state()
    await expect(sealIn(afterHeads(statement))).rejects.toThrow(HeadMoved)
    expect(await state()).toEqual(before)
    expect((await seal()).sealed).toBe(2)
  })

  it('refuses when another writer began the chain', async () => {
    await write(ORG_NEW)
    const before = await state()
    const begin = sql`INSERT INTO audit_heads (chain, seq, hash, created_at, frontier, checkpoint_size) VALUES (${ORG_NEW}, 1, 'theirs', '', '{"size":1,"nodes":[]}', 0)`
    await expect(sealIn(beforeInserts(begin))).rejects.toThrow(HeadMoved)
    expect(await state()).toEqual(before)
    expect((await seal()).sealed).toBe(1)
  })

  it('refuses when another writer took a row out of the outbox', async () => {
    await write(ORG_A, ORG_B)
    const before = await state()
    const theft = sql`DELETE FROM audit_outbox WHERE chain = ${ORG_B}`
    await expect(sealIn(afterHeads(theft))).rejects.toThrow(HeadMoved)
    expect(await state()).toEqual(before)
    expect((await seal()).sealed).toBe(2)
  })

  it('seals nothing twice that another process sealed between reading the outbox and the head', async () => {
    await write(ORG_A, ORG_A)
    const before = await state()
    await expect(sealIn(late)).rejects.toThrow()
    expect(await state()).toEqual(before)
    expect((await seal()).sealed).toBe(2)
  })

  it.each([
    ['sealed first', late],
    ['moved the head', afterHeads(sql`UPDATE audit_heads SET hash = 'moved' WHERE chain = ${ORG_A}`)],
  ])('calls it a conflict that another process %s, and seals again', async (_, disturb) => {
    await write(ORG_A, ORG_A)
    const counted: string[] = []
    const errors: unknown[] = []
    const sequencer = auditSequencer({
      store: disturbed(disturb),
      clock: systemClock,
      metrics: { count: (name) => void counted.push(name), gauge: () => undefined },
      onError: (error) => void errors.push(error),
    })
    expect(await sequencer.drain(10_000)).toBe(true)
    await sequencer.stop()
    expect([counted, errors]).toEqual([['audit_append_retry_total'], []])
  })

  it('does not build on a head whose tree has another size', async () => {
    await write(ORG_A)
    const [head] = (await state()).heads.filter(({ chain }) => chain === ORG_A)
    const store = (frontier: unknown) =>
      change(sql`UPDATE audit_heads SET frontier = ${JSON.stringify(frontier)} WHERE chain = ${ORG_A}`)
    await store({ size: 0, nodes: [] })
    await expect(seal()).rejects.toThrow('head and tree')
    await store(head?.frontier)
    expect((await seal()).sealed).toBe(1)
  })

  it('gives every commitment a salt of its own', async () => {
    await write(ORG_A, ORG_A, ORG_B, ORG_B)
    await seal()
    const { events } = await state()
    const salts = events.flatMap(({ identitySalt, detailsSalt }) => [identitySalt, detailsSalt])
    expect(salts.every((salt) => /^[0-9a-f]{32}$/.test(salt ?? ''))).toBe(true)
    expect(new Set(salts).size).toBe(salts.length)
  })

  it('moves heads in one order, whatever the order of events, so that two writers cannot wait for each other', async () => {
    await write(ORG_B, ORG_NEW, ORG_A)
    expect((await seal()).moved.map(({ chain }) => chain)).toEqual([ORG_A, ORG_B, ORG_NEW])
  })

  it('takes the oldest first, wherever the database keeps them', async () => {
    await write(ORG_A, ORG_A, ORG_A)
    const ids = (await state()).waiting.map(({ id }) => id)
    // PostgreSQL moves an updated row after the others.
    await change(sql`UPDATE audit_outbox SET created_at_ms = created_at_ms + 1 WHERE id = ${ids[0]}`)
    await seal()
    expect((await eventsOf(ORG_A)).slice(-3).map(({ id }) => id)).toEqual(ids)
  })

  it('seals no more than a batch at a time', async () => {
    await write(...Array.from({ length: BATCH_ROWS_MAX + 1 }, () => ORG_B))
    expect(await seal()).toMatchObject({ sealed: BATCH_ROWS_MAX, left: true })
    expect(await seal()).toMatchObject({ sealed: 1, left: false })
    expect(await seal()).toEqual({ sealed: 0, left: false, moved: [] })
  })

  it('cannot be forked by a program that writes the rows directly: an event that another one follows already is followed by none', async () => {
    await write(ORG_A, ORG_A)
    await seal()
    const last = (await eventsOf(ORG_A)).at(-1) as AuditRecord
    const follow = (prevHash: string) =>
      store.system.write((tx) =>
        insertRecords(tx, [{ ...last, id: 'evt_forged', seq: last.seq + 1, prevHash, hash: 'f'.repeat(64) }]),
      )
    await expect(follow(last.prevHash)).rejects.toThrow()
    if (store.database === 'sqlite') await expect(follow('0'.repeat(64))).rejects.toThrow('the hash of the one before')
    expect((await eventsOf(ORG_A)).at(-1)?.seq).toBe(last.seq)
  })

  it('leaves chains that verify', async () => {
    const { heads } = await state()
    for (const { chain, seq, hash } of heads) {
      const report = verifyLog(nodeCrypto, await eventsOf(chain), { chain, head: { seq, hash } })
      expect(report).toMatchObject({ verdict: 'valid', lastSeq: seq })
    }
  })
})
