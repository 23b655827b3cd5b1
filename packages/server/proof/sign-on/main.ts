/**
 * `npm run proof -- sign-on [--runs 20000] [--races 200] [--forged 5000] [--domains 5000] [--flows N|all] [--engine sqlite|postgres]
 * [--seed 1]`: who comes in against a model, 50 steps in each world of two companies; the races of sign-on, so many of each; so many
 * lies of a provider over all flows, of which none may be accepted; who holds a domain against a model, over a name server that lies
 * and a clock in leaps, so many steps; and so many rounds of every flow over three replicas, one of which is killed between two steps
 * of each flow.
 *
 * Without a size, each of them runs; otherwise those with a size do.
 *
 * `--flows 1` plays each flow once, with one kill; each further round kills between two other steps of each flow. `--flows all` ends
 * when each two steps were interrupted in both ways, in about 15 rounds: see `flows.ts`. The flows need PostgreSQL and Redis, whatever
 * the engine of the rest. Without a size all rounds are played with `--engine postgres`, and none with `sqlite`.
 */
import { parseArgs } from 'node:util'
import type { Store } from '../../src/runtime/store/db.js'
import { postgresMissing, postgresStore, redisMissing, sqliteStore } from '../../test/support/stores.js'
import { createRandom } from '../world/random.js'
import { domainsOver } from './domains.js'
import { flowsOver } from './flows.js'
import { forgedOver } from './forged.js'
import { ComersModel } from './model.js'
import { openPlace } from './place.js'
import { groupAndHand, lastSeat, RACE_SEATS, twoFirstSignIns, withMappedGroup } from './races.js'

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    races: { type: 'string' },
    forged: { type: 'string' },
    domains: { type: 'string' },
    flows: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const STEPS = 50
const USUAL = { runs: '20000', races: '200', forged: '5000', domains: '5000' }
const isWhole = values.flows === undefined && Object.keys(USUAL).every((name) => !(name in values))
const wholeNumber = (name: keyof typeof USUAL | 'seed'): number => {
  const number = Number(values[name] ?? (isWhole && name !== 'seed' ? USUAL[name] : 0))
  if (Number.isSafeInteger(number) && number >= 0) return number
  console.error(`--${name} must be a whole number`)
  process.exit(2)
}
const [runs, races, forged] = [wholeNumber('runs'), wholeNumber('races'), wholeNumber('forged')]
const [domains, seed] = [wholeNumber('domains'), wholeNumber('seed')]

const ALL = Number.MAX_SAFE_INTEGER
const flowsUsual = isWhole && values.engine === 'postgres' ? 'all' : '0'
const flows = (values.flows ?? flowsUsual) === 'all' ? ALL : Number(values.flows ?? flowsUsual)
if (!(Number.isSafeInteger(flows) && flows >= 0)) {
  console.error('--flows must be a whole number or `all`')
  process.exit(2)
}
const missing = flows === 0 ? null : ((await postgresMissing()) ?? (await redisMissing()))
if (missing !== null) {
  console.error(`--flows cannot run: ${missing}`)
  process.exit(2)
}

function report(figure: string, failures: readonly string[]): void {
  console.log(`${failures.length === 0 ? 'pass' : 'FAIL'}  sign-on ${figure}`)
  for (const failure of failures.slice(0, 20)) console.log(`      ${failure}`)
  if (failures.length > 0) process.exitCode = 1
}

/** @returns what was not as the model says, or not as one of several at once has to be. */
async function comers(store: Store): Promise<string[]> {
  const random = createRandom(seed)
  const failures: string[] = []
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
  return failures
}

if (runs + races + forged + domains > 0) {
  const store = values.engine === 'postgres' ? await postgresStore() : await sqliteStore()
  try {
    const failures = runs + races > 0 ? await comers(store) : []
    failures.push(...(await forgedOver(store, forged)), ...(await domainsOver(store, domains, createRandom(seed))))
    report(
      `on ${values.engine}: ${runs} steps, ${races} of each race, ${forged} lies and ${domains} steps of domains, seed ${seed}`,
      failures,
    )
  } finally {
    await store.close()
  }
}
if (flows > 0) {
  const { rounds, played, interrupted, failures } = await flowsOver(flows)
  const figure = `over three replicas: ${played} flows in ${rounds} rounds, ${interrupted} with a kill between two steps`
  report(figure, failures)
}
