/**
 * `npm run proof -- server [--isolation 20000] [--fuzz 500] [--engine sqlite] [--seed 1] [--failures 10] [--part 1/2]
 * [--exercise]`: no organization sees another one's bytes, no generated request makes an operation fail, and with `--exercise`
 * each operation is answered with success at least once. `--engine`: sqlite, pglite or
 * postgres. `--part 1/2` fuzzes every second operation, so that two processes share the work.
 */
import { parseArgs } from 'node:util'
import { exercise } from './exercise/exercise.js'
import { fuzz } from './fuzz/fuzz.js'
import { isolation } from './isolation/isolation.js'
import type { Engine } from './world/database.js'
import { buildWorld } from './world/world.js'

const { values } = parseArgs({
  options: {
    isolation: { type: 'string', default: '20000' },
    fuzz: { type: 'string', default: '500' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
    failures: { type: 'string', default: '10' },
    part: { type: 'string', default: '1/1' },
    exercise: { type: 'boolean', default: false },
  },
})

function count(name: 'isolation' | 'fuzz' | 'seed' | 'failures'): number {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number`)
  process.exit(2)
}

const [requests, perOperation, seed] = [count('isolation'), count('fuzz'), count('seed')]
if (!['sqlite', 'pglite', 'postgres'].includes(values.engine)) {
  console.error('--engine must be sqlite, pglite or postgres')
  process.exit(2)
}

const [part = 0, parts = 0] = values.part.split('/').map(Number)
if (!(Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts)) {
  console.error('--part must be such as 1/2')
  process.exit(2)
}

const show = (statuses: Readonly<Record<number, number>>) =>
  Object.entries(statuses)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')

function report(name: string, figure: string, failures: readonly string[]): void {
  console.log(`${failures.length === 0 ? 'pass' : 'FAIL'}  ${name} on ${values.engine}: ${figure}`)
  for (const failure of failures) console.log(`      ${failure}`)
  if (failures.length > 0) process.exitCode = 1
}

const world = await buildWorld(values.engine as Engine)
try {
  if (requests > 0) {
    const {
      requests: sent,
      succeeded,
      mails,
      statuses,
      failures,
    } = await isolation(world, {
      requests,
      seed,
      failuresMax: count('failures'),
    })
    report('isolation', `${sent} requests, ${succeeded} succeeded, ${mails} e-mails (${show(statuses)})`, failures)
  }
  if (values.exercise) {
    const { operations, requests: sent, written, bySuite, failures } = await exercise(world, seed)
    report(
      'exercise',
      `${operations} operations, ${written} by calls that are written down, ${bySuite} by suites, ${sent} requests`,
      failures,
    )
  }
  if (perOperation > 0) {
    const { requests: sent, operations, statuses, failures } = await fuzz(world, perOperation, seed, { part, parts })
    report('fuzz', `${sent} requests to ${operations} operations (${show(statuses)})`, failures)
  }
} finally {
  await world.close()
}
// The pools of the app hold the process otherwise.
process.exit()
