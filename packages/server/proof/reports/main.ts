/**
 * `npm run proof -- reports [--histories 500] [--seed 1] [--engine sqlite|pglite|postgres] [--races 0]`: random histories of runs, deployments,
 * incidents, marks and links are sent over HTTP, and every report is held to an oracle that reads the whole history without SQL.
 * Of each the reports are asked again from sums of days; every second one is told to another organization permuted, doubled, split,
 * parked and cut half-way, and must leave equal rows. Every fourth is told to an organization with a team, every third is swept in the end.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { rebuildDays } from '../../src/reporting/rollup/rebuild.js'
import type { Store } from '../../src/runtime/store/db.js'
import { forwarder, newPipeline, register, reportingApp } from '../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../test/support/sign-in.js'
import { pgliteStore, postgresStore, sqliteStore } from '../../test/support/stores.js'
import { type Api, differences, tell } from './check.js'
import type { OracleWorld } from './oracle.js'
import { cutHalfWay, rowsOf, shuffled } from './orders.js'
import { raced } from './races.js'
import { afterSweep } from './swept.js'
import { overTeams } from './teams.js'
import { worlds } from './world.js'

const DAY = 86_400_000
const OPENERS: Readonly<Record<string, () => Promise<Store>>> = {
  sqlite: sqliteStore,
  pglite: pgliteStore,
  postgres: postgresStore,
}
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
    races: { type: 'string', default: '0' },
  },
})
const [histories, seed, races] = [Number(values.histories), Number(values.seed), Number(values.races)]
const open = OPENERS[values.engine]
if (![histories, seed].every((each) => Number.isSafeInteger(each) && each > 0) || open === undefined) {
  console.error('--histories and --seed must be whole numbers from 1, --engine sqlite, pglite or postgres')
  process.exit(2)
}

const NAMES = ['one', 'two'] as const
const FAILURES_MAX = 3

interface Team {
  readonly person: SignedIn
  readonly token: string
  readonly ids: Readonly<Record<string, string>>
  readonly names: ReadonlyMap<string, string>
}

async function newTeam(app: IdentityApp, name: string, isRegistered: boolean): Promise<Team> {
  const person = await signUp(app, name)
  const ids: Record<string, string> = {}
  for (const each of NAMES) ids[each] = await newPipeline(app, person, each, { isRegistered })
  const names = new Map(Object.entries(ids).map(([each, id]) => [id, each]))
  return { person, token: await forwarder(app, person.orgId), ids, names }
}

const forTeam = (world: OracleWorld, { ids }: Team): OracleWorld =>
  JSON.parse(JSON.stringify(world), (key, value) => (key === 'pipelineId' ? ids[value as string] : value))

function apiOf(app: IdentityApp, { person, token }: Team): Api {
  const call = async (method: string, path: string, as: SignedIn | string, body?: unknown) => {
    const answer = await app.call(method, path, { as, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.data
  }
  return {
    send: (path, body) => call('POST', path, token, body),
    get: (path) => call('GET', path, person),
    put: (path, body) => call('PUT', path, person, body),
    post: (path, body) => call('POST', path, person, body),
  }
}

const rollUpOf = async (app: IdentityApp, orgId: string) => {
  while ((await app.runtime.store.system.write((tx) => rebuildDays(tx, orgId, 7))) > 0);
}
const rollUp = (app: IdentityApp, { person }: Team) => rollUpOf(app, person.orgId)

/** Another organization hears the same otherwise. @returns what differs. */
async function otherwise(app: IdentityApp, world: OracleWorld, team: Team, round: number): Promise<string[]> {
  const isParked = round % 4 === 0
  const other = await newTeam(app, `other${round}`, !isParked)
  const events = forTeam(world, other).events
  const api = apiOf(app, other)
  await cutHalfWay(app.runtime, other.person.orgId, events.slice(0, Math.ceil(events.length / 2)))
  for (const batch of shuffled(events, round)) {
    await api.send('/reports/events', { events: batch.map((event) => ({ eventSource: 'generic', ...event })) })
    // Sums are made in between, and must follow what comes later.
    if (round % 3 === 0) await rollUp(app, other)
  }
  if (isParked) for (const id of Object.values(other.ids)) await register(app, other.person, id)
  await rollUp(app, other)
  const [wanted, got] = [
    await rowsOf(app.runtime, team.person.orgId, team.names),
    await rowsOf(app.runtime, other.person.orgId, other.names),
  ]
  return Object.keys(wanted)
    .filter((table) => JSON.stringify(wanted[table]) !== JSON.stringify(got[table]))
    .map(
      (table) => `rows of ${table}: ${JSON.stringify(got[table])}, and told in order ${JSON.stringify(wanted[table])}`,
    )
}

