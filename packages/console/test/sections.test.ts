import { describe, expect, it } from 'vitest'
import { SECTIONS, type Section, standingOf } from '../src/app/sections.js'
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
    expect(standingOf(section({ permission: 'a:read', feature: 'sso', server: 'billing' }), session())).toBe('open')
    expect(standingOf(section({ server: 'billing' }), session({ server: {} }))).toBe('absent')
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
