/** What the terminal shows of the server and its demo. */
import { expect, it } from 'vitest'
import type { ShownDemo } from './make.js'
import { addressText, demoText } from './text.js'

const demo = {
  organization: { slug: 'demo' },
  team: { slug: 'demo-team' },
  token: 'plp_x',
  tokenDays: 30,
  password: 'Demo-x',
  linkToken: 'link-x',
  linkMinutes: 15,
  hasHistory: false,
} as ShownDemo
const settings = { BASE_PATH: '/api', BILLING_ENABLED: false, PLUMBLINE_MODULES: ['identity', 'console'] } as const
const url = 'http://127.0.0.1:3000'

it('names the console at each start, and the link and the sign-in of the demo there', () => {
  expect(addressText(url, settings)).toContain(`console ${url}/console`)
  const text = demoText(demo, { url, settings })
  expect(text).toContain(`${url}/console/link#link-x`)
  expect(text).toContain(`Console:       ${url}/console`)
  expect(text).toContain(`plumbline login --url ${url} --user`)
})

it('names no console that this server does not serve', () => {
  const without = { ...settings, PLUMBLINE_MODULES: ['identity'] } as const
  expect(addressText(url, without)).not.toContain('/console')
  expect(demoText(demo, { url, settings: without })).not.toContain('/console')
})

it('names the path of the API where the command line cannot guess it', () => {
  expect(demoText(demo, { url, settings: { ...settings, BASE_PATH: '/base' } })).toContain(
    `plumbline login --url ${url}/base --user`,
  )
})
