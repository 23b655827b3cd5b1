/** Goal: after retention or an erasure the chain still verifies, and the report says what is missing. */
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../../test/support/audit/evidence.js'
import { ALONE, describeStores } from '../../../test/support/describe-stores.js'
import { heldClock } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import { sealBatch } from '../chain/seal-batch.js'
import { verifyStoredChain } from '../chain/verify-chain.js'
import { signMoved } from '../checkpoint/sign.js'
import { auditLog } from '../log.js'
import { auditTables } from '../tables.js'
import { eraseUser } from './erase.js'
import { pruneAll } from './prune.js'

const DAY_MS = 86_400_000

await describeStores('retention', ALONE, (open) => {
  let store: Store
  const clock = heldClock(Date.UTC(2026, 0, 1))
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const runtime = () => runtimeOver(store, clock)
  const seal = () => store.system.write((tx) => sealBatch(tx))
  const verify = (chain: string) =>
    store.system.snapshot((db) => verifyStoredChain(db, auditLog(runtime().settings), chain, null))
  const write = (orgId: string, count: number) =>
    store.system.write(async (tx) => {
      for (let index = 0; index < count; index++) {
        await evidence(tx, runtime(), orgId, 'org.update', { details: { name: `n${index}` } })
      }
    })
  const events = (chain: string) =>
    store.system.read((db) => {
      const { auditEvents } = auditTables(db)
      return db.select().from(auditEvents).where(eq(auditEvents.chain, chain)).orderBy(asc(auditEvents.seq))
    })

  it('keeps what no checkpoint covers, however old', async () => {
    await write(ORG_A, 5)
    await write(ORG_B, 2)
    await seal()
    clock.advance(100 * DAY_MS)
    expect(await pruneAll(runtime())).toBe(0)
    expect(await events(ORG_A)).toHaveLength(5)
  })

  it('deletes the old prefix behind a signed checkpoint, says so, and verifies', async () => {
    expect(await signMoved(runtime())).toBe(2)
    await write(ORG_A, 3)
    await seal()
    expect(await pruneAll(runtime())).toBe(7)
    expect((await events(ORG_A)).map(({ seq }) => seq)).toEqual([6, 7, 8])
    await seal()
    const report = await verify(ORG_A)
    expect(report).toMatchObject({ verdict: 'valid', firstSeq: 6, lastSeq: 9, coveredThrough: 5 })
    expect(report.anchor).toMatchObject({ throughSeq: 5, signed: true })
    expect((await events(ORG_A)).at(-1)).toMatchObject({ action: 'audit.prune', actorId: 'system', orgId: ORG_A })
    // All events of B are deleted except the one that reports the pruning.
    expect(await verify(ORG_B)).toMatchObject({ verdict: 'valid', firstSeq: 3, count: 1 })
  })

  it('shuts the door behind it: afterwards nobody deletes or erases an event by hand', async () => {
    const kept = await events(ORG_A)
    for (const text of [
      'DELETE FROM audit_events RETURNING 1',
      'UPDATE audit_events SET actor_email = NULL, ip = NULL, user_agent = NULL, identity_salt = NULL RETURNING 1',
    ]) {
      await expect(store.system.write((tx) => tx.rows(sql.raw(text)))).rejects.toThrow()
    }
    expect(await events(ORG_A)).toEqual(kept)
  })

  it('does not prune by a checkpoint that somebody else signed', async () => {
    await write(ORG_B, 1)
    await seal()
    // The checkpoint covers the events, but another key signed it.
    expect(await signMoved(runtime())).toBeGreaterThan(0)
    clock.advance(100 * DAY_MS)
    const other = {
      ...runtime(),
      settings: { ...runtime().settings, AUDIT_CHECKPOINT_KEY: new Uint8Array(32).fill(9) },
    }
    expect(await pruneAll(other)).toBe(0)
  })

  it('comes to rest: a chain of nothing but its own prunings is left alone', async () => {
    await signMoved(runtime())
    expect(await pruneAll(runtime())).toBeGreaterThan(0)
    await seal()
    await signMoved(runtime())
    clock.advance(100 * DAY_MS)
    expect(await pruneAll(runtime())).toBe(0)
  })

  it('erases a person from sealed and waiting events and explains it', async () => {
    await write(ORG_A, 2)
    await seal()
    await write(ORG_A, 1)
    const erased = await store.system.write((tx) => eraseUser(tx, runtime(), { userId: 'usr_ada', details: false }))
    expect(erased).toMatchObject({ identities: 2, details: 0, pending: 1 })
    await seal()
    const rows = await events(ORG_A)
    const personal = rows.filter(({ actorEmail, ip, userAgent }) => (actorEmail ?? ip ?? userAgent) !== null)
    expect(personal).toEqual([])
    expect(rows.filter(({ details }) => details?.includes('"n0"'))).toHaveLength(2)
    expect(await verify(ORG_A)).toMatchObject({ verdict: 'valid', erased: 2 })
  })

  it('erases details on request, and never the events that explain erasures', async () => {
    const erased = await store.system.write((tx) => eraseUser(tx, runtime(), { userId: 'usr_ada', details: true }))
    expect(erased).toMatchObject({ identities: 1, pending: 0 })
    const rows = await events(ORG_A)
    expect(rows.filter(({ details }) => details?.includes('"n0"'))).toEqual([])
    expect(rows.filter(({ action, details }) => action === 'audit.event.erase' && details === null)).toEqual([])
    expect(await verify(ORG_A)).toMatchObject({ verdict: 'valid' })
  })

  it('notices an erasure that nothing explains, a missing row and a changed one', async () => {
    const rows = await events(ORG_A)
    const tamper = async (statement: string, undo: string) => {
      await bypass(store, statement)
      const report = await verify(ORG_A)
      await bypass(store, undo)
      return report
    }
    const last = rows.at(-1)
    const middle = rows.find(({ action, identitySalt }) => action === 'audit.event.erase' && identitySalt !== null)
    if (last === undefined || middle === undefined) throw new Error('the chain is too short')
    const salt = middle.identitySalt
    expect(
      await tamper(
        `UPDATE audit_events SET identity_salt = NULL WHERE id = '${middle.id}'`,
        `UPDATE audit_events SET identity_salt = '${salt}' WHERE id = '${middle.id}'`,
      ),
    ).toMatchObject({ verdict: 'invalid', reason: 'unexplained_erasure', brokenSeq: middle.seq })
    expect(
      await tamper(
        `UPDATE audit_events SET actor_id = 'usr_eve' WHERE id = '${middle.id}'`,
        `UPDATE audit_events SET actor_id = '${middle.actorId}' WHERE id = '${middle.id}'`,
      ),
    ).toMatchObject({ verdict: 'invalid', reason: 'hash_mismatch', brokenSeq: middle.seq })
    expect(
      await tamper(
        `UPDATE audit_events SET chain = 'gone' WHERE id = '${last.id}'`,
        `UPDATE audit_events SET chain = '${ORG_A}' WHERE id = '${last.id}'`,
      ),
    ).toMatchObject({ verdict: 'invalid', reason: 'truncated', brokenSeq: last.seq })
    expect(
      await tamper(
        `UPDATE audit_heads SET chain = 'gone' WHERE chain = '${ORG_A}'`,
        `UPDATE audit_heads SET chain = '${ORG_A}' WHERE chain = 'gone'`,
      ),
    ).toMatchObject({ verdict: 'invalid', reason: 'head_mismatch' })
    expect(
      await tamper(
        `UPDATE audit_checkpoints SET chain = 'gone' WHERE chain = '${ORG_A}'`,
        `UPDATE audit_checkpoints SET chain = '${ORG_A}' WHERE chain = 'gone'`,
      ),
    ).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'missing_checkpoint' })
    expect(await verify(ORG_A)).toMatchObject({ verdict: 'valid' })
  })
})

/** Changes rows as the owner of the database could: without the triggers. */
async function bypass(store: Store, statement: string): Promise<void> {
  const trigger = 'audit_events_no_update'
  if (store.database === 'pg') {
    await store.system.write(async (tx) => {
      await tx.rows(sql`RESET ROLE`)
      await tx.rows(sql`ALTER TABLE audit_events DISABLE TRIGGER audit_events_guard`)
      await tx.rows(sql.raw(statement))
      await tx.rows(sql`ALTER TABLE audit_events ENABLE TRIGGER audit_events_guard`)
    })
    return
  }
  const { writer } = store as Store & { writer: import('better-sqlite3').Database }
  const row = writer.prepare('SELECT sql FROM sqlite_master WHERE name = ?').get(trigger) as { sql: string }
  writer.exec(`DROP TRIGGER ${trigger}; ${statement}; ${row.sql};`)
}
