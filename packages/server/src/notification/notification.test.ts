/**
 * Goal: an organization is notified of blocks always, of warnings on request, once each, and its log has every attempt.
 */
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { type ComplianceApp, noLatest, recordKey, signUp } from '../../test/support/compliance.js'
import { describeCompliance } from '../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../test/support/describe-stores.js'
import { enrol, runJobs } from '../../test/support/organizations.js'
import { evidence, queuedMails, type SignedIn, verifyAddress } from '../../test/support/sign-in.js'
import { announcementOfScan } from '../compliance/notice/event.js'
import { recheckJob } from '../compliance/recheck/job.js'
import { identityTables } from '../identity/tables.js'
import { enqueue } from '../runtime/jobs/enqueue.js'
import { jobTables } from '../runtime/jobs/tables.js'
import { RECHECK_JOB } from '../runtime/records/entity.js'
import { NOTICE_JOB, type Notice } from '../runtime/records/notice.js'
import { announce } from '../runtime/records/notification.js'
import { notifyJob } from './delivery/notify.js'
import { pruneNotificationsJob } from './delivery/prune.js'

const RULE = noLatest()
const BAD = { attributes: { version: 'latest', secretish: 'cnr-attribute' }, entityName: 'web' }
const DAY_MS = 86_400_000
const ID = '99999999-9999-7999-8999-999999999999'

