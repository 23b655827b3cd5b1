/**
 * One seed for every property test of `npm test`, so that a run can be repeated with the same result on every machine.
 * Set `PLUMBLINE_TEST_SEED` to a number, or to `random`, to test other cases.
 */
import fc from 'fast-check'

const wanted = process.env['PLUMBLINE_TEST_SEED'] ?? '20261121'
const seed = Number(wanted)
if (wanted !== 'random' && !Number.isInteger(seed)) {
  throw new Error(`PLUMBLINE_TEST_SEED is ${JSON.stringify(wanted)}: give an integer, or \`random\``)
}
if (wanted !== 'random') fc.configureGlobal({ seed })
