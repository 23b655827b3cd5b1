/**
 * Three server processes on PostgreSQL and Redis behind a balancer serve as one: what holds in one process holds across
 * them, and when one is killed the others go on, lose nothing that was acknowledged, and take over its jobs.
 */
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, inArray } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { auditTables } from '../src/audit/tables.js'
import { identityTables } from '../src/identity/tables.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { organizationRaces, RACE_SETTINGS } from './support/organization-races.js'
import { confirmed, superAdmin } from './support/organizations.js'
import { NOTICED_MS, type Replicas, startReplicas } from './support/replica-processes.js'
import { PASSWORD, type SignedIn, signUp, stepUp } from './support/sign-in.js'
import { postgresMissing, redisMissing } from './support/stores.js'

const missing = (await postgresMissing()) ?? (await redisMissing())
const REPLICAS = 3
const each = [...Array(REPLICAS).keys()]

/** Every chain, as any replica verifies it, once nothing waits. @returns the events of all chains. */
async function verifyAll({ store, app }: Replicas, root: SignedIn): Promise<{ action: string; targetId: string }[]> {
  await vi.waitFor(
    async () => {
      expect(await store.system.read((db) => db.$count(jobTables(db).auditOutbox))).toBe(0)
    },
    { timeout: 180_000, interval: 100 },
  )
  const heads = await store.system.read((db) => db.select().from(auditTables(db).auditHeads))
  expect(heads.length).toBeGreaterThan(1)
  for (const { chain } of heads) {
    const report = await app.call('GET', `/audit/verify?orgId=${chain}`, { as: root })
    expect(report.data).toMatchObject({ verdict: 'valid', pending: 0 })
    expect(report.data.count).toBe(report.data.lastSeq)
  }
  const rows = await store.system.read((db) => db.select().from(auditTables(db).auditEvents))
  expect(new Set(rows.map(({ chain, seq }) => `${chain} ${seq}`)).size).toBe(rows.length)
  return rows.map(({ action, targetId }) => ({ action, targetId: targetId ?? '' }))
}

