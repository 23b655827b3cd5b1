/**
 * Goal: a webhook gets each notification signed, under one id, until it accepts it or six attempts failed; each attempt
 * has one row.
 */
import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import type { Answered, Egress, Posted } from '../../runtime/egress/egress.js'
import type { Target } from '../../runtime/egress/target.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { notifyJob } from './notify.js'
import { ATTEMPTS_MAX, RETRY_AFTER_MS, resultOf, webhookJob } from './webhook.js'

const RULE = noLatest()
const BAD = { attributes: { version: 'latest' }, entityName: 'web' }
const SECRET = 'our webhook secret'
const URL = 'https://hooks.example.com/in?key=1'
const HOUR_MS = 3_600_000

interface Call {
  readonly target: Target
  readonly posted: Posted
}

await describeCompliance('webhooks', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let calls: Call[] = []
  let answer: () => Promise<Answered> = async () => ({ kind: 'answered', status: 200 })
  let people = 0
  let startMs = 0
  beforeAll(async () => {
    startMs = kit.app.clock.now()
    const egress: Egress = {
      post(target, posted) {
        calls.push({ target, posted })
        return answer()
      },
      fetch: async () => new Response(),
      get: () => Promise.reject(new Error('a notification only posts')),
    }
    Object.assign(kit.app.runtime as Runtime, { egress })
  })

  const call: ComplianceApp['call'] = (...args) => kit.call(...args)
  const work = () => runJobs(kit.app, [notifyJob, webhookJob])
  const later = async (ms: number) => {
    kit.app.clock.set(kit.app.clock.now() + ms)
    await work()
  }
  /** Uses the token from the start, at any time of the test. */
  const log = async (as = ada) => {
    const nowMs = kit.app.clock.now()
    kit.app.clock.set(startMs)
    const { data } = await call(as, 'GET', '/notification-log?channel=webhook&limit=100')
    kit.app.clock.set(nowMs)
    return (data.entries as Record<string, unknown>[]).toReversed()
  }
  const start = async (more: object = { webhookSecret: SECRET }) => {
    people += 1
    kit.app.clock.set(startMs)
    calls = []
    answer = async () => ({ kind: 'answered', status: 200 })
    ada = await signUp(kit.app, `hook${people}`)
    await call(ada, 'POST', '/rules', RULE)
    expect((await call(ada, 'PUT', '/notification-preferences', { webhookUrl: URL, ...more })).status).toBe(200)
  }
  const block = async () => {
    await call(ada, 'POST', '/validate/plugin', BAD)
    await work()
  }

  it('sends the notification with both signatures, which a receiver verifies', async () => {
    await start()
    await block()
    const [sent, ...others] = calls
    if (sent === undefined) throw new Error('nothing was sent')
    expect(others).toEqual([])
    const { headers, body } = sent.posted
    expect(sent.target.url).toBe(URL)
    const [entry] = await log()
    expect(headers).toMatchObject({
      'X-Platform-Event': 'compliance.block',
      'X-Platform-Delivery': entry?.['deliveryId'],
      'X-Platform-Signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      'Webhook-Id': entry?.['deliveryId'],
    })
    const signed = `${entry?.['deliveryId']}.${headers['Webhook-Timestamp']}.${body}`
    expect(headers['Webhook-Signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`)
    expect(Number(headers['Webhook-Timestamp'])).toBe(Math.floor(kit.app.clock.now() / 1000))
    expect(JSON.parse(body)).toMatchObject({ id: entry?.['eventId'], event: 'compliance.block', orgId: ada.orgId })
    expect(entry).toMatchObject({ status: 'sent', responseCode: 200, attempt: 1, error: null, nextRetryAt: null })
    const jobs = await kit.store.system.read((db) => db.select().from(jobTables(db).jobs))
    expect(JSON.stringify([jobs, await evidence(kit.app), await log()])).not.toContain(SECRET)
  })

  it('signs nothing without a secret', async () => {
    await start({})
    await block()
    expect(Object.keys(calls[0]?.posted.headers ?? {}).filter((name) => /signature/i.test(name))).toEqual([])
  })

  it('tries six times in the given waits, under one id, then gives up', async () => {
    await start()
    answer = async () => ({ kind: 'answered', status: 503 })
    await block()
    for (const [index, waitMs] of RETRY_AFTER_MS.entries()) {
      const before = kit.app.clock.now()
      expect((await log()).at(-1)).toMatchObject({ status: 'retrying', responseCode: 503, attempt: index + 1 })
      await later(waitMs - 1)
      expect(calls).toHaveLength(index + 1)
      await later(1)
      expect(calls).toHaveLength(index + 2)
      expect((await log()).at(-2)?.['nextRetryAt']).toBe(new Date(before + waitMs).toISOString())
    }
    await later(100 * HOUR_MS)
    const entries = await log()
    expect(entries.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      '1 retrying',
      '2 retrying',
      '3 retrying',
      '4 retrying',
      '5 retrying',
      '6 failed',
    ])
    expect(new Set(entries.map(({ deliveryId }) => deliveryId)).size).toBe(1)
    expect(new Set(calls.map(({ posted }) => posted.headers['Webhook-Id'])).size).toBe(1)
    expect(new Set(calls.map(({ posted }) => posted.body)).size).toBe(1)
  })

  it('is tried again after a while or not at all, by what came of it', () => {
    const attemptsMax = ATTEMPTS_MAX
    const retried = (answered: Answered) => resultOf(answered, { attemptOfRound: 1, attemptsMax }, 0).status
    for (const status of [408, 425, 429, 500, 503, 599]) expect(retried({ kind: 'answered', status })).toBe('retrying')
    for (const status of [301, 307, 400, 401, 404, 410, 422])
      expect(retried({ kind: 'answered', status })).toBe('failed')
    for (const status of [200, 202, 204]) expect(retried({ kind: 'answered', status })).toBe('sent')
    expect(retried({ kind: 'failed', reason: 'x' })).toBe('retrying')
    expect(retried({ kind: 'refused', reason: 'x' })).toBe('failed')
    const last = { attemptOfRound: 6, attemptsMax }
    expect(resultOf({ kind: 'failed', reason: 'x' }, last, 0).status).toBe('failed')
  })

  describe('a test', () => {
    const test = (as = ada) => call(as, 'POST', '/notification-preferences/test')

    it('is one signed request, whose outcome the log has; the inbox and the digest get nothing', async () => {
      await start({ webhookSecret: SECRET, digestMode: 'daily', emailEnabled: true })
      const asked = await test()
      expect(asked.status).toBe(200)
      await work()
      const [sent, ...others] = calls
      if (sent === undefined) throw new Error('nothing was sent')
      expect(others).toEqual([])
      const { headers, body } = sent.posted
      expect(sent.target.url).toBe(URL)
      expect(headers).toMatchObject({
        'X-Platform-Event': 'notification.test',
        'X-Platform-Signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
        'Webhook-Id': asked.data.deliveryId,
      })
      expect(JSON.parse(body)).toMatchObject({ event: 'notification.test', orgId: ada.orgId })
      const all = await call(ada, 'GET', '/notification-log?limit=100')
      expect(all.data.entries).toMatchObject([
        { channel: 'webhook', status: 'sent', responseCode: 200, deliveryId: asked.data.deliveryId },
      ])
    })

    it('that fails is not retried', async () => {
      await start()
      answer = async () => ({ kind: 'answered', status: 503 })
      await test()
      await work()
      expect(await log()).toMatchObject([{ status: 'failed', responseCode: 503, nextRetryAt: null }])
      await later(6 * HOUR_MS)
      expect(calls).toHaveLength(1)
    })

    it('needs a webhook, and the right to set it', async () => {
      await start()
      const member = await memberOf(kit, ada, 'member')
      expect((await test(member)).code).toBe('INSUFFICIENT_PERMISSIONS')
      const other = await signUp(kit.app, `hookless${people}`)
      const refused = await test(other)
      expect([refused.status, refused.code]).toEqual([409, 'CONFLICT'])
      expect(JSON.stringify(refused.body)).toContain('set `webhookUrl` in the notification preferences first')
    })
  })

  it('a process that dies in an attempt leaves one row of it, and the next attempt has the same id and another number', async () => {
    await start()
    answer = () => {
      throw new Error('killed')
    }
    await block()
    expect(await log()).toMatchObject([{ status: 'pending', attempt: 1 }])
    answer = async () => ({ kind: 'answered', status: 200 })
    await later(HOUR_MS)
    const entries = await log()
    expect(entries).toMatchObject([
      { attempt: 1, status: 'retrying', error: expect.stringContaining('interrupted') },
      { attempt: 2, status: 'sent' },
    ])
    expect(entries[0]?.['deliveryId']).toBe(entries[1]?.['deliveryId'])
    expect(calls).toHaveLength(2)
  })

  it('never makes more than six attempts of a delivery, also when each is cut off', async () => {
    await start()
    answer = () => {
      throw new Error('killed')
    }
    await block()
    for (let n = 0; n < 12; n++) await later(2 * HOUR_MS)
    expect(calls).toHaveLength(6)
    expect((await log()).map(({ attempt, status }) => `${attempt} ${status}`).at(-1)).toBe('6 failed')
  })

  it('goes where the preferences say now, and nowhere when they say so', async () => {
    await start()
    answer = async () => ({ kind: 'failed', reason: 'the connection was refused' })
    await block()
    await call(ada, 'PUT', '/notification-preferences', { webhookUrl: null })
    await later(HOUR_MS)
    expect(calls).toHaveLength(1)
    expect(await log()).toMatchObject([{ status: 'retrying' }, { status: 'failed', error: 'the webhook was removed' }])
  })

  it('a delivery that is over is replayed, under its own id; one under way, in-app or of another organization is not', async () => {
    await start()
    answer = async () => ({ kind: 'answered', status: 404 })
    await block()
    const [entry] = await log()
    const replay = (id: unknown, as = ada) => call(as, 'POST', `/notification-log/${id}/replay`)
    expect(entry).toMatchObject({ status: 'failed', responseCode: 404 })
    const member = await memberOf(kit, ada, 'replayer')
    expect((await replay(entry?.['id'], member)).code).toBe('INSUFFICIENT_PERMISSIONS')
    const eve = await signUp(kit.app, `eve${people}`)
    expect(await replay(entry?.['id'], eve)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    answer = async () => ({ kind: 'answered', status: 500 })
    expect((await replay(entry?.['id'])).data).toEqual({ deliveryId: entry?.['deliveryId'], channel: 'webhook' })
    expect((await replay(entry?.['id'])).code).toBe('CONFLICT')
    await work()
    expect((await replay(entry?.['id'])).code).toBe('CONFLICT')
    // A replay is a separate round, with all its delays.
    expect((await log()).at(-1)).toMatchObject({ attempt: 2, status: 'retrying' })
    answer = async () => ({ kind: 'answered', status: 200 })
    await later(RETRY_AFTER_MS[0])
    expect((await log()).map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      '1 failed',
      '2 retrying',
      '3 sent',
    ])
    expect(new Set(calls.map(({ posted }) => posted.headers['Webhook-Id'])).size).toBe(1)
    const all = (await call(ada, 'GET', '/notification-log')).data.entries as Record<string, unknown>[]
    expect((await replay(all.find(({ channel }) => channel === 'in-app')?.['id'])).code).toBe('CONFLICT')
    await call(ada, 'PUT', '/notification-preferences', { webhookUrl: null })
    expect((await replay(entry?.['id'])).code).toBe('CONFLICT')
  })
})
