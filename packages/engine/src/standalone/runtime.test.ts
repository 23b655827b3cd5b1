/** What modules carry along, on the source; `to-module.test.ts` runs the copy that stands in the modules. */
import { describe, expect, it } from 'vitest'
import { type Check, makeCheck } from '../operator/check.js'
import { operandReaders } from '../operator/operand.js'
import { MAX_TEXT_UNITS } from '../regex/limits.js'
import { createSafeRegex } from '../regex/safe-regex.js'
import type { JsonValue, OperatorName } from '../types.js'
import { holdsForContainer, read, rootMember, show, tableMatcher } from './runtime.js'

const checkOf = (operator: OperatorName, value: JsonValue): Check => {
  const result = operandReaders[operator](value, { regex: createSafeRegex(), regexLength: 100, admit: () => null })
  if (!result.ok) throw new Error(result.problem.message)
  return makeCheck(result.operand, 0)
}

describe('reading', () => {
  it('takes own members of the root, as JSON knows them', () => {
    expect(rootMember({ a: new Date(0) }, 'a')).toBe('1970-01-01T00:00:00.000Z')
    expect(rootMember({ a: null }, 'a')).toBeUndefined()
    expect(rootMember(Object.create({ a: 1 }), 'a')).toBeUndefined()
  })

  it('hands plain objects on and reads everything else', () => {
    const plain = { a: 1 }
    expect(read(plain)).toBe(plain)
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(read(bare)).toBe(bare)
    const list = [1]
    expect(read(list)).toBe(list)
    expect(read(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect([null, undefined, Number.NaN, () => 1].map(read)).toEqual([undefined, undefined, undefined, undefined])
    expect([5, true, 5n].map(read)).toEqual([5, true, '5'])
    // The prototype of a text is not a plain object's, and there is none to ask for.
    expect(read('a')).toBe('a')
  })

  it('shows absent values as null, and others redacted', () => {
    expect(show(undefined, 'all', true)).toBeNull()
    expect(show('a', 'none', true)).toBe('a')
    expect(show('a', 'strings', true)).toBe('[REDACTED]')
    expect(show('a', 'strings', false)).toBe('a')
  })
})

describe('a check of a container', () => {
  it.each<[OperatorName, JsonValue, object, object]>([
    ['countGt', 1, [1, 2], [1]],
    ['countGt', 1, { a: 1, b: 2 }, { a: 1 }],
    ['contains', 'a', ['a'], ['b']],
    ['contains', 'a', ['a'], { a: 'a' }],
    ['eq', [1], [1], [2]],
    ['eq', { a: 1 }, { a: 1 }, { a: 2 }],
  ])('%s %j', (operator, value, satisfying, violating) => {
    expect(holdsForContainer(checkOf(operator, value), satisfying)).toBe(true)
    expect(holdsForContainer(checkOf(operator, value), violating)).toBe(false)
  })
})

describe('a table', () => {
  /** Units up to `z`, from `z` on, and from 200 on; an even number of units from `z` up to 200, then 0 or 1 for good. */
  const matches = tableMatcher([0, 122, 200], [0, 1, 2], 3, 2, [0, 0, 0, 1, 1, 1, 0, 3, 1, 0, 2, 1], [2])

  it('finds the column of a unit at the borders of its classes, below and above 128', () => {
    expect([matches('z'), matches('zz'), matches('z\u007f'), matches('z\u0080'), matches('z\u00c7')]).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
    expect([matches('y'), matches('zy'), matches('zzy')]).toEqual([false, false, false])
  })

  it('stops at a state that nothing changes any more', () => {
    expect([matches('\u00c8y'), matches('z\u00c8yyy'), matches('yzz')]).toEqual([true, true, false])
  })

  it('asks the accepting states at the end, and fails a text over 64 Ki units', () => {
    expect(matches('')).toBe(true)
    expect(matches('z'.repeat(MAX_TEXT_UNITS))).toBe(true)
    expect(matches('z'.repeat(MAX_TEXT_UNITS + 2))).toBe(false)
    expect(matches('\u00c8'.repeat(MAX_TEXT_UNITS + 1))).toBe(false)
  })
})