describe.skipIf(missing !== null)(`three replicas${missing ? ` (${missing})` : ''}`, () => {
  let replicas: Replicas
  let root: SignedIn
  beforeAll(async () => {
    replicas = await startReplicas(REPLICAS, { ...RACE_SETTINGS, EXPORT_LIMITER_MAX: '3' })
    root = await superAdmin(replicas.app, 'root')
  })
  afterAll(() => replicas?.stop())

  organizationRaces(() => ({ app: replicas.app, root }))

  it('know a person, a token and an organization that one of them made', async () => {
    const { app } = replicas
    const { data } = await replicas.at(0).call('POST', '/auth/register', {
      body: { username: 'nia', email: 'nia@plumbline.test', password: PASSWORD, organizationName: 'Nia' },
    })
    const signedIn = await replicas
      .at(1)
      .call('POST', '/auth/login', { body: { identifier: 'nia', password: PASSWORD } })
    const as = signedIn.data.accessToken
    const pat = await app.call('POST', '/auth/pats', {
      as,
      body: { name: 'ci' },
      headers: await stepUp(app, { accessToken: as }),
    })
    const path = `/organization/${data.organization.id}/members`
    for (const replica of each) {
      for (const token of [as, pat.data.token]) {
        expect((await replicas.at(replica).call('GET', path, { as: token })).data.members).toHaveLength(1)
      }
    }
  })

  it('give 20 refreshes of one token over all of them one successor', async () => {
    const { app } = replicas
    let { refreshToken } = await signUp(app, 'ref')
    for (let round = 0; round < 5; round++) {
      const body = { refreshToken }
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.call('POST', '/auth/refresh', { body })))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(new Set(answers.map(({ data }) => data.refreshToken)).size).toBe(1)
      refreshToken = answers[0]?.data.refreshToken
    }
  })

  it('refuse within two seconds what one of them ended', async () => {
    const { app } = replicas
    const person = await signUp(app, 'rev')
    const made = await confirmed(app, 'POST', '/auth/pats', { as: person, body: { name: 'ci' } })
    const { token, pat } = made.data
    const statuses = async (as: string) =>
      Promise.all(each.map(async (replica) => (await replicas.at(replica).call('GET', '/auth/me', { as })).status))
    expect([await statuses(token), await statuses(person.accessToken)]).toEqual([
      Array(3).fill(200),
      Array(3).fill(200),
    ])
    expect((await replicas.at(0).call('DELETE', `/auth/pats/${pat.id}`, { as: person })).status).toBe(204)
    expect((await replicas.at(1).call('POST', '/auth/logout', { as: person, body: {} })).status).toBe(204)
    await sleep(NOTICED_MS)
    expect([await statuses(token), await statuses(person.accessToken)]).toEqual([
      Array(3).fill(401),
      Array(3).fill(401),
    ])
  })

  it('have the effect of a request with one key once, wherever it arrives', async () => {
    const { app, store } = replicas
    const ida = await signUp(app, 'ike')
    for (let round = 0; round < 10; round++) {
      const headers = { 'idempotency-key': randomUUID() }
      const body = { name: `Readers ${round}`, permissions: ['pipelines:read'] }
      const send = (replica: number) =>
        replicas.at(replica).call('POST', `/organization/${ida.orgId}/roles`, { as: ida, body, headers })
      const answers = await Promise.all(each.map(send))
      // One makes it; who comes meanwhile is told so, who comes after is given the same answer.
      expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([])
      const later = await Promise.all(each.map(send))
      const made = [...answers, ...later].filter(({ status }) => status === 201)
      expect(made.length).toBeGreaterThanOrEqual(1 + REPLICAS)
      expect(new Set(made.map(({ data }) => data.role.id)).size).toBe(1)
    }
    const rows = await store.system.read((db) => {
      const { roles } = identityTables(db)
      return db.select().from(roles).where(eq(roles.orgId, ida.orgId))
    })
    expect(rows.filter(({ builtIn }) => !builtIn)).toHaveLength(10)
  })

  it('let a confirmation be used once, though it is shown to all of them at once', async () => {
    const { app } = replicas
    const sue = await signUp(app, 'sue')
    for (let round = 0; round < 5; round++) {
      const headers = await stepUp(app, sue)
      const answers = await Promise.all(
        each.map((replica) =>
          replicas.at(replica).call('POST', '/auth/pats', { as: sue, body: { name: `ci ${round}` }, headers }),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    }
  })

  it('count the requests of an organization together', async () => {
    const { app } = replicas
    const eva = await signUp(app, 'eva')
    const statuses: number[] = []
    for (let n = 0; n < 2 * REPLICAS; n++) {
      statuses.push((await replicas.at(n % REPLICAS).call('GET', `/organization/${eva.orgId}`, { as: eva })).status)
      const url = `${replicas.urls[n % REPLICAS]}/api/organization/${eva.orgId}/export`
      const authorization = `Bearer ${eva.accessToken}`
      const answer = await fetch(url, { headers: { authorization, ...(await stepUp(app, eva)) } })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    const [ok, limited] = [200, 429]
    expect(statuses).toEqual([ok, ok, ok, ok, ok, ok, ok, limited, ok, limited, ok, limited])
  })

  it('leave chains that verify', async () => {
    expect((await verifyAll(replicas, root)).length).toBeGreaterThan(50)
  })
})

describe.skipIf(missing !== null)(`when replicas are killed${missing ? ` (${missing})` : ''}`, () => {
  const HELD = 'held@plumbline.test'
  const CLIENTS = 8
  /** Senders that began to hand over the e-mail to `HELD`, and its id each time: the first never hears the end. */
  const deliveries: { from: string; id: string }[] = []
  let smtp: SMTPServer
  let replicas: Replicas
  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, { envelope }, done) {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          if (envelope.rcptTo[0]?.address !== HELD) return done()
          const id = /^message-id: *(.*)$/im.exec(Buffer.concat(parts).toString())?.[1] ?? ''
          deliveries.push({ from: envelope.mailFrom === false ? '' : envelope.mailFrom.address, id })
          if (deliveries.length > 1) done()
        })
      },
    })
    smtp.on('error', () => undefined)
    await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', () => ready()))
    const mail = {
      EMAIL_PROVIDER: 'smtp',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String((smtp.server.address() as AddressInfo).port),
      SMTP_REQUIRE_TLS: 'false',
      MAIL_FROM: 'noreply@plumbline.test',
      APP_URL: 'http://plumbline.test',
    }
    replicas = await startReplicas(REPLICAS, mail, (replica) => ({ MAIL_FROM: `replica${replica}@plumbline.test` }))
  })
  afterAll(async () => {
    await replicas?.stop()
    await new Promise<void>((done) => smtp.close(() => done()))
  })

  const lease = async () =>
    (await replicas.store.system.read((db) => db.select().from(jobTables(db).leases))).find(
      ({ name }) => name === 'scheduler',
    )

  it('the rest serve, keep all that was acknowledged, and take over the jobs', { timeout: 180_000 }, async () => {
    const { app, store, processes } = replicas
    const root = await superAdmin(app, 'root')
    // An organization has at most 200 roles of its own: each client fills one of its own.
    const owners: SignedIn[] = []
    for (let client = 0; client < CLIENTS; client++) owners.push(await signUp(app, `owner-${client}`))
    expect(
      (
        await app.call('POST', '/auth/register', {
          body: { username: 'held', email: HELD, password: PASSWORD },
        })
      ).status,
    ).toBe(201)
    await vi.waitFor(() => expect(deliveries.length).toBe(1), { timeout: 180_000 })

    const acknowledged: string[] = []
    const unanswered: number[] = []
    let isOver = false
    const clients = owners.map(async (owner) => {
      for (let n = 0; !isOver; n++) {
        const body = { name: `Role ${n}`, permissions: ['pipelines:read'] }
        const answer = await app
          .call('POST', `/organization/${owner.orgId}/roles`, { as: owner, body })
          .catch(() => ({ status: 502, data: null }))
        if (answer.status === 201) acknowledged.push(answer.data.role.id)
        else unanswered.push(answer.status)
      }
    })
    const progress = async (count: number) => {
      const target = acknowledged.length + count
      const refused = () => unanswered.filter((status) => status !== 502)
      await vi.waitUntil(() => acknowledged.length >= target || refused().length > 0, { timeout: 180_000 })
      expect(refused()).toEqual([])
    }
    await progress(100)
    const before = await lease()
    const mailer = Number(/replica(\d)/.exec(deliveries[0]?.from ?? '')?.[1])
    processes[mailer]?.kill('SIGKILL')
    await progress(100)
    // What was on its way to the dead one has no answer: one request of each client at most. Nothing else failed.
    expect(unanswered.length).toBeLessThanOrEqual(CLIENTS)

    // The one that queues the schedules dies too, if it lives.
    const leader = each.find(
      (replica) => replica !== mailer && /scheduler\.leader_acquired/.test(replicas.output(replica)),
    )
    if (leader !== undefined) processes[leader]?.kill('SIGKILL')
    await progress(100)
    expect(unanswered.length).toBeLessThanOrEqual(2 * CLIENTS)
    isOver = true
    await Promise.all(clients)

    await vi.waitFor(
      async () => {
        const now = await lease()
        expect(now?.fence).toBeGreaterThan(before?.fence ?? 0)
        expect(now?.untilMs).toBeGreaterThan(Date.now())
      },
      { timeout: 180_000, interval: 200 },
    )
    // The delivery under way died with its process: when its lease is over, another one hands over the same e-mail.
    await vi.waitFor(() => expect(deliveries.length).toBe(2), { timeout: 180_000, interval: 200 })
    expect(deliveries[1]?.id).toBe(deliveries[0]?.id)
    expect(deliveries[1]?.from).not.toBe(deliveries[0]?.from)

    const events = await verifyAll(replicas, root)
    const created = events.filter(({ action }) => action === 'org.role.create').map(({ targetId }) => targetId)
    const rows = await store.system.read((db) => {
      const { roles } = identityTables(db)
      return db
        .select()
        .from(roles)
        .where(
          inArray(
            roles.orgId,
            owners.map(({ orgId }) => orgId),
          ),
        )
    })
    const kept = rows.filter(({ builtIn }) => !builtIn).map(({ id }) => id)
    expect([...created].sort()).toEqual([...kept].sort())
    expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([])
  })
})
