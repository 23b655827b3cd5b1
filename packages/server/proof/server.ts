/**
 * `npm run proof -- server [--isolation 20000] [--fuzz 500] [--engine sqlite] [--seed 1] [--failures 10] [--part 1/2]
 * [--exercise] [--billing] [--door 1]`: no organization sees another one's bytes, no generated request makes an operation fail, and with `--exercise`
 * each operation is answered with success at least once. `--engine`: sqlite, pglite or
 * postgres. `--billing`: with subscriptions in each account, not with `--exercise`. `--part 1/2` fuzzes every second operation, so that two processes share the work. `--door 8`: sessions
 * of each kind at the door of every eighth operation, open, enforced and with a provider that is away.
 */
import { parseArgs } from 'node:util'
import { isPublic } from '../src/runtime/operation/authorize.js'
import { allOperations } from '../test/support/operations.js'
import { exercise } from './exercise/exercise.js'
import { fuzz } from './fuzz/fuzz.js'
import { isolation } from './isolation/isolation.js'
import { DOOR_CALLERS, doorOf } from './requests/door.js'
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
    billing: { type: 'boolean', default: false },
    door: { type: 'string', default: '0' },
  },
})

function count(name: 'isolation' | 'fuzz' | 'seed' | 'failures' | 'door'): number {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number`)
  process.exit(2)
}

const [requests, perOperation, seed, every] = [count('isolation'), count('fuzz'), count('seed'), count('door')]
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

/** How many requests of isolation lead to a mail for certain, and how many of an operation to answers of both kinds. */
const MAILS_FROM = 700
const MIXED_FROM = 20

/** What a run did not try although it should have. */
const missing = (tried: readonly (readonly [boolean, string])[]): string[] =>
  tried.flatMap(([isTried, problem]) => (isTried ? [] : [problem]))

const BILLING = { BILLING_ENABLED: 'true', BILLING_BUNDLES_ENABLED: 'true', BILLING_TEST_CLOCKS: 'true' }
const world = await buildWorld(values.engine as Engine, values.billing ? BILLING : {})
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
    const tried = [
      [sent === requests, 'not every request was sent'],
      // A run that is refused throughout would prove nothing.
      [succeeded > requests / 10, 'too few requests succeeded'],
      [mails > 0 || requests < MAILS_FROM, 'no request led to a mail'],
    ] as const
    report('isolation', `${sent} requests, ${succeeded} succeeded, ${mails} e-mails (${show(statuses)})`, [
      ...failures,
      ...missing(tried),
    ])
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
    const isMixed = (statuses[200] ?? 0) > sent / 10 && (statuses[400] ?? 0) > sent / 20
    const tried = [
      [sent === operations * perOperation, 'not every operation was tried as often'],
      // Both what is allowed and what is malformed is among them.
      [isMixed || perOperation < MIXED_FROM, 'too few requests were allowed, or too few malformed'],
    ] as const
    report('fuzz', `${sent} requests to ${operations} operations (${show(statuses)})`, [...failures, ...missing(tried)])
  }
  if (every > 0) {
    const app = world.open()
    const ofTenants = (await allOperations()).filter(
      ({ access, tenant }) => !isPublic(access) && tenant.from !== 'none',
    )
    const some = ofTenants.filter((_, at) => at % every === seed % every)
    const door = await doorOf(world, app)
    const failures = [...(await door.closed(some)), ...(await door.passed(some))]
    report(
      'door',
      `${some.length} operations by ${DOOR_CALLERS.length} kinds of callers, open, enforced and broken`,
      failures,
    )
    await app.close()
  }
} finally {
  await world.close()
}
// The pools of the app hold the process otherwise.
process.exit()
