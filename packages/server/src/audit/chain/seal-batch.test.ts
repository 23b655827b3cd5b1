/** Goal: an event is always either in the outbox or in its chain; every chain has no gaps and verifies. */
import { type AuditRecord, verifyLog } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../../test/support/audit/evidence.js'
import { ALONE, describeStores } from '../../../test/support/describe-stores.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'
import { recordOf } from './read-record.js'
import { sealBatch } from './seal-batch.js'

await describeStores('sealing', ALONE, (open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const seal = () => store.system.write((tx) => sealBatch(tx))
  const rows = (chain: string): Promise<AuditRecord[]> =>
    store.system.read(async (db) => {
      const { auditEvents } = auditTables(db)
      const found = await db
        .select()
        .from(auditEvents)
        .where(eq(auditEvents.chain, chain))
        .orderBy(asc(auditEvents.seq))
      return found.map(recordOf)
    })
  const pending = () => store.system.read((db) => db.select().from(jobTables(db).auditOutbox))
  const head = (chain: string) =>
    store.system.read(async (db) => {
      const { auditHeads } = auditTables(db)
      return (await db.select().from(auditHeads).where(eq(auditHeads.chain, chain)))[0]
    })

  it('takes what was committed, in order, into one chain an organization', async () => {
    const runtime = runtimeOver(store)
    const ids: string[] = []
    await store.system.write(async (tx) => {
      ids.push(await evidence(tx, runtime, ORG_A, 'org.update', { targetType: 'organization', targetId: ORG_A }))
      ids.push(
        await evidence(tx, runtime, ORG_B, 'org.update', {
          details: { name: 'häß \u0000 "q"', account: '123456789012' },
        }),
      )
      ids.push(await evidence(tx, runtime, ORG_A, 'user.login.failed', { targetId: 'with \u0000 zero' }))
      ids.push(await evidence(tx, runtime, null, 'user.register'))
    })
    expect(await seal()).toMatchObject({ sealed: 4, left: false })
    expect(await pending()).toEqual([])
    const a = await rows(ORG_A)
    expect(a.map(({ id, seq }) => [id, seq])).toEqual([
      [ids[0], 1],
      [ids[2], 2],
    ])
    expect(a[1]).toMatchObject({ outcome: 'failure', targetId: 'with \ufffd zero', actorEmail: 'ada@example.com' })
    expect((await rows(ORG_B))[0]).toMatchObject({ id: ids[1], details: '{"name":"häß \\u0000 \\"q\\""}' })
    expect(await rows('__no-org__')).toHaveLength(1)
    for (const chain of [ORG_A, ORG_B]) {
      const stored = await rows(chain)
      const { seq, hash } = (await head(chain)) ?? {}
      expect(verifyLog(nodeCrypto, stored, { chain, head: { seq: seq ?? 0, hash: hash ?? '' } }).verdict).toBe('valid')
    }
  })

  it('goes on from the head, in batches of the given size', async () => {
    const runtime = runtimeOver(store)
    await store.system.write(async (tx) => {
      for (let count = 0; count < 7; count++) await evidence(tx, runtime, ORG_A, 'org.update')
    })
    const passes = []
    for (let left = true; left; ) {
      const batch = await store.system.write((tx) => sealBatch(tx, { rowsMax: 3 }))
      passes.push(batch.sealed)
      left = batch.left
    }
    expect(passes).toEqual([3, 3, 1])
    const stored = await rows(ORG_A)
    const { seq = 0, hash = '' } = (await head(ORG_A)) ?? {}
    expect(verifyLog(nodeCrypto, stored, { chain: ORG_A, head: { seq, hash } })).toMatchObject({
      verdict: 'valid',
      lastSeq: 9,
    })
  })

  it('leaves the outbox as it was when the pass fails at any of its statements', async () => {
    const runtime = runtimeOver(store)
    await store.system.write(async (tx) => void (await evidence(tx, runtime, ORG_B, 'org.update')))
    const before = { pending: await pending(), rows: await rows(ORG_B), head: await head(ORG_B) }
    let crashes = 0
    for (let at = 1; ; at++) {
      let statements = 0
      const crash = () => {
        statements += 1
        if (statements === at) throw new Error('the process dies here')
      }
      const outcome = await store.system
        .write((tx) =>
          sealBatch(
            new Proxy(tx, {
              get(target, name) {
                const value = Reflect.get(target, name, target) as unknown
                // Read once for each run of a prepared statement.
                if (name === 'preparedFor') crash()
                if (typeof value !== 'function') return value
                return (...args: unknown[]) => {
                  crash()
                  return value.apply(target, args) as unknown
                }
              },
            }),
          ).then(() => crash()),
        )
        .then(
          () => 'sealed',
          (error: Error) => error.message,
        )
      if (outcome === 'sealed') break
      expect(outcome).toBe('the process dies here')
      crashes += 1
      expect({ pending: await pending(), rows: await rows(ORG_B), head: await head(ORG_B) }).toEqual(before)
    }
    expect(crashes).toBeGreaterThanOrEqual(5)
    expect(await pending()).toEqual([])
    expect(await rows(ORG_B)).toHaveLength(before.rows.length + 1)
  })

  it('refuses to change or delete an event', async () => {
    const change = (text: string) =>
      store.system
        .write((tx) => tx.rows(sql.raw(`${text} RETURNING 1`)))
        .catch((error: Error) => {
          throw new Error(`${error.message} ${(error.cause as Error | undefined)?.message}`)
        })
    for (const text of [
      `UPDATE audit_events SET action = 'x' WHERE chain = '${ORG_A}'`,
      `UPDATE audit_events SET actor_email = NULL, ip = NULL, user_agent = NULL, identity_salt = NULL`,
      `DELETE FROM audit_events WHERE chain = '${ORG_A}'`,
      `DELETE FROM audit_events`,
    ]) {
      await expect(change(text)).rejects.toThrow(/plumbline_maintenance|permission denied|cannot be changed/)
    }
    expect(await rows(ORG_A)).toHaveLength(9)
  })
})