const store = await open()
const app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
const failures: string[] = []
let [compared, retold, overTwo, swept] = [0, 0, 0, 0]
const made = fc.sample(worlds({ pipelines: [...NAMES], untilMs: app.clock.now(), runsMax: 14 }), {
  numRuns: histories,
  seed,
})
for (const [round, world] of made.entries()) {
  if (failures.length >= FAILURES_MAX) break
  const team = await newTeam(app, `history${round}`, true)
  const [api, own] = [apiOf(app, team), forTeam(world, team)]
  await tell(api, own, round)
  const until = app.clock.now()
  const [fromMs, toMs] = [until - (1 + (round % 6)) * DAY - 12_345, until - (round % 5) * (DAY / 4)]
  const look = () => differences(api, own, fromMs, toMs)
  const found = await look()
  await rollUp(app, team)
  found.push(...(await look()).map((each) => `from sums of days: ${each}`))
  compared++
  if (round % 2 === 0) {
    found.push(...(await otherwise(app, world, team, round)))
    retold++
  } else if (round % 4 === 1) {
    const rollUp = (orgId: string) => rollUpOf(app, orgId)
    found.push(...(await overTeams(app, world, { name: `account${round}`, seed: round, fromMs, toMs, rollUp })))
    overTwo++
  }
  if (round % 3 === 0) {
    const sweeping = { runtime: app.runtime, orgId: team.person.orgId, fromMs, toMs, rollUp: () => rollUp(app, team) }
    found.push(...(await afterSweep(api, own, 1 + (round % 5), sweeping)))
    swept++
  }
  if (found.length > 0) failures.push(`history ${round}: ${found.join('\n        ')}`)
  if (round % 50 === 49) process.stderr.write(`${round + 1} histories\n`)
}
let taken = 0
if (races > 0 && 'url' in store) {
  const drawn = { pipelines: [...NAMES], untilMs: app.clock.now(), runsMax: 60 }
  for (const [round, world] of fc.sample(worlds(drawn), { numRuns: races, seed: seed + 1 }).entries()) {
    const team = await newTeam(app, `race${round}`, true)
    const toMs = app.clock.now()
    const racing = { url: String(store.url), orgId: team.person.orgId, fromMs: toMs - 7 * DAY, toMs }
    const race = await raced(apiOf(app, team), forTeam(world, team), { ...racing, rollUp: () => rollUp(app, team) })
    taken += race.taken
    if (race.found.length > 0) failures.push(`race ${round}: ${race.found.join('\n        ')}`)
  }
  if (taken === 0) failures.push('no process took a mark while events came')
}
const errors = app.errors.map(String)
const isProved = failures.length === 0 && errors.length === 0
console.log(
  `${isProved ? 'pass' : 'FAIL'}  reports on ${values.engine}, seed ${seed}: ${compared} histories, each from facts and from sums, ${retold} of them told in another order too, ${overTwo} over an organization and its team, ${swept} after a sweep${races > 0 ? `, ${races} while three processes made sums (${taken} marks)` : ''}`,
)
for (const failure of [...failures, ...errors]) console.log(`      ${failure}`)
await store.close()
// The pools of the app hold the process otherwise.
process.exit(isProved ? 0 : 1)
