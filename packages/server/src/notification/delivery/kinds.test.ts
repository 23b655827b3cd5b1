/** Goal: every event that a domain may announce can be sent: a composed process has its kind and its text. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { type App, createApp } from '../../app.js'
import { silentLog } from '../../runtime/log/log.js'
import { EVENTS, type Payload } from '../../runtime/records/notification.js'
import type { SqliteStore } from '../../runtime/store/sqlite.js'
import { DIGEST, kindOf, textOf } from './text.js'

/** Payloads as the domains create them. */
const PAYLOADS: Readonly<Record<(typeof EVENTS)[number], Payload>> = {
  'compliance.block': { target: 'plugin', entityName: 'web', action: 'upload', violations: [] },
  'compliance.warning': { target: 'plugin', entityName: 'web', action: 'upload', warnings: [] },
  'compliance.scan': { target: 'all', totals: { total: 9, pass: 7, warn: 1, block: 1 }, blocked: [] },
  'compliance.rule-change': { ruleName: 'no latest', changeType: 'updated', version: 2 },
  'compliance.digest': {
    mode: 'daily',
    count: 1,
    items: [{ event: 'compliance.block', target: 'plugin', entityName: 'web', violations: [] }],
  },
  'quota.threshold': { quotaType: 'plugins', threshold: 100, used: 10, limit: 10 },
  'billing.notice': {
    subject: 'The trial ends',
    content: 'In 3 days.',
    link: 'https://app.test/billing',
    sandbox: true,
  },
  'sso.domain-lost': { domain: 'acme.test', record: '_plumbline.acme.test' },
  'notification.test': {},
}

let store: SqliteStore
let app: App
beforeAll(async () => {
  store = await sqliteStore()
  // The announcing domains need not be mounted in the process that sends notifications.
  app = createApp({ store, settings: testSettings({ PLUMBLINE_MODULES: 'notification' }), log: silentLog })
})
afterAll(async () => {
  await app.close()
  await store.close()
})

it('every event has a text, and one that nobody provides is an error that names it', () => {
  const subjects = EVENTS.map((event) => textOf(app.runtime, { event, payload: PAYLOADS[event] }).subject)
  expect(subjects).toEqual([
    'Blocked: plugin web',
    'Warnings: plugin web',
    'Scan: 1 of 9 blocked',
    'The published rule no latest was updated',
    'Compliance, daily: 1 notifications',
    'Quota used up: plugins',
    'Sandbox: The trial ends',
    'The record that proves acme.test is gone',
    'Test of the webhook',
  ])
  expect(() => kindOf(app.runtime, 'billing.unknown')).toThrow('no domain provides the notification "billing.unknown"')
})

it('e-mails of billing and sign-on leave from their own domains, and only compliance waits for a digest', () => {
  const kinds = EVENTS.filter((event) => event !== DIGEST).map((event) => ({ event, ...kindOf(app.runtime, event) }))
  const mailed = kinds.filter(({ channels }) => channels?.includes('email') ?? true).map(({ event }) => event)
  expect(mailed).toEqual(['compliance.block', 'compliance.warning', 'compliance.scan', 'quota.threshold'])
  const waiting = kinds.filter(({ isImmediate }) => isImmediate !== true).map(({ event }) => event)
  expect(waiting).toEqual(['compliance.block', 'compliance.warning', 'compliance.scan'])
})
