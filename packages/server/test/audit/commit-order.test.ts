/**
 * Goal: on PostgreSQL events are sealed in an order that agrees with the order of their causes, although rows are numbered
 * before they are committed. Method: a transaction that inserted first and is still open holds back what came after it.
 */
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdSealing, sealBatch } from '../../src/audit/chain/seal-batch.js'
import { eraseUser } from '../../src/audit/retention/erase.js'
import { auditTables } from '../../src/audit/tables.js'
import type { Store, Tx } from '../../src/runtime/store/db.js'
import { evidence, ORG_A, runtimeOver } from '../support/audit/evidence.js'
import { postgresMissing, postgresStore } from '../support/stores.js'

const missing = await postgresMissing()

describe.skipIf(missing !== null)(`sealing on PostgreSQL${missing === null ? '' : ` (${missing})`}`, () => {
  let store: Store
  beforeAll(async () => {
    store = await postgresStore()
  })
  afterAll(() => store?.close())

  it('waits for a transaction that inserted earlier and is still open', async () => {
    const runtime = runtimeOver(store)
    let insertedFirst: () => void = () => undefined
    let letCommit: () => void = () => undefined
    const inserted = new Promise<void>((resolve) => {
      insertedFirst = resolve
    })
    const mayCommit = new Promise<void>((resolve) => {
      letCommit = resolve
    })
    const slow = store.system.write(async (tx) => {
      // Evidence is sent with COMMIT. A slow COMMIT leaves it inserted in a transaction that is open, as here.
      const atOnce: Tx = Object.assign(Object.create(tx) as Tx, {
        withCommit: async (statement: () => unknown) => void (await statement()),
      })
      await evidence(atOnce, runtime, ORG_A, 'org.update', { targetId: 'first' })
      insertedFirst()
      await mayCommit
    })
    await inserted
    await store.system.write(
      async (tx) => void (await evidence(tx, runtime, ORG_A, 'org.update', { targetId: 'second' })),
    )
    const early = await store.system.write((tx) => sealBatch(tx))
    letCommit()
    await slow
    expect(early).toMatchObject({ sealed: 0, left: true })
    // Transactions of other databases of the server hold it back too, for as long as they last.
    for (let left = true; left; ) left = (await store.system.write((tx) => sealBatch(tx))).left
    const rows = await store.system.read((db) => {
      const { auditEvents: t } = auditTables(db)
      return db.select({ target: t.targetId }).from(t).where(eq(t.chain, ORG_A)).orderBy(asc(t.seq))
    })
    expect(rows.map(({ target }) => target)).toEqual(['first', 'second'])
  })

  it('leaves sealing to the process that is at it, and to none while somebody is erased', async () => {
    const runtime = runtimeOver(store)
    await store.system.write(async (tx) => void (await evidence(tx, runtime, ORG_A, 'org.update')))
    /** A pass while a transaction that did `hold` is open. */
    async function during(hold: (tx: Tx) => Promise<unknown>) {
      let begun: () => void = () => undefined
      let end: () => void = () => undefined
      const holding = new Promise<void>((resolve) => {
        begun = resolve
      })
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      const held = store.system.write(async (tx) => {
        await hold(tx)
        begun()
        await over
      })
      await Promise.race([holding, held])
      const pass = await store.system.write((tx) => sealBatch(tx)).finally(end)
      await held
      return pass
    }
    const nothing = { sealed: 0, left: true, moved: [] }
    expect(await during((tx) => sealBatch(tx, { rowsMax: 0 }))).toEqual(nothing)
    expect(await during((tx) => holdSealing(tx))).toEqual(nothing)
    expect(await during((tx) => eraseUser(tx, runtime, { userId: 'usr_nobody', details: false }))).toEqual(nothing)
    for (let left = true; left; ) left = (await store.system.write((tx) => sealBatch(tx))).left
  })

  it('gives neither role of the server the right to change or delete an event', async () => {
    const attempt = (scope: Store['system'], statement: string) =>
      scope
        .write((tx) => tx.rows(sql.raw(statement)))
        .then(
          () => 'done',
          (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
        )
    const tenant = store.tenant({ orgId: ORG_A, readableOrgIds: [] })
    for (const scope of [store.system, tenant]) {
      for (const statement of [
        'DELETE FROM audit_events',
        "UPDATE audit_events SET action = 'x'",
        'TRUNCATE audit_events',
        'ALTER TABLE audit_events DISABLE TRIGGER ALL',
        'SET LOCAL session_replication_role = replica',
      ]) {
        expect(await attempt(scope, statement)).toMatch(/permission denied|must be owner/)
      }
    }
    expect(await attempt(tenant, `SELECT plumbline_audit_prune('${ORG_A}', 1)`)).toMatch(/permission denied/)
    expect(await attempt(tenant, `SELECT plumbline_audit_erase('${ORG_A}', '{1}', 'identity')`)).toMatch(
      /permission denied/,
    )
    expect(await attempt(store.system, `SELECT plumbline_audit_prune('${ORG_A}', 1)`)).toMatch(/needs its anchor/)
    expect(await attempt(tenant, `UPDATE audit_heads SET seq = 99`)).toMatch(/permission denied/)
  })
})
