import { expect, it } from 'vitest'
import { nextStep } from '../../server/src/reporting/dora/advice.js'
import { WHYS } from '../../server/src/reporting/dora/metric.js'
import { SKIP_REASONS } from '../../server/src/reporting/event/take.js'
import { ADVICE, ONLY_PARKED } from '../../server/src/reporting/health/get.js'
import { reportWords } from '../src/screens/reports/words.js'
import { stepWords } from '../src/screens/reports/words-steps.js'

it('what the server says to do about a report has its German words, and nothing else has', () => {
  const steps = WHYS.map((why) => nextStep(why, '', []))
  const said = [...steps, ...Object.values(ADVICE), ONLY_PARKED].filter((text) => text !== null)
  expect(Object.keys(stepWords).sort()).toEqual([...new Set(said)].sort())
})

it('each reason of a missing number, and of an event that is not taken, has its words', () => {
  const names = Object.keys(reportWords)
  expect([...WHYS, ...SKIP_REASONS].filter((name) => !names.includes(name))).toEqual([])
})
