/** What keeps a process from starting because its domains do not fit together. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../src/app.js'
import { DECLARATIONS } from '../src/declarations.js'
import { DOMAINS } from '../src/domains.js'
import { CannotStart } from '../src/runtime/cannot-start.js'
import { silentLog } from '../src/runtime/log/log.js'
import { type Domain, provide } from '../src/runtime/manifest.js'
import { findPort, port } from '../src/runtime/port.js'
import type { SqliteStore } from '../src/runtime/store/sqlite.js'
import { testSettings } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

const weather = port<() => string>('weather')
const compose = (change: (domain: Domain) => Partial<Domain>, modules = 'quota') =>
  createApp({
    store,
    settings: testSettings({ PLUMBLINE_MODULES: modules }),
    log: silentLog,
    domains: DOMAINS.map((domain) => ({ ...domain, ...change(domain) })),
  })
const onlyQuota = (more: Partial<Domain>) => (domain: Domain) => (domain.name === 'quota' ? more : {})

it('a domain whose port nobody provides keeps the process from starting, and both are named', () => {
  expect(() => compose(onlyQuota({ requires: [weather] }))).toThrow(CannotStart)
  expect(() => compose(onlyQuota({ requires: [weather] }))).toThrow(
    'the domain quota requires the port "weather", which no domain provides',
  )
})

it('a domain that the process does not mount requires nothing of it', async () => {
  const app = compose(onlyQuota({ requires: [weather] }), 'message')
  await app.close()
  expect(findPort(app.runtime, weather)).toBeUndefined()
})

it('a port is provided once: a second provider keeps the process from starting', () => {
  const sunny = provide(weather, () => () => 'sunny')
  expect(() => compose(({ name }) => (name === 'quota' || name === 'audit' ? { provides: [sunny] } : {}))).toThrow(
    'audit and quota both provide the port "weather"',
  )
})

it('what a domain provides is found by the others, also where the process does not mount it', async () => {
  const app = compose(({ name, provides }) =>
    name === 'audit' ? { provides: [...provides, provide(weather, () => () => 'sunny')] } : { requires: [weather] },
  )
  await app.close()
  expect(findPort(app.runtime, weather)?.()).toBe('sunny')
})

it('each domain has the manifest that it declares', () => {
  expect(DOMAINS.map(({ name }) => name).sort()).toEqual(DECLARATIONS.map(({ name }) => name).sort())
  for (const { name, permissions, settings, buckets } of DECLARATIONS) {
    expect(DOMAINS.find((domain) => domain.name === name)).toMatchObject({ permissions, settings, buckets })
  }
})
