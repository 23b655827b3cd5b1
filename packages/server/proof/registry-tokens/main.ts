/**
 * `npm run proof -- registry-tokens [--cases 20000] [--pulls 300] [--engine sqlite|postgres] [--seed 1]`: tokens for the
 * registry beside an oracle, for callers of every kind, repositories of every form and actions, before and after changes;
 * then the same decisions by skopeo on a real registry, forged tokens, and how long an old token is good.
 *
 * Where there is no docker-registry or no skopeo, it says so and ends with 3; `--pulls 0` needs neither.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { freePort } from '../../test/support/registry.js'
import { postgresStore, sqliteStore } from '../../test/support/stores.js'
import { createRandom } from '../world/random.js'
import { CHANGES } from './changes.js'
import { proveTokens } from './prove.js'
import { provePulls } from './pulls.js'
import { openPlace } from './server.js'
import { buildWorld } from './world.js'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    pulls: { type: 'string', default: '300' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const [cases, pulls, seed] = [Number(values.cases), Number(values.pulls), Number(values.seed)]
if (
  ![cases, pulls, seed].every((each) => Number.isSafeInteger(each) && each >= 0) ||
  !/^(sqlite|postgres)$/.test(values.engine)
) {
  console.error('--cases, --pulls and --seed must be whole numbers, --engine sqlite or postgres')
  process.exit(2)
}
const lacks = ['docker-registry', 'skopeo'].filter((each) => spawnSync(each, ['--version']).error !== undefined)
if (pulls > 0 && lacks.length > 0) {
  console.log(`tokens for the registry are not tried: ${lacks.join(' and ')} not installed`)
  process.exit(3)
}

const random = createRandom(seed)
const failures: string[] = []
const store = values.engine === 'postgres' ? await postgresStore() : await sqliteStore()
const port = await freePort()
const place = await openPlace(store, `http://127.0.0.1:${port}`)
try {
  const world = await buildWorld(place)
  const tried = await proveTokens(world, random, cases)
  failures.push(...tried.failures)
  // Few cases do not come past every change.
  if (cases >= 5000 && tried.changes.size < CHANGES - 1)
    failures.push(`only ${tried.changes.size} kinds of changes were made`)
  console.log(
    `${tried.cases} questions by ${world.credentials.length} credentials: ${tried.granted} got something, ${tried.refused} were refused; ${[...tried.changes.values()].reduce((sum, each) => sum + each, 0)} changes of ${tried.changes.size} kinds, of which ${tried.taken} took something`,
  )
  if (pulls > 0) {
    const images = await provePulls(world, random, { pulls, port })
    failures.push(...images.failures)
    console.log(images.said)
  }
  failures.push(...place.app.errors.map(String))
} finally {
  await place.close()
  await store.close()
}
const verdict = failures.length === 0 ? 'pass' : 'FAIL'
console.log(`${verdict}  registry-tokens on ${values.engine}, seed ${seed}`)
for (const failure of failures.slice(0, 20)) console.log(`      ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
