import { expect, it } from 'vitest'
import { nextVersion } from '../src/screens/policies/version.js'

it.each([
  ['1.0.0', '1.1.0'],
  ['2.9.4', '2.10.0'],
  ['2026', '2027'],
  ['v3-draft', 'v4-draft'],
  ['1.0.0-rc.1', '1.0.0-rc.2'],
  ['draft', 'draft-2'],
])('after version %s the form proposes %s', (version, next) => {
  expect(nextVersion(version)).toBe(next)
})
