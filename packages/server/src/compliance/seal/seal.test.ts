/**
 * Goal: every hour of the check log is sealed once, and verification reports any change that was made without the
 * server.
 */
import { addClaim, CHECK_LATE_MS, type CheckLogRow, NO_CLAIMS, verifyCheckLog } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { ALONE } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { type SignedIn, signIn } from '../../../test/support/sign-in.js'
import { sealBatch } from '../../audit/chain/seal-batch.js'
import { auditTables } from '../../audit/tables.js'
import type { Tx } from '../../runtime/store/db.js'
import { complianceRegistration } from '../registration.js'
import { complianceTables } from '../tables.js'
import { SEAL_EVERY_MS, sealChecksJob, sealJob } from './job.js'
import { pruneChecksJob } from './prune.js'

const DAY_MS = 86_400_000

await describeCompliance('the sealed check log', { stores: ALONE }, (kit) => {
  let ada: SignedIn
  let eve: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    eve = await signUp(kit.app, 'eve')
  })

  /** Hours and days pass in this test, so each call gets a new token. */
  const tokenOf = async (as: SignedIn) => (await signIn(kit.app, as.username)).accessToken
  const check = async (as: SignedIn, count = 1) => {
    for (let at = 0; at < count; at++) {
      await kit.call({ ...as, accessToken: await tokenOf(as) }, 'POST', '/validate/plugin', {
        attributes: { version: `${at}` },
      })
      kit.app.clock.advance(1000)
    }
  }
  const seal = () => runJobs(kit.app, [sealChecksJob], [sealChecksJob.kind])
  /** Advances the clock past the end of the hour, and runs the jobs that are due. */
  const endHour = async () => {
    const hours = Math.floor(kit.app.clock.now() / SEAL_EVERY_MS) + 1
    kit.app.clock.advance(hours * SEAL_EVERY_MS + 120_000 - kit.app.clock.now())
    await seal()
  }
  const sealEvents = async (orgId: string) => {
    await kit.store.system.write((tx) => sealBatch(tx))
    return kit.store.system.read((db) => {
      const { auditEvents: t } = auditTables(db)
      return db.select().from(t).where(eq(t.chain, orgId)).orderBy(asc(t.seq))
    })
  }
  async function exported(as: SignedIn) {
    const headers = { authorization: `Bearer ${await tokenOf(as)}`, 'x-org-id': as.orgId }
    const response = await kit.app.http.request('/api/compliance/audit/export', { headers })
    expect(response.status).toBe(200)
    const lines = (await response.text()).trim().split('\n')
    return lines.map((line) => JSON.parse(line)) as { seal?: { manifest: string }; check?: CheckLogRow }[]
  }
  async function verify(as: SignedIn) {
    const events = await sealEvents(as.orgId)
    const claims = events.reduce(addClaim, NO_CLAIMS)
    const lines = await exported(as)
    return verifyCheckLog(nodeCrypto, {
      claims,
      rows: lines.flatMap((line) => line.check ?? []),
      manifests: lines.flatMap(({ seal: one }) => (one === undefined ? [] : [one.manifest.split('\n').slice(0, -1)])),
      isChainPruned: false,
    })
  }
  const rowsOf = (orgId: string) =>
    kit.store.system.read((db) => {
      const { checks: t } = complianceTables(db)
      return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.createdAtMs), asc(t.id))
    })
  /** A change by a person with access to the database; undone afterwards. */
  async function behindItsBack(change: (tx: Tx, t: ReturnType<typeof complianceTables>['checks']) => Promise<unknown>) {
    const before = await rowsOf(ada.orgId)
    await kit.store.system.write((tx) => change(tx, complianceTables(tx).checks))
    const report = await verify(ada)
    await kit.store.system.write(async (tx) => {
      const { checks: t } = complianceTables(tx)
      await tx.delete(t).where(eq(t.orgId, ada.orgId))
      for (const each of before) await tx.insert(t).values(each)
    })
    expect(await verify(ada)).toMatchObject({ verdict: 'valid' })
    return report
  }

  it('each hour with checks has one event in the chain of its organization, and none twice', async () => {
    await check(ada, 3)
    await check(eve, 1)
    await seal()
    expect((await sealEvents(ada.orgId)).filter(({ action }) => action === 'compliance.checklog.seal')).toEqual([])
    await endHour()
    await seal()
    const rows = await rowsOf(ada.orgId)
    const events = (await sealEvents(ada.orgId)).filter(({ action }) => action === 'compliance.checklog.seal')
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ actorId: 'system', orgId: ada.orgId, targetType: 'check-log' })
    expect(JSON.parse(events[0]?.details ?? '')).toMatchObject({
      count: 3,
      firstId: rows[0]?.id,
      lastId: rows[2]?.id,
      sha256: expect.stringMatching(/^([0-9a-f]{8}:){7}[0-9a-f]{8}$/),
      from: '2026-11-21T10:00:00.000Z',
      through: '2026-11-21T11:00:00.000Z',
    })
    await check(ada, 2)
    await endHour()
    await endHour()
    expect(await verify(ada)).toMatchObject({ verdict: 'valid', seals: 2, rows: 5, unsealed: 0 })
    expect(await verify(eve)).toMatchObject({ verdict: 'valid', seals: 1, rows: 1 })
  })

  it('a file holds the own organization alone', async () => {
    const ids = (await exported(eve)).flatMap((line) => line.check ?? []).map(({ orgId }) => orgId)
    expect(ids).toEqual([eve.orgId])
    expect((await exported(eve)).filter((line) => line.seal !== undefined)).toHaveLength(1)
  })

  it('a row that was altered, deleted or inserted is named', async () => {
    await check(ada, 2)
    await endHour()
    const rows = await rowsOf(ada.orgId)
    const [, second, , fourth] = rows
    if (second === undefined || fourth === undefined) throw new Error('no rows')
    expect(
      await behindItsBack(async (tx, t) => {
        await tx.update(t).set({ result: 'pass', entityName: 'another' }).where(eq(t.id, fourth.id))
        await tx
          .update(t)
          .set({ attributesHash: 'f'.repeat(64) })
          .where(eq(t.id, second.id))
      }),
    ).toMatchObject({
      verdict: 'invalid',
      findingsTotal: 2,
      findings: [
        { reason: 'row_altered', id: second.id },
        { reason: 'row_altered', id: fourth.id },
      ],
    })
    expect(await behindItsBack((tx, t) => tx.delete(t).where(eq(t.id, second.id)))).toMatchObject({
      findings: [{ reason: 'row_missing', id: second.id }],
    })
    expect(
      await behindItsBack((tx, t) => tx.update(t).set({ userId: eve.userId }).where(eq(t.id, second.id))),
    ).toMatchObject({ findings: [{ reason: 'row_altered', id: second.id }] })
    const inserted = { ...second, id: '00000000-0000-7000-8000-000000000001' }
    expect(await behindItsBack((tx, t) => tx.insert(t).values(inserted))).toMatchObject({
      findings: [{ reason: 'row_inserted', id: inserted.id }],
    })
  })

  it('a changed manifest is not believed, and the hour is named', async () => {
    const { checkSeals } = await kit.store.system.read(async (db) => complianceTables(db))
    const [first] = await kit.store.system.read((db) =>
      db.select().from(checkSeals).where(eq(checkSeals.orgId, ada.orgId)).orderBy(asc(checkSeals.ordinal)).limit(1),
    )
    if (first === undefined) throw new Error('no seal')
    const put = (manifest: string) =>
      kit.store.system.write((tx) => tx.update(checkSeals).set({ manifest }).where(eq(checkSeals.id, first.id)))
    await put('')
    // All its rows exist, so the manifest can be rebuilt.
    expect(await verify(ada)).toMatchObject({ verdict: 'valid' })
    const [row] = await rowsOf(ada.orgId)
    const report = await behindItsBackWith(put, first.manifest, row?.id ?? '')
    expect(report).toMatchObject({ findings: [{ reason: 'manifest_altered', createdAt: '2026-11-21T10:00:00.000Z' }] })
  })
  async function behindItsBackWith(put: (manifest: string) => Promise<unknown>, manifest: string, id: string) {
    const rows = await rowsOf(ada.orgId)
    const [kept] = rows.filter((row) => row.id === id)
    await kit.store.system.write(async (tx) => {
      const { checks: t } = complianceTables(tx)
      await tx.delete(t).where(eq(t.id, id))
    })
    const report = await verify(ada)
    await kit.store.system.write((tx) => tx.insert(complianceTables(tx).checks).values(kept as never))
    await put(manifest)
    return report
  }

  it('a check that is committed after its hour was sealed goes into the next seal', async () => {
    const rows = await rowsOf(ada.orgId)
    const [model] = rows
    if (model === undefined) throw new Error('no row')
    const late = { ...model, id: kit.app.runtime.ids.next(), createdAtMs: kit.app.clock.now() - SEAL_EVERY_MS / 2 }
    await kit.store.system.write((tx) => tx.insert(complianceTables(tx).checks).values(late))
    await check(ada, 1)
    await endHour()
    expect(await verify(ada)).toMatchObject({ verdict: 'valid', rows: rows.length + 2, unsealed: 0 })
    const last = (await sealEvents(ada.orgId)).filter(({ targetType }) => targetType === 'check-log').at(-1)
    expect(JSON.parse(last?.details ?? '')).toMatchObject({ count: 2, firstId: late.id })
    // A row that is later than any check can be is not sealed.
    const backdated = { ...late, id: kit.app.runtime.ids.next(), createdAtMs: late.createdAtMs - CHECK_LATE_MS * 3 }
    await kit.store.system.write((tx) => tx.insert(complianceTables(tx).checks).values(backdated))
    await endHour()
    expect(await verify(ada)).toMatchObject({ findings: [{ reason: 'row_inserted', id: backdated.id }] })
    await kit.store.system.write(async (tx) => {
      const { checks: t } = complianceTables(tx)
      await tx.delete(t).where(eq(t.id, backdated.id))
    })
  })

  it('an erased person leaves the log provable', async () => {
    const before = await verify(ada)
    await kit.store.system.write((tx) =>
      complianceRegistration.erase(tx, ada.userId, { ...kit.app.runtime, recheck: async () => undefined }),
    )
    expect(await verify(ada)).toMatchObject({ verdict: 'valid', rows: before.rows, erased: before.rows })
  })

  it('retention removes sealed rows alone, says so in the chain, and the rest verifies', async () => {
    kit.app.clock.advance(180 * DAY_MS - 4 * SEAL_EVERY_MS)
    await check(ada, 1)
    const before = await rowsOf(ada.orgId)
    await runJobs(kit.app, [pruneChecksJob], [pruneChecksJob.kind])
    const left = await rowsOf(ada.orgId)
    expect(left.length).toBeLessThan(before.length)
    expect(left.length).toBeGreaterThan(1)
    const countedDays = () =>
      kit.store.system.read((db) =>
        db.$count(complianceTables(db).checkDays, eq(complianceTables(db).checkDays.orgId, ada.orgId)),
      )
    expect(await countedDays()).toBeGreaterThan(0)
    expect(await verify(ada)).toMatchObject({ verdict: 'valid', pruned: before.length - left.length, unsealed: 1 })
    // A row that retention did not delete is reported as missing.
    const [first] = left
    expect(await behindItsBack((tx, t) => tx.delete(t).where(eq(t.id, first?.id ?? '')))).toMatchObject({
      findings: [{ reason: 'row_missing', id: first?.id }],
    })
    kit.app.clock.advance(400 * DAY_MS)
    await runJobs(kit.app, [pruneChecksJob], [pruneChecksJob.kind])
    // No summary covers such old days.
    expect(await countedDays()).toBe(0)
    // The last row was never sealed.
    expect(await rowsOf(ada.orgId)).toMatchObject([{ id: before.at(-1)?.id }])
    await seal()
    expect(await verify(ada)).toMatchObject({ verdict: 'valid', rows: 1, overdue: 1 })
    await runJobs(kit.app, [pruneChecksJob], [pruneChecksJob.kind])
  })

  it('an organization with more checks than one seal takes has several for the hour', async () => {
    await check(eve, 1)
    const [model] = await rowsOf(eve.orgId)
    if (model === undefined) throw new Error('no row')
    const nowMs = kit.app.clock.now()
    // Many rows of the same instant, across the border between two seals.
    const more = Array.from({ length: 240 }, (_, at) => ({
      ...model,
      id: kit.app.runtime.ids.next(),
      createdAtMs: nowMs + Math.floor(at / 50),
    }))
    await kit.store.system.write((tx) => tx.insert(complianceTables(tx).checks).values(more))
    kit.app.clock.advance(SEAL_EVERY_MS * 2)
    await runJobs(kit.app, [sealJob(100)], [sealChecksJob.kind])
    const report = await verify(eve)
    expect(report).toMatchObject({ verdict: 'valid', unsealed: 0 })
    expect(report.rows).toBe(241)
    // One seal of an hour that retention deleted, and three of this hour.
    expect(report.seals).toBe(4)
  })
})
