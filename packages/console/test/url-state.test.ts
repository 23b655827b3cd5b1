import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  day,
  oneOf,
  pageNumber,
  parseSearch,
  readState,
  stringifySearch,
  text,
  writeState,
} from '../src/data/url-state.js'

const spec = {
  q: text(),
  status: oneOf(['open', 'fixed'], 'open'),
  sort: oneOf(['name', 'at'], ''),
  page: pageNumber(),
  from: day(),
  sheet: text(),
}

const states = fc.record({
  q: fc.string(),
  status: fc.constantFrom('open', 'fixed'),
  sort: fc.constantFrom('name', 'at', ''),
  page: fc.integer({ min: 1, max: 99_999 }),
  from: fc.constantFrom('', '2026-11-30'),
  sheet: fc.string(),
} as const)

describe('the address as state', () => {
  it('reads back every state that was written, over the text of the address', () => {
    fc.assert(
      fc.property(states, (state) => {
        const raw = parseSearch(stringifySearch(writeState(spec, {}, state as never)))
        expect(readState(spec, raw)).toEqual({ state, wrong: [] })
      }),
    )
  })

  it('has one text for a view: what equals the default is left out', () => {
    expect(writeState(spec, { status: 'fixed', page: '3' }, { status: 'open' })).toEqual({})
  })

  it('begins at the first page when a filter changes, and stays when a sheet opens', () => {
    expect(writeState(spec, { page: '4' }, { q: 'a' })).toEqual({ q: 'a' })
    expect(writeState(spec, { page: '4' }, { sheet: 'x' })).toEqual({ page: '4', sheet: 'x' })
  })

  it('falls back from what means nothing, and names it', () => {
    const raw = { status: 'gone', page: '-1', from: '2026-02-99', q: 'x' }
    expect(readState(spec, raw)).toEqual({
      state: { q: 'x', status: 'open', sort: '', page: 1, from: '', sheet: '' },
      wrong: ['status', 'page', 'from'],
    })
  })

  it('never fails, whatever the address holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (raw) => {
        const { state } = readState(spec, raw)
        expect(state.page).toBeGreaterThanOrEqual(1)
        expect(['open', 'fixed', '']).toContain(state.status)
      }),
    )
  })
})
