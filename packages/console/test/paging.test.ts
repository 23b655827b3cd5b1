import { describe, expect, it } from 'vitest'
import { isBeyond } from '../src/ui/table.js'

describe('a page', () => {
  it('is beyond the end only if there are rows before it', () => {
    expect(isBeyond({ page: 2, size: 50, total: 50 })).toBe(true)
    expect(isBeyond({ page: 3, size: 50, total: 101 })).toBe(false)
    expect(isBeyond({ page: 1, size: 50, total: 7 })).toBe(false)
    expect(isBeyond({ page: 3, size: 50, total: 0 })).toBe(false)
  })
})
