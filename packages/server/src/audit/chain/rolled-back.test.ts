/**
 * Goal: verification distinguishes a log that was reset to an older signed state, or deleted, from one that simply ends
 * there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../../test/support/audit/evidence.js'
import { postgresMissing, postgresStore, sqliteStore } from '../../../test/support/stores.js'
import { heldClock } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import { sqliteStatement } from '../../runtime/store/sqlite-connection.js'
import { refuseRolledBack } from '../checkpoint/refuse-rolled-back.js'
import { signMoved } from '../checkpoint/sign.js'
import { RolledBack, signDirectory } from '../checkpoint/sign-directory.js'
import { auditLog } from '../log.js'
import { auditTables } from '../tables.js'
import { signedHeads } from './directories.js'
import { headOf } from './read-anchor.js'
import { sealBatch } from './seal-batch.js'
import { verifyStoredChain } from './verify-chain.js'

const missing = await postgresMissing()

describe.each([
  { name: 'SQLite', open: sqliteStore as () => Promise<Store>, skip: false },
  { name: 'PostgreSQL', open: postgresStore as () => Promise<Store>, skip: missing !== null },
])('an audit log on $name', ({ open, skip }) => {
  const clock = heldClock(Date.UTC(2026, 0, 1))
  let store: Store
  beforeEach(async () => {
    if (!skip) store = await open()
  })
  afterEach(async () => {
    if (!skip) await store.close()
  })

  const runtime = () => runtimeOver(store, clock)
  const verify = () =>
    store.system.snapshot(async (db) => {
      const log = auditLog(runtime().settings)
      return verifyStoredChain(db, log, ORG_A, (await signedHeads(db, log)).get(ORG_A) ?? null)
    })
  const write = async (orgId: string, count: number) => {
    await store.system.write(async (tx) => {
      for (let index = 0; index < count; index++) await evidence(tx, runtime(), orgId, 'org.update')
    })
    // PostgreSQL seals only rows that are older than every running transaction, including those of other tests on the
    // server.
    for (let left = count; left > 0; ) {
      const { sealed } = await store.system.write((tx) => sealBatch(tx))
      left -= sealed
      if (left > 0) await sleep(20)
    }
    await signMoved(runtime())
  }
  /** As the owner of the database can do it: the guards of the log are removed first. */
  async function tamper(...statements: string[]): Promise<void> {
    if (store.database === 'sqlite') {
      const triggers = await store.system.read((db) =>
        db.rows<{ name: string }>(
          sql`SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'audit_%'`,
        ),
      )
      const unguard = triggers.map(({ name }) => `DROP TRIGGER ${name}`)
      await store.system.write(async (tx) => {
        for (const text of [...unguard, ...statements]) sqliteStatement(tx, text).run()
      })
      return
    }
    const owner = new pg.Client({ connectionString: (store as unknown as { readonly url: string }).url })
    await owner.connect()
    await owner.query('ALTER TABLE audit_events DISABLE TRIGGER ALL')
    for (const text of statements) await owner.query(text)
    await owner.end()
  }

  /**
   * Three events are signed; then six more are signed and named by a directory; then the state with three events is
   * restored.
   */
  async function rollBack(): Promise<void> {
    await write(ORG_A, 3)
    const old = await store.system.read((db) => headOf(db, ORG_A))
    if (old === null) throw new Error('there is a head')
    await write(ORG_A, 6)
    await write(ORG_B, 2)
    await signDirectory(runtime())
    expect(await verify()).toMatchObject({ verdict: 'valid', lastSeq: 9 })
    await tamper(
      `DELETE FROM audit_events WHERE chain = '${ORG_A}' AND seq > 3`,
      `DELETE FROM audit_checkpoints WHERE chain = '${ORG_A}' AND size > 3`,
    )
    const { auditHeads } = auditTables(store)
    await store.system.write(async (tx) => {
      const { chain: _chain, ...state } = old
      await tx
        .update(auditHeads)
        .set({ ...state, checkpointSize: 3 })
        .where(sql`chain = ${ORG_A}`)
    })
  }

  it.skipIf(skip)(
    'that is put back to an older checkpoint is truncated, refused at the start, and stays so',
    async () => {
      await rollBack()
      const expected = {
        verdict: 'invalid',
        reason: 'truncated',
        brokenSeq: 4,
        evidence: { what: 'last event by a signed directory', expected: 9, actual: 3 },
      }
      expect(await verify()).toMatchObject(expected)
      await expect(refuseRolledBack(runtime())).rejects.toThrow(/ends at event 3, and a signed directory names event 9/)
      // The evidence of the rollback is never replaced, however long the server runs.
      await write(ORG_A, 1)
      await expect(signDirectory(runtime())).rejects.toThrow(RolledBack)
      expect(await verify()).toMatchObject({ ...expected, brokenSeq: 5, evidence: { ...expected.evidence, actual: 4 } })
    },
  )

  it.skipIf(skip)('that grew again to the size that was signed is another log', async () => {
    await rollBack()
    clock.advance(1000)
    await write(ORG_A, 8)
    expect(await verify()).toMatchObject({ verdict: 'invalid', reason: 'head_mismatch', brokenSeq: 9 })
  })

  it.skipIf(skip)('that was deleted as a whole is truncated, before and after it begins again', async () => {
    await rollBack()
    await tamper(
      ...['audit_events', 'audit_checkpoints', 'audit_heads'].map((t) => `DELETE FROM ${t} WHERE chain = '${ORG_A}'`),
    )
    expect(await verify()).toMatchObject({ verdict: 'invalid', reason: 'truncated', brokenSeq: 1 })
    await expect(refuseRolledBack(runtime())).rejects.toThrow(/ends at event 0/)
    await write(ORG_A, 1)
    expect(await verify()).toMatchObject({ verdict: 'invalid', reason: 'truncated', brokenSeq: 2 })
  })

  it.skipIf(skip)('whose directories nobody signed is not accused by them', async () => {
    await write(ORG_A, 3)
    await signDirectory(runtime())
    const { auditDirectories } = auditTables(store)
    await store.system.write((tx) =>
      tx.update(auditDirectories).set({ heads: [{ chain: ORG_A, seq: 900, hash: 'f'.repeat(64) }] }),
    )
    await refuseRolledBack(runtime())
    const report = await verify()
    expect(report).toMatchObject({ verdict: 'valid', lastSeq: 3 })
    // If the directories were changed too, the database contains no evidence of a rollback, and the answer says so.
    expect(report.doubts.map(({ code }) => code)).toContain('rolled-back')
  })
})
