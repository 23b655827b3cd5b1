import { ApiError } from '@plumbline/client'
import { describe, expect, it } from 'vitest'
import { createIntention } from '../src/data/intention.js'

const refusal = (status: number) => Object.assign(Object.create(ApiError.prototype) as ApiError, { status })
const input = { plan: 'team' }

describe('the key of a change', () => {
  it('stays while the connection is lost or the server cannot answer', () => {
    const intention = createIntention()
    const key = intention.keyOf(input)
    for (const error of [new TypeError('Failed to fetch'), ...[401, 409, 429, 500, 502, 503].map(refusal)]) {
      intention.refused(error)
      expect(intention.keyOf(input), String(error)).toBe(key)
    }
  })

  it('is another one after a definite refusal, so that the same input is tried and not answered from memory', () => {
    const intention = createIntention()
    const keys = [400, 402, 404, 410, 412, 413, 422].map((status) => {
      const key = intention.keyOf(input)
      intention.refused(refusal(status))
      return key
    })
    expect(new Set([...keys, intention.keyOf(input)]).size).toBe(keys.length + 1)
  })

  it('is another one for another input, and after a success', () => {
    const intention = createIntention()
    const first = intention.keyOf(input)
    const other = intention.keyOf({ plan: 'free' })
    intention.end()
    expect(new Set([first, other, intention.keyOf({ plan: 'free' })]).size).toBe(3)
  })
})
