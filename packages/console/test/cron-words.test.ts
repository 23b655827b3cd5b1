/** A cron expression is described in words. */
import { describe, expect, it } from 'vitest'
import { cronWords } from '../src/screens/scans/cron-words.js'

describe('a cron expression in words', () => {
  it.each([
    ['*/15 9-17 * * 1-5', 'Every 15 minutes, between 09:00 and 17:59, Monday through Friday'],
    ['0 2 * * *', 'At 02:00'],
    ['5 4 1,15 * *', 'At 04:05, on day 1 and 15 of the month'],
    ['0 2 L * *', 'At 02:00, on the last day of the month'],
    [' 0   22 * * * ', 'At 22:00'],
  ])('%s', (expression, said) => expect(cronWords(expression, 'en')).toBe(said))

  it('is said in German too', () => {
    expect(cronWords('0 2 * * 1', 'de')).toMatch(/02:00.*Montag/)
  })

  it.each(['', '0 2 * *', '0 0 2 * * *', '61 * * * *', '0 2 * * x', 'every day'])('%j is none yet', (expression) => {
    expect(cronWords(expression, 'en')).toBeNull()
  })
})