await describeCompliance('notifications', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let people = 0

  const call: ComplianceApp['call'] = (...args) => kit.call(...args)
  const prefer = (body: object, as = ada) => call(as, 'PUT', '/notification-preferences', body)
  const check = (body: object = BAD, as = ada) => call(as, 'POST', '/validate/plugin', body)
  const work = () => runJobs(kit.app, [notifyJob])
  const log = async (query = '', as = ada) =>
    (await call(as, 'GET', `/notification-log?limit=100${query}`)).data.entries as Record<string, unknown>[]
  const notices = async (orgId = ada.orgId) => {
    const rows = await kit.store.system.read((db) => {
      const { jobs } = jobTables(db)
      return db.select().from(jobs).where(eq(jobs.kind, NOTICE_JOB))
    })
    return rows.map(({ payload }) => payload as Notice).filter(({ recipientOrgId }) => recipientOrgId === orgId)
  }
  /** Creates a separate organization for each test, with a rule that blocks. */
  const start = async (rule: object = RULE): Promise<SignedIn> => {
    people += 1
    ada = await signUp(kit.app, `ada${people}`)
    expect((await call(ada, 'POST', '/rules', rule)).status).toBe(201)
    return ada
  }

  it('tells a block in the inbox, once, without values of attributes, and logs it', async () => {
    await start()
    const checked = await check()
    await work()
    await work()
    expect(await notices()).toMatchObject([
      { priority: 'high', channel: 'compliance', subject: 'Blocked: plugin web', recipientUserId: null },
    ])
    const [entry, ...others] = await log()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      orgId: ada.orgId,
      event: 'compliance.block',
      channel: 'in-app',
      status: 'sent',
      attempt: 1,
      relatedAuditId: checked.data.checkId,
      responseCode: null,
      error: null,
      payload: {
        id: entry?.['eventId'],
        event: 'compliance.block',
        orgId: ada.orgId,
        target: 'plugin',
        entityName: 'web',
        action: 'upload',
        violations: [{ ruleName: 'no latest', severity: 'error', field: 'version' }],
      },
    })
    expect(JSON.stringify([entry, await notices()])).not.toContain('cnr-attribute')
    expect(
      Object.keys((entry?.['payload'] as { violations?: object[] } | undefined)?.violations?.[0] ?? {}).sort(),
    ).toEqual(['field', 'message', 'ruleId', 'ruleName', 'severity'])
  })

  it('tells of a rule with alternatives without the values that its message names', async () => {
    await start({
      name: 'released from main',
      target: 'plugin',
      conditionMode: 'any',
      conditions: [
        { field: 'lifecycle', operator: 'neq', value: 'production' },
        { field: 'metadata.branch', operator: 'eq', value: 'main' },
      ],
    })
    const checked = await check({ attributes: { lifecycle: 'production', metadata: { branch: 'cnr-value' } } })
    expect(checked.data.violations).toMatchObject([
      {
        field: 'lifecycle',
        message: 'because `lifecycle` is "production", `metadata.branch` must equal "main" (found "cnr-value")',
        failures: [
          { actual: 'production' },
          { field: 'metadata.branch', operator: 'eq', expected: 'main', actual: 'cnr-value' },
        ],
      },
    ])
    await work()
    const [entry] = await log()
    expect(entry).toMatchObject({
      payload: {
        violations: [{ message: '`lifecycle` must not equal "production" or `metadata.branch` must equal "main"' }],
      },
    })
    expect(JSON.stringify([entry, await notices()])).not.toContain('cnr-value')
  })

  it('tells nothing of what passes, of dry runs, of rules that are only observed or not to be told', async () => {
    await start({ ...RULE, suppressNotification: true })
    await call(ada, 'POST', '/rules', { ...RULE, name: 'observed', mode: 'observe' })
    await check({ attributes: { version: '1' } })
    await check()
    await call(ada, 'POST', '/validate/plugin/dry-run', { attributes: BAD.attributes })
    await work()
    expect(await log()).toEqual([])
    expect(await notices()).toEqual([])
  })

  it('tells warnings when they are asked for, and of a block whatever is asked', async () => {
    await start({ ...RULE, severity: 'warning' })
    await check()
    await work()
    expect(await log()).toEqual([])
    expect(await prefer({ notifyOnBlock: false })).toMatchObject({ status: 400 })
    expect((await prefer({ notifyOnWarning: true })).data.preference).toMatchObject({
      notifyOnBlock: true,
      notifyOnWarning: true,
    })
    await check()
    await work()
    expect(await log()).toMatchObject([
      { event: 'compliance.warning', payload: { warnings: [{ ruleName: 'no latest' }] } },
    ])
    expect(await notices()).toMatchObject([{ priority: 'normal' }])
  })

  it('sends e-mails to administrators with a confirmed address, or to the members who are named', async () => {
    await start()
    const bob = await enrol(kit.app, await signUp(kit.app, `bob${people}`), ada.orgId)
    await prefer({ emailEnabled: true })
    await check()
    await work()
    expect(await log('&channel=email')).toMatchObject([
      { status: 'failed', error: expect.stringContaining('confirmed') },
    ])
    for (const { userId } of [ada, bob]) await verifyAddress(kit.app, userId)
    const mailed = async () =>
      (await queuedMails(kit.app)).filter(({ template }) => template === 'compliance.notification').map(({ to }) => to)
    const before = (await mailed()).length
    await check()
    await work()
    expect((await mailed()).slice(before)).toEqual([`ada${people}@plumbline.test`])
    await prefer({ targetUsers: [bob.userId] })
    await check()
    await work()
    expect((await mailed()).slice(before + 1)).toEqual([`bob${people}@plumbline.test`])
    await kit.app.call('DELETE', `/organization/${ada.orgId}/members/${bob.userId}`, { as: ada })
    await check()
    await work()
    // The named person has left, so the administrators get it.
    expect((await mailed()).slice(before + 2)).toEqual([`ada${people}@plumbline.test`])
    expect((await log('&channel=email')).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'failed'])
  })

  it('tells a re-check when an entity is blocked by other rules than before', async () => {
    await start()
    const second = await call(ada, 'POST', '/rules', { ...RULE, name: 'no alpine', field: 'base', value: 'alpine' })
    let at = 0
    const recheck = async (attributes: Record<string, unknown>) => {
      kit.inventory.set(recordKey(ada.orgId, 'plugin', ID), { id: ID, name: 'web', revision: 1, attributes })
      at += 1
      const payload = {
        eventId: kit.app.runtime.ids.next(),
        orgId: ada.orgId,
        target: 'plugin',
        entityId: ID,
        eventType: 'updated',
        userId: ada.userId,
        timestampMs: at,
      }
      await kit.store.system.write((tx) =>
        enqueue(tx, kit.app.runtime, { kind: RECHECK_JOB, orgId: ada.orgId, payload }),
      )
      await runJobs(kit.app, [recheckJob])
      await work()
      return (await log()).length
    }
    const bad = { version: 'latest', base: 'debian' }
    expect(await recheck(bad)).toBe(1)
    expect(await recheck(bad)).toBe(1)
    expect(await recheck({ version: 'latest', base: 'alpine' })).toBe(2)
    expect(await recheck({ version: '1', base: 'debian' })).toBe(2)
    expect(await recheck(bad)).toBe(3)
    expect(second.status).toBe(201)
  })

  it('tells of a scan once, and of one with warnings alone when they are asked for', async () => {
    await start()
    const scan = (scanId: string, block: number) =>
      announcementOfScan({
        scanId,
        target: 'all',
        totals: { total: 9, pass: 8 - block, warn: 1, block },
        blocked: Array.from({ length: block }, () => ({ entityId: ID, entityName: 'web', ruleNames: ['no latest'] })),
        finishedAtMs: kit.app.clock.now(),
      })
    for (const [id, block] of [
      ['a', 1],
      ['a', 1],
      ['b', 0],
    ] as const) {
      const announcement = scan(id, block)
      if (announcement === null) throw new Error('a scan with findings is told')
      await kit.store.system.write((tx) => enqueue(tx, kit.app.runtime, announce(ada.orgId, announcement)))
    }
    await work()
    expect(await notices()).toMatchObject([{ subject: 'Scan: 1 of 9 blocked', priority: 'high' }])
    const clean = {
      scanId: 'c',
      target: 'all',
      totals: { total: 1, pass: 1, warn: 0, block: 0 },
      blocked: [],
      finishedAtMs: 1,
    }
    expect(announcementOfScan(clean)).toBeNull()
  })

  it('refuses preferences that cannot be, all problems at once, and changes nothing', async () => {
    await start()
    const stranger = await signUp(kit.app, `stranger${people}`)
    const before = (await evidence(kit.app)).length
    const answer = await prefer({
      notifyOnBlock: false,
      targetUsers: [stranger.userId],
      webhookUrl: 'http://example.com',
      webhookSecret: 'short',
    })
    expect(answer.status).toBe(400)
    expect(answer.body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/body/notifyOnBlock',
      '/body/targetUsers/0',
      '/body/webhookSecret',
      '/body/webhookUrl',
    ])
    // The key after `whsec_` is empty, cut, or not Base64.
    for (const webhookSecret of ['whsec_!!!!!!!!', 'whsec_AAAA', 'whsec_my secret of the hook']) {
      const refused = await prefer({ webhookUrl: 'https://hooks.example.com/', webhookSecret })
      expect(refused.body.details?.issues).toMatchObject([{ path: '/body/webhookSecret', code: 'base64' }])
    }
    for (const webhookUrl of [
      'https://u:p@example.com/',
      'https://127.1/',
      'https://[::1]/',
      'ftp://example.com',
      'x',
    ]) {
      expect((await prefer({ webhookUrl })).status).toBe(400)
    }
    for (const body of [{ hasWebhookSecret: true }, { lastDigestAt: '2026-01-01T00:00:00.000Z' }, { more: 1 }]) {
      expect((await prefer(body)).status).toBe(400)
    }
    expect(await evidence(kit.app)).toHaveLength(before)
    expect((await call(ada, 'GET', '/notification-preferences')).data.preference).toEqual({
      orgId: ada.orgId,
      notifyOnBlock: true,
      notifyOnWarning: false,
      emailEnabled: false,
      digestMode: 'immediate',
      targetUsers: null,
      webhookUrl: null,
      hasWebhookSecret: false,
      lastDigestAt: null,
      updatedAt: null,
    })
  })

  it('keeps the secret of a webhook, never shows it, and drops it when the host becomes another', async () => {
    await start()
    const secret = 'a secret of ours'
    const set = await prefer({ webhookUrl: 'https://hooks.example.com/a', webhookSecret: secret })
    expect(set.data.preference).toMatchObject({ webhookUrl: 'https://hooks.example.com/a', hasWebhookSecret: true })
    expect((await prefer({ webhookUrl: 'https://hooks.example.com/b' })).data.preference.hasWebhookSecret).toBe(true)
    const elsewhere = await prefer({ webhookUrl: 'https://other.example.com/b' })
    expect(elsewhere.data.preference.hasWebhookSecret).toBe(false)
    const both = await prefer({ webhookUrl: 'https://third.example.com/', webhookSecret: secret })
    expect(both.data.preference.hasWebhookSecret).toBe(true)
    expect((await prefer({ webhookSecret: '' })).data.preference.hasWebhookSecret).toBe(false)
    expect((await prefer({ webhookUrl: '' })).data.preference.webhookUrl).toBeNull()
    const shown = [set, elsewhere, both].map(({ body }) => JSON.stringify(body)).join()
    expect(shown + JSON.stringify(await evidence(kit.app))).not.toContain(secret)
    const same = await prefer(both.data.preference)
    expect(same.status).toBe(400)
  })

  it('shows an organization its own log, filtered', async () => {
    const owner = await start()
    await check()
    await work()
    const [entry] = await log()
    await start()
    expect(await log()).toEqual([])
    expect(await log(`&eventId=${entry?.['eventId']}`)).toEqual([])
    expect(await log(`&eventId=${entry?.['eventId']}`, owner)).toHaveLength(1)
    expect(await log(`&relatedAuditId=${entry?.['relatedAuditId']}`, owner)).toHaveLength(1)
    expect(await log('&channel=webhook', owner)).toEqual([])
    expect(await log('&status=failed', owner)).toEqual([])
    expect((await call(owner, 'GET', '/notification-log?channel=fax')).status).toBe(400)
  })

  it('an organization that is deleted is told nothing', async () => {
    await start()
    await check()
    await kit.store.system.write(async (tx) => {
      const { organizations: t } = identityTables(tx)
      await tx.update(t).set({ deletedAtMs: 1 }).where(eq(t.id, ada.orgId))
    })
    await work()
    expect(await notices()).toEqual([])
  })

  it('forgets what is older than the check log, but not what waits for its digest', async () => {
    await start()
    await check()
    await work()
    await prefer({ digestMode: 'daily' })
    await check()
    await work()
    expect((await log()).map(({ channel, status }) => `${channel} ${status}`)).toEqual([
      'digest pending',
      'in-app sent',
    ])
    const { clock } = kit.app
    const nowMs = clock.now()
    clock.set(nowMs + 179 * DAY_MS)
    await runJobs(kit.app, [pruneNotificationsJob], [pruneNotificationsJob.kind])
    clock.set(nowMs)
    expect(await log()).toHaveLength(2)
    clock.set(nowMs + 181 * DAY_MS)
    await runJobs(kit.app, [pruneNotificationsJob], [pruneNotificationsJob.kind])
    clock.set(nowMs)
    expect((await log()).map(({ channel }) => channel)).toEqual(['digest'])
  })
})
