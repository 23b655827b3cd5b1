/**
 * `npm run proof -- drafts [--runs 480] [--injections 60|all] [--hostile 500] [--races 10] [--engine sqlite|postgres] [--seed 1]`: bad
 * answers over every wire, injections with a model that obeys, hostile drafts, and races for a budget; canaries in everything that leaves.
 */
import { parseArgs } from 'node:util'
import { postgresStore, sqliteStore } from '../../test/support/stores.js'
import { createRandom } from '../world/random.js'
import { proveBudget } from './budget.js'
import { proveHostile } from './hostile.js'
import { HOSTILE_REPOSITORIES, INJECTIONS, proveInjections } from './injections.js'
import { kindIn, proveWires } from './wires.js'
import { createWorld } from './world.js'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '480' },
    injections: { type: 'string', default: '60' },
    hostile: { type: 'string', default: '500' },
    races: { type: 'string', default: '10' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const injections = values.injections === 'all' ? INJECTIONS.length : Number(values.injections)
const [runs, hostile, races, seed] = [values.runs, values.hostile, values.races, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
]
if (![runs, injections, hostile, races, seed].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('--runs, --injections, --hostile, --races and --seed must be whole numbers')
  process.exit(2)
}

const random = createRandom(seed)
const store = values.engine === 'postgres' ? await postgresStore() : await sqliteStore()
const startedMs = performance.now()
// A prompt names its kind; a repository is met by a model that obeys.
const world = await createWorld(store, {
  repositories: HOSTILE_REPOSITORIES,
  misbehave: (body) => (body.includes('hostile/r') ? 'obey' : kindIn(body)),
})
try {
  const wires = await proveWires(world, runs, random)
  const tried = await proveInjections(world, injections)
  const { drafts, shown, blocked } = await proveHostile(world, hostile, random)
  const budget = await proveBudget(world, races, random)
  const verdict = world.failures.length === 0 ? 'pass' : 'FAIL'
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(
    `${verdict}  drafts on ${values.engine}: ${wires.runs} answers (${wires.drafts} drafts), ${tried} injections, ${drafts} hostile drafts (${shown} shown, ${blocked} of them blocked), ${races} races for a budget (${budget.in} answered, ${budget.out} refused), seed ${seed}, ${seconds} s`,
  )
  for (const failure of world.failures.slice(0, 30)) console.log(`      ${failure}`)
  if (world.failures.length > 0) console.log(`      ${world.failures.length} in all`)
} finally {
  await world.fake.close()
  await store.close()
}
// A model that hangs keeps its timer; what counts is said.
process.exit(world.failures.length > 0 ? 1 : 0)
