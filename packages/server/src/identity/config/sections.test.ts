/** The server reports a section exactly when it has the section's operations. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { createApp } from '../../app.js'
import { MODULES } from '../../runtime/declared.js'
import { silentLog } from '../../runtime/log/log.js'
import type { SqliteStore } from '../../runtime/store/sqlite.js'
import { type ServerSection, sectionsOf } from './sections.js'

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

/** The prefix of each section's operations. */
const OPERATIONS: Readonly<Record<ServerSection, string>> = {
  compliance: 'compliance.finding.',
  pipelines: 'pipeline.pipeline.',
  plugins: 'plugin.plugin.',
  audit: 'audit.event.',
  messages: 'message.message.',
  notifications: 'notification.',
  quotas: 'quota.quota.',
  billing: 'billing.',
  builds: 'plugin.build.',
  reports: 'reporting.',
  drafts: 'ai.',
  registry: 'registry.',
  signOn: 'sso.',
}

it.each(MODULES.filter((name) => name !== 'compliance'))('a server without %s says what it has', async (lacked) => {
  const modules = MODULES.filter((name) => name !== lacked)
  const settings = testSettings({
    PLUMBLINE_MODULES: modules.join(','),
    BILLING_ENABLED: 'true',
    REGISTRY_URL: 'http://registry.test',
  })
  const app = createApp({ store, settings, log: silentLog })
  await app.close()
  const has = Object.entries(OPERATIONS).map(([section, begins]) => [
    section,
    app.operations.some(({ name }) => name.startsWith(begins)),
  ])
  expect(sectionsOf(settings)).toEqual(Object.fromEntries(has))
})

it('offers social accounts and drafts where the operator has set one up', async () => {
  const featuresOf = async (values: Readonly<Record<string, string>>) => {
    const app = createApp({ store, settings: testSettings(values), log: silentLog })
    const response = await app.http.fetch(new Request('http://server/api/config'))
    const { data } = (await response.json()) as { data: { features: { oauth: boolean; ai: boolean } } }
    await app.close()
    return [data.features.oauth, data.features.ai]
  }
  expect(await featuresOf({})).toEqual([false, false])
  expect(await featuresOf({ OAUTH_GITHUB_CLIENT_ID: 'plumbline', OAUTH_GITHUB_CLIENT_SECRET: 'x'.repeat(20) })).toEqual(
    [true, false],
  )
  expect(await featuresOf({ AI_PROVIDER: 'fake' })).toEqual([false, true])
})
