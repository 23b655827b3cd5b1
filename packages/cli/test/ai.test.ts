/** `plumbline ai generate`: shows each difference from the earlier version at its path. */
import { expect, it } from 'vitest'
import { differences } from '../src/records/draft/generate.js'

it('shows each place that differs, with both values, and nothing else', () => {
  const before = { a: 1, list: ['x', 'y'], same: { deep: true }, gone: 'g' }
  const after = { a: 2, list: ['x', 'z', 'w'], same: { deep: true }, added: { b: null } }
  expect(
    differences(before, after)
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual([
    '- /a 1',
    '+ /a 2',
    '- /list/1 "y"',
    '+ /list/1 "z"',
    '+ /list/2 "w"',
    '- /gone "g"',
    '+ /added {"b":null}',
  ])
  expect(differences(before, before)).toBe('')
})
