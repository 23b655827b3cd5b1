/**
 * `npm run proof -- verdicts [--cases 20000] [--seed 1] [--engine sqlite] [--world N]`: the engine's oracle over HTTP. Prints how
 * often each way to a verdict was taken, and fails when one of them was not, because then nothing was proved about it.
 */
import { parseArgs } from 'node:util'
import type { Engine } from '../world/database.js'
import { proveVerdicts, SCENARIOS_PER_WORLD } from './prove.js'
import { openReplicas } from './server.js'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
    world: { type: 'string' },
    failures: { type: 'string', default: '3' },
  },
})
const [cases, seed, failuresMax] = [Number(values.cases), Number(values.seed), Number(values.failures)]
const only = values.world === undefined ? null : Number(values.world)
if (![cases, seed, failuresMax, only ?? 1].every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error('--cases, --seed, --failures and --world must be whole numbers from 1')
  process.exit(2)
}
if (!['sqlite', 'pglite', 'postgres'].includes(values.engine)) {
  console.error('--engine must be sqlite, pglite or postgres')
  process.exit(2)
}

const replicas = await openReplicas(values.engine as Engine)
const { failures, ...ways } = await proveVerdicts(replicas, {
  ...{ cases, seed, only, failuresMax },
  onProgress({ worlds, scenarios }) {
    if (worlds % 10 === 0) process.stderr.write(`${scenarios} scenarios\n`)
  },
})
const { sent, refused } = replicas.requests
const figures = Object.entries(ways).map(([name, times]) => `${name} ${times}`)
const missing =
  only !== null || cases < 2 * SCENARIOS_PER_WORLD ? [] : Object.entries(ways).filter(([, times]) => times === 0)
const isProved = failures.length === 0 && missing.length === 0
console.log(
  `${isProved ? 'pass' : 'FAIL'}  verdicts on ${values.engine}, seed ${seed}: ${figures.join(', ')}; ${sent} requests, ${refused} of them refused`,
)
for (const failure of failures) console.log(`      ${failure}`)
for (const [name] of missing) console.log(`      no scenario with ${name}`)
await replicas.close()
// The pools of the apps hold the process otherwise.
process.exit(isProved ? 0 : 1)
