import { describe, expect, it } from 'vitest'
import { after, type Generation } from '../src/screens/drafts/generate.js'
import { centsOfMicro, microOfCents, microUsd } from '../src/screens/drafts/money.js'
import { formatOf } from '../src/ui/format.js'

const RUNNING: Generation = {
  isRunning: true,
  isStopped: false,
  told: [],
  characters: 0,
  partial: null,
  draft: null,
  error: null,
}
const told = (...events: (readonly [event: string, data: object])[]) =>
  events.reduce((now, [event, data]) => after(now, { event, data: { type: event, ...data } }), RUNNING)

describe('what is told of a draft', () => {
  it('stays in its order, with the newest progress alone', () => {
    const now = told(
      ['start', { servedBy: { provider: 'a', model: 'm' } }],
      ['progress', { characters: 10 }],
      ['repair', { round: 1, faults: [] }],
      ['progress', { characters: 5 }],
    )
    expect(now.told.map(({ type }) => type)).toEqual(['start', 'repair'])
    expect(now).toMatchObject({ characters: 5, isRunning: true, draft: null })
  })

  it('ends with a draft or with an error, and leaves out what it does not know', () => {
    expect(told(['done', { data: { body: { a: 1 } } }])).toMatchObject({ isRunning: false, draft: { body: { a: 1 } } })
    expect(told(['error', { code: 'X', message: 'no' }])).toMatchObject({ isRunning: false, error: { code: 'X' } })
    expect(told(['later', {}])).toEqual(RUNNING)
  })
})

describe('money of drafts', () => {
  it('shows what was spent never as less, and a limit never as more', () => {
    const format = formatOf('en')
    expect(microUsd(1, format)).toBe('$0.01')
    expect(microUsd(10_000, format)).toBe('$0.01')
    expect(microUsd(10_001, format)).toBe('$0.02')
    expect(centsOfMicro(19_999)).toBe(1)
    expect(centsOfMicro(microOfCents(1234))).toBe(1234)
  })
})
