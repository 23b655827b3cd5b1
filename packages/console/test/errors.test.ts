import { describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../server/src/runtime/errors.js'
import { ERRORS, nextWords } from '../src/data/errors.js'

describe('errors', () => {
  it('each code of the server has its words and what to do, and none that the server does not send', () => {
    expect(Object.keys(ERRORS).sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort())
    for (const [code, { says, next }] of Object.entries(ERRORS)) {
      expect(says[0].length, code).toBeGreaterThan(8)
      expect(says[1].length, code).toBeGreaterThan(8)
      expect(Object.keys(nextWords), code).toContain(next)
    }
  })
})
