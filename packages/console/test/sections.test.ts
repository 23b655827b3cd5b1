import { createApp } from '@plumbline/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MODULES } from '../../server/src/runtime/declared.js'
import { silentLog } from '../../server/src/runtime/log/log.js'
import type { SqliteStore } from '../../server/src/runtime/store/sqlite.js'
import { testSettings } from '../../server/test/support/settings.js'
import { sqliteStore } from '../../server/test/support/stores.js'
import { createConsoleRouter } from '../src/app/router.js'
import { type Section, standingOf } from '../src/app/section.js'
import { SECTIONS } from '../src/app/sections.js'
import type { ServerSections } from '../src/data/session.js'
import { safeNext } from '../src/screens/entry/pages.js'

const section = (patch: Partial<Section>): Section => ({ ...(SECTIONS[0] as Section), ...patch })
const session = (patch: object = {}) =>
  ({
    permissions: new Set(['a:read']),
    features: new Set(['sso']),
    server: { billing: true },
    user: { isSuperAdmin: false },
    ...patch,
  }) as never

describe('sections', () => {
  it('stand open, locked, forbidden or absent by one table', () => {
    expect(standingOf(section({}), session())).toBe('open')
    expect(
      standingOf(section({ permission: ['b:read', 'a:read'], feature: 'sso', server: 'billing' }), session()),
    ).toBe('open')
    expect(standingOf(section({ server: 'billing' }), session({ server: { billing: false } }))).toBe('absent')
    expect(standingOf(section({ superAdmin: true }), session())).toBe('absent')
    expect(standingOf(section({ permission: 'b:read', feature: 'none' }), session())).toBe('forbidden')
    expect(standingOf(section({ feature: 'none' }), session())).toBe('locked')
  })

  it('have names in both languages, addresses and keys of their own', () => {
    const paths = SECTIONS.flatMap(({ routes }) => Object.keys(routes))
    expect(new Set(paths).size).toBe(paths.length)
    const keys = SECTIONS.flatMap(({ key }) => (key === undefined ? [] : [key]))
    expect(new Set(keys).size).toBe(keys.length)
    for (const { name, routes } of SECTIONS) {
      expect(name.every((each) => each.length > 1)).toBe(true)
      expect(Object.keys(routes).length).toBeGreaterThan(0)
    }
  })

  it('have screens that the router loads before it shows them', async () => {
    const { routesById } = createConsoleRouter()
    const screens = Object.values(routesById).filter(({ id }) => id.startsWith('/console/$org/'))
    expect(screens).toHaveLength(SECTIONS.flatMap(({ routes }) => Object.keys(routes)).length)
    for (const { id, options } of screens) expect(options.component?.preload, id).toBeTypeOf('function')
  })
})

const EVERYTHING_ON = { BILLING_ENABLED: 'true', REGISTRY_URL: 'http://127.0.0.1:5000' }

/** The part of a server that each section needs. Other sections need only the modules that every console has. */
const NEEDS: Readonly<Record<string, keyof ServerSections>> = {
  findings: 'compliance',
  rules: 'compliance',
  exemptions: 'compliance',
  scans: 'compliance',
  library: 'compliance',
  policies: 'compliance',
  checks: 'compliance',
  pipelines: 'pipelines',
  plugins: 'plugins',
  audit: 'audit',
  inbox: 'messages',
  quotas: 'quotas',
  builds: 'builds',
  images: 'registry',
  drafts: 'drafts',
  'sign-on': 'signOn',
  delivery: 'reports',
  scorecards: 'reports',
  billing: 'billing',
}

describe('on a server that lacks a module', () => {
  let store: SqliteStore
  beforeAll(async () => {
    store = await sqliteStore()
  })
  afterAll(() => store.close())

  /** The sections that the server itself reports. */
  async function sectionsOfServer(modules: readonly string[], settings: Record<string, string> = {}) {
    const app = createApp({
      store,
      settings: testSettings({ PLUMBLINE_MODULES: modules.join(','), ...settings }),
      log: silentLog,
    })
    const answer = await app.http.fetch(new Request('http://server.test/api/config'), {})
    await app.close()
    return ((await answer.json()) as { data: { sections: ServerSections } }).data.sections
  }

  const everything = {
    permissions: { has: () => true },
    features: { has: () => true },
    user: { isSuperAdmin: true },
  }
  const absentOn = (server: ServerSections) =>
    SECTIONS.filter((each) => standingOf(each, { ...everything, server } as never) === 'absent').map(({ id }) => id)

  it('every section of this table names what it needs', () => {
    const named = SECTIONS.flatMap(({ id, server }) => (server === undefined ? [] : [[id, server]]))
    expect(Object.fromEntries(named)).toMatchObject(NEEDS)
  })

  it('nothing is absent where the server has everything', async () => {
    expect(absentOn(await sectionsOfServer(MODULES, EVERYTHING_ON))).toEqual([])
  })

  // Modules that change guarded records do not start without compliance.
  const GUARDED = ['pipeline', 'plugin', 'ai']
  it.each(MODULES.filter((name) => name !== 'identity'))('%s', async (lacked) => {
    const left = MODULES.filter((name) => name !== lacked && (lacked !== 'compliance' || !GUARDED.includes(name)))
    const sections = await sectionsOfServer(left, EVERYTHING_ON)
    const lacks = (Object.keys(sections) as (keyof ServerSections)[]).filter((name) => !sections[name])
    const expected = SECTIONS.filter(({ server }) => server !== undefined && lacks.includes(server)).map(({ id }) => id)
    expect(lacks.length > 0).toBe(lacked !== 'console')
    expect(absentOn(sections)).toEqual(expected)
  })

  it('billing that is switched off is absent, mounted or not', async () => {
    expect(await sectionsOfServer(MODULES, { BILLING_ENABLED: 'false' })).toMatchObject({ billing: false, audit: true })
  })
})

describe('the page after sign-in', () => {
  it('is one of this console', () => expect(safeNext('/console/acme/findings?q=a')).toBe('/console/acme/findings?q=a'))
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/console/\\evil',
    'javascript:alert(1)',
    '',
    undefined,
    '/api/x',
  ])('is never %s', (next) => expect(safeNext(next)).toBe('/console'))
})
