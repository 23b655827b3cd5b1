/**
 * `npm run proof -- sign-on [--runs 20000] [--races 200] [--forged 5000] [--engine sqlite|postgres] [--seed 1]`: who comes in against
 * a model, 50 steps in each world of two companies; the races of sign-on, so many of each; and so many lies of a provider over all
 * flows, of which none may be accepted.
 */
import { parseArgs } from 'node:util'
import { postgresStore, sqliteStore } from '../../test/support/stores.js'
import { createRandom } from '../world/random.js'
import { forgedOver } from './forged.js'
import { ComersModel } from './model.js'
import { openPlace } from './place.js'
import { groupAndHand, lastSeat, RACE_SEATS, twoFirstSignIns, withMappedGroup } from './races.js'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    races: { type: 'string', default: '200' },
    forged: { type: 'string', default: '5000' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const STEPS = 50
const [runs, races, forged, seed] = [values.runs, values.races, values.forged, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
]
if (![runs, races, forged, seed].every((each) => Number.isSafeInteger(each) && each >= 0)) {
  console.error('--runs, --races, --forged and --seed must be whole numbers')
  process.exit(2)
}

const random = createRandom(seed)
const failures: string[] = []
const store = values.engine === 'postgres' ? await postgresStore() : await sqliteStore()
try {
  const place = await openPlace(store, { seats: 10_000 })
  for (let done = 0; done < runs; done += STEPS) {
    const world = String(done / STEPS)
    const companies = [await place.company(`acme-${world}`), await place.company(`beta-${world}`)]
    const model = new ComersModel(place, companies, random, world)
    for (let n = 0; n < Math.min(STEPS, runs - done); n++) await model.step()
    await model.compare()
    failures.push(...model.failures)
  }
  const small = await openPlace(store, { seats: RACE_SEATS })
  const mapped = races === 0 ? null : await withMappedGroup(place, 'hands')
  for (let n = 0; n < races; n++) {
    failures.push(...(await lastSeat(small, `seats-${n}`)), ...(await twoFirstSignIns(place, `twice-${n}`)))
    if (mapped !== null) failures.push(...(await groupAndHand(mapped.company, place.app, mapped.roleId, n)))
  }
  failures.push(...[...place.app.errors, ...small.app.errors].map(String))
  await place.close()
  await small.close()
  failures.push(...(await forgedOver(store, forged)))
} finally {
  await store.close()
}
const verdict = failures.length === 0 ? 'pass' : 'FAIL'
console.log(
  `${verdict}  sign-on on ${values.engine}: ${runs} steps, ${races} of each race and ${forged} lies, seed ${seed}`,
)
for (const failure of failures.slice(0, 20)) console.log(`      ${failure}`)
if (failures.length > 0) process.exitCode = 1
