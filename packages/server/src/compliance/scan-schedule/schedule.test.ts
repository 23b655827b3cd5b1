/**
 * Goal: a schedule starts one scan for each of its slots, with late, duplicate or suspended workers; and none while it
 * is inactive.
 */
import { setTimeout } from 'node:timers/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { memberOf, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs, signInAgain } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { JobWrite } from '../../runtime/jobs/define.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { scanJob } from '../scan/job.js'
import { SCAN_JOB } from '../scan/open.js'
import { complianceTables } from '../tables.js'
import { beginOne, dueScansJob } from './due.js'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const UNKNOWN = '99999999-9999-7999-8999-999999999999'

await describeCompliance('scan schedules', { stores: BOTH_DATABASES }, (kit, store) => {
  let ada: SignedIn
  let bob: SignedIn
  let reader: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    bob = await signUp(kit.app, 'bob')
    reader = await memberOf(kit, ada, 'reader')
  })
  beforeEach(async () => {
    // The clock advances by hours, and no token lasts that long.
    ada = await signInAgain(kit.app, ada)
    bob = await signInAgain(kit.app, bob)
    reader = await signInAgain(kit.app, reader)
    await kit.store.system.write(async (tx) => {
      const { scans, scanSchedules } = complianceTables(tx)
      await tx.delete(scans)
      await tx.delete(scanSchedules)
    })
  })

  const due = () => dueScansJob(kit.app.runtime.settings)
  /** Runs the job that starts due scans after this time; the scans themselves run too, unless `runScans` is false. */
  async function look(ms: number, { runScans = true } = {}): Promise<void> {
    kit.app.clock.advance(ms)
    await runJobs(kit.app, [due()], [due().kind])
    if (runScans) await runJobs(kit.app, [scanJob])
  }
  const create = (body: object, as = ada) => kit.call(as, 'POST', '/scan-schedules', body)
  const schedules = async (query = '', as = ada) =>
    (await kit.call(as, 'GET', `/scan-schedules${query}`)).data.schedules
  const scans = async (as = ada) =>
    (await kit.call(as, 'GET', '/scans?limit=1000')).data.scans as Record<string, unknown>[]
  const iso = (ms: number) => new Date(ms).toISOString()
  const now = () => kit.app.clock.now()

  it('is created, changed, switched off and on, and deleted by being switched off', async () => {
    const hour = Math.floor(now() / HOUR_MS) * HOUR_MS
    const made = await create({ target: 'plugin', cronExpression: '30 * * * *' })
    expect(made).toMatchObject({
      status: 201,
      data: {
        schedule: {
          target: 'plugin',
          isActive: true,
          lastRunAt: null,
          nextRunAt: iso(hour + 30 * MINUTE_MS),
          createdBy: ada.userId,
        },
      },
    })
    const at = `/scan-schedules/${made.data.schedule.id}`
    const put = (body: object) => kit.call(ada, 'PUT', at, body)
    expect((await put({ target: 'all' })).data.schedule).toMatchObject({ target: 'all', cronExpression: '30 * * * *' })
    expect((await put({ cronExpression: '45 * * * *' })).data.schedule.nextRunAt).toBe(iso(hour + 45 * MINUTE_MS))
    expect((await put({})).status).toBe(400)
    const active = (isActive: boolean) => kit.call(ada, 'PATCH', `${at}/active`, { isActive })
    expect((await active(false)).data.schedule).toMatchObject({ isActive: false, nextRunAt: null })
    expect((await put({ cronExpression: '50 * * * *' })).data.schedule.nextRunAt).toBeNull()
    expect((await active(true)).data.schedule.nextRunAt).toBe(iso(hour + 50 * MINUTE_MS))
    expect((await kit.call(ada, 'DELETE', at)).data.schedule).toMatchObject({ isActive: false, nextRunAt: null })
    expect(await schedules('?isActive=false')).toMatchObject([{ id: made.data.schedule.id }])
    expect(await schedules('?isActive=true')).toEqual([])
    expect(await schedules('?target=pipeline')).toEqual([])
    expect((await active(true)).status).toBe(200)
    const written = (await evidence(kit.app)).filter(({ targetId }) => targetId === made.data.schedule.id)
    expect(written.map(({ action }) => String(action).replace('compliance.scan-schedule.', ''))).toEqual([
      'create',
      'update',
      'update',
      'update',
      'update',
      'update',
      'delete',
      'update',
    ])
  })

  it('says what is wrong with an expression, and where', async () => {
    const refused = await create({ target: 'plugin', cronExpression: '0 25 * * *' })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { field: 'cronExpression', position: 2 } },
    })
    expect(refused.body.details.issues).toMatchObject([{ path: '/body/cronExpression', code: 'cron' }])
    for (const cronExpression of ['@daily', '* * *', '0 0 30 2 *', '* * * * * *', `${'1,'.repeat(60)}1 * * * *`]) {
      expect((await create({ target: 'plugin', cronExpression })).status).toBe(400)
    }
    expect(await schedules()).toEqual([])
  })

  // On SQLite a transaction does not pause.
  if (store !== 'SQLite')
    it('a change waits for another one of the same schedule, and follows it', async () => {
      const { id } = (await create({ target: 'plugin', cronExpression: '30 * * * *' })).data.schedule
      const { scanSchedules: t } = complianceTables(kit.store)
      for (const [method, body] of [
        ['PUT', { target: 'all' }],
        ['DELETE', undefined],
      ] as const) {
        let first: Promise<unknown> | undefined
        await new Promise<void>((changed) => {
          first = kit.store.system.write(async (tx) => {
            await tx.update(t).set({ cronExpression: '45 * * * *', revision: 7 }).where(eq(t.id, id))
            changed()
            await setTimeout(300)
          })
        })
        const second = kit.call(ada, method, `/scan-schedules/${id}`, body)
        await first
        expect(await second).toMatchObject({
          status: 200,
          data: { schedule: { target: 'all', cronExpression: '45 * * * *', revision: 8 } },
        })
      }
    })

  it('at most twenty are active', async () => {
    for (let n = 0; n < 20; n++)
      expect((await create({ target: 'plugin', cronExpression: `${n} * * * *` })).status).toBe(201)
    expect(await create({ target: 'plugin', cronExpression: '30 * * * *' })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    })
    const off = await create({ target: 'plugin', cronExpression: '30 * * * *', isActive: false })
    expect(off.status).toBe(201)
    const active = (id: string, isActive: boolean) =>
      kit.call(ada, 'PATCH', `/scan-schedules/${id}/active`, { isActive })
    expect((await active(off.data.schedule.id, true)).status).toBe(409)
    const [one] = await schedules('?isActive=true')
    await active(one.id, false)
    expect((await active(off.data.schedule.id, true)).status).toBe(200)
    expect((await create({ target: 'plugin', cronExpression: '30 * * * *' }, bob)).status).toBe(201)
  })

  it('reading needs `compliance:read`, changing `compliance:write`; another organization’s is not there', async () => {
    const { id } = (await create({ target: 'plugin', cronExpression: '30 * * * *' })).data.schedule
    for (const [method, path, body] of [
      ['PUT', '', { target: 'all' }],
      ['PATCH', '/active', { isActive: false }],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await kit.call(reader, method, `/scan-schedules/${id}${path}`, body)).status).toBe(403)
      expect((await kit.call(bob, method, `/scan-schedules/${id}${path}`, body)).status).toBe(404)
      expect((await kit.call(ada, method, `/scan-schedules/${UNKNOWN}${path}`, body)).status).toBe(404)
    }
    expect((await create({ target: 'plugin', cronExpression: '30 * * * *' }, reader)).status).toBe(403)
    expect(await schedules('', reader)).toHaveLength(1)
    expect(await schedules('', bob)).toEqual([])
  })

  it('begins a scan when it is due, once, and not when it is off', async () => {
    await create({ target: 'plugin', cronExpression: '0 * * * *' })
    const off = (await create({ target: 'pipeline', cronExpression: '0 * * * *' })).data.schedule.id
    await kit.call(ada, 'DELETE', `/scan-schedules/${off}`)
    await look(0)
    expect(await scans()).toEqual([])
    await look(HOUR_MS)
    await look(0)
    expect(await scans()).toMatchObject([
      { triggeredBy: 'scheduled', target: 'plugin', status: 'completed', userId: null },
    ])
    const [schedule] = await schedules('?isActive=true')
    expect(Date.parse(schedule.lastRunAt)).toBe(now())
    expect(Date.parse(schedule.nextRunAt) % HOUR_MS).toBe(0)
    const [scan] = await scans()
    const written = (await evidence(kit.app)).filter(({ targetId }) => targetId === scan?.id)
    expect(written).toMatchObject([{ action: 'compliance.scan.create', orgId: ada.orgId }])
  })

  it('missed runs become one; while a scan is under way the slot is passed over', async () => {
    await create({ target: 'plugin', cronExpression: '0 * * * *' })
    await look(10 * HOUR_MS)
    const ranAt = now()
    ada = await signInAgain(kit.app, ada)
    expect(await scans()).toHaveLength(1)
    const lastRunAt = async () => Date.parse((await schedules())[0].lastRunAt)
    expect(await lastRunAt()).toBe(ranAt)
    expect(Date.parse((await schedules())[0].nextRunAt)).toBeGreaterThan(ranAt)
    await kit.call(ada, 'POST', '/scans', { target: 'all' })
    await look(HOUR_MS, { runScans: false })
    expect((await scans()).filter(({ triggeredBy }) => triggeredBy === 'scheduled')).toHaveLength(1)
    expect(await lastRunAt()).toBe(ranAt)
    await runJobs(kit.app, [scanJob])
    await look(HOUR_MS)
    ada = await signInAgain(kit.app, ada)
    expect((await scans()).filter(({ triggeredBy }) => triggeredBy === 'scheduled')).toHaveLength(2)
  })

  it('a look that slept begins nothing, also after the schedule was set back to the same time', async () => {
    await create({ target: 'plugin', cronExpression: '0 * * * *' })
    kit.app.clock.advance(HOUR_MS)
    const { scanSchedules: t, scans: s } = complianceTables(kit.store)
    const [stale] = await kit.store.system.read((db) => db.select().from(t))
    if (stale === undefined) throw new Error('no schedule')
    await look(0)
    const begin = () =>
      kit.store.system.write((tx) =>
        beginOne(
          kit.app.runtime,
          {
            tx,
            nowMs: now(),
            audit: async () => undefined,
            enqueue: (message) => enqueue(tx, kit.app.runtime, message),
          } satisfies JobWrite,
          stale,
        ),
      )
    await begin()
    expect(await scans()).toHaveLength(1)
    // The claim is not the only safeguard: the slot is unique too.
    await kit.store.system.write((tx) => tx.update(t).set({ nextRunAtMs: stale.nextRunAtMs }))
    await begin()
    expect(await kit.store.system.read((db) => db.select().from(s))).toHaveLength(1)
  })

  it('three workers that look at once begin one scan a time, also beside one that sleeps between look and claim', async () => {
    const targets = ['plugin', 'pipeline'] as const
    for (const as of [ada, bob]) {
      for (const target of targets) await create({ target, cronExpression: '*/10 * * * *' }, as)
    }
    const { scanSchedules: t, scans: s } = complianceTables(kit.store)
    for (let slot = 1; slot <= 4; slot++) {
      kit.app.clock.advance(10 * MINUTE_MS)
      const asleep = await kit.store.system.read((db) => db.select().from(t))
      // One job for each worker: without a unique key all of them run.
      await kit.store.system.write(async (tx) => {
        for (let n = 0; n < 3; n++) await enqueue(tx, kit.app.runtime, { kind: due().kind, payload: {} })
      })
      await Promise.all([1, 2, 3].map(() => runJobs(kit.app, [due()])))
      await runJobs(kit.app, [scanJob])
      await Promise.all(
        asleep.map((stale) =>
          kit.store.system.write((tx) =>
            beginOne(
              kit.app.runtime,
              {
                tx,
                nowMs: now(),
                audit: async () => undefined,
                enqueue: (message) => enqueue(tx, kit.app.runtime, message),
              } satisfies JobWrite,
              stale,
            ),
          ),
        ),
      )
      const made = await kit.store.system.read((db) => db.select().from(s))
      expect(made).toHaveLength(slot * 4)
      expect(new Set(made.map(({ slotKey }) => slotKey)).size).toBe(slot * 4)
    }
  })

  it('the system organization’s pass over unless the setting says otherwise', async () => {
    const asSystem = async () => ({ ...(await signInAgain(kit.app, kit.root)), orgId: SYSTEM_ORG_ID })
    await create({ target: 'all', cronExpression: '0 * * * *' }, await asSystem())
    await look(HOUR_MS)
    expect(await scans(await asSystem())).toEqual([])
    const [passed] = await schedules('', await asSystem())
    expect([passed.lastRunAt, Date.parse(passed.nextRunAt) > now()]).toEqual([null, true])
    Object.assign(kit.app.runtime.settings, { SYSTEM_ORG_SCANS_ENABLED: true })
    await look(HOUR_MS)
    expect(await scans(await asSystem())).toMatchObject([{ status: 'completed', errorMessage: null }])
    Object.assign(kit.app.runtime.settings, { SYSTEM_ORG_SCANS_ENABLED: false })
  })

  it('those of a deleted organization begin nothing, and go on when it is restored', async () => {
    await create({ target: 'plugin', cronExpression: '0 * * * *' }, bob)
    const setDeleted = (deletedAtMs: number | null) =>
      kit.store.system.write((tx) => {
        const { organizations } = identityTables(tx)
        return tx.update(organizations).set({ deletedAtMs }).where(eq(organizations.id, bob.orgId))
      })
    const stored = () => kit.store.system.read((db) => db.select().from(complianceTables(db).scans))
    await setDeleted(now())
    await look(HOUR_MS)
    expect(await stored()).toEqual([])
    await setDeleted(null)
    await look(0)
    expect(await stored()).toEqual([])
    await look(HOUR_MS)
    expect(await stored()).toMatchObject([{ orgId: bob.orgId, triggeredBy: 'scheduled', status: 'completed' }])
  })

  it('scans that nobody works on are found: silent ones have failed, waiting ones are queued again', async () => {
    const silent = (await kit.call(ada, 'POST', '/scans', { target: 'plugin' })).data.scan.id
    const waiting = (await kit.call(ada, 'POST', '/scans', { target: 'pipeline' })).data.scan.id
    const dead = (await kit.call(bob, 'POST', '/scans', { target: 'plugin' })).data.scan.id
    await kit.store.system.write(async (tx) => {
      const { jobs } = jobTables(tx)
      const { scans: t } = complianceTables(tx)
      const workOf = (scanId: string) => and(eq(jobs.kind, SCAN_JOB), eq(jobs.payload, { scanId }))
      await tx.delete(jobs).where(workOf(waiting))
      // A worker that hangs, and a dead-lettered job.
      await tx
        .update(jobs)
        .set({ state: 'running', leaseUntilMs: now() + HOUR_MS })
        .where(workOf(silent))
      await tx.update(jobs).set({ state: 'dead' }).where(workOf(dead))
      await tx
        .update(t)
        .set({ status: 'running', heartbeatAtMs: now() })
        .where(inArray(t.id, [silent, dead]))
    })
    await look(9 * MINUTE_MS, { runScans: false })
    expect((await kit.call(ada, 'GET', `/scans/${silent}`)).data.scan.status).toBe('running')
    expect((await kit.call(bob, 'GET', `/scans/${dead}`)).data.scan).toMatchObject({
      status: 'failed',
      errorMessage: 'the processes that ran the scan ended too often: start it again',
    })
    const queued = await kit.store.system.read((db) => {
      const { jobs } = jobTables(db)
      return db
        .select()
        .from(jobs)
        .where(and(eq(jobs.kind, SCAN_JOB), eq(jobs.state, 'waiting')))
    })
    expect(queued.map(({ payload }) => payload)).toEqual([{ scanId: waiting }])
    await look(2 * MINUTE_MS)
    expect((await kit.call(ada, 'GET', `/scans/${silent}`)).data.scan).toMatchObject({
      status: 'failed',
      errorMessage: 'no progress for 600 seconds',
    })
    expect((await kit.call(ada, 'GET', `/scans/${waiting}`)).data.scan.status).toBe('completed')
  })
})
