/**
 * `npm run proof -- billing [--engine sqlite|postgres] [--seed 1] [--steps 5000] [--card 600] [--histories 500] [--previews 300] [--leaps 100]
 * [--faults 200] [--kills 40] [--months 300] [--whole-months 12] [--market 600] [--races 10] [--bugs all]`: billing over HTTP against a model that knows no database, its histories in any order, its
 * promises about invoices and time, its providers failing. Without a size each part runs at its size in CI; with some, those alone.
 */
import { parseArgs } from 'node:util'
import type { Store } from '../../src/runtime/store/db.js'
import { pgliteStore, postgresStore, sqliteStore } from '../../test/support/stores.js'
import type { Engine } from '../world/database.js'
import { proveBugs } from './bugs.js'
import { proveCard } from './card-prove.js'
import { proveFaults } from './faults.js'
import { proveHistories } from './histories.js'
import { proveKills } from './kills.js'
import { proveLeaps, provePreviews } from './lives.js'
import { proveMarket } from './market-prove.js'
import { proveMonths } from './months.js'
import { proveBilling } from './prove.js'
import { proveRaces } from './races.js'
import { proveWholeMonths } from './whole-months.js'

type Part = (count: number, seed: number) => Promise<string>

const STORES = { sqlite: sqliteStore, pglite: pgliteStore, postgres: postgresStore } as const

const { values } = parseArgs({
  options: {
    steps: { type: 'string' },
    card: { type: 'string' },
    histories: { type: 'string' },
    previews: { type: 'string' },
    leaps: { type: 'string' },
    faults: { type: 'string' },
    months: { type: 'string' },
    'whole-months': { type: 'string' },
    market: { type: 'string' },
    kills: { type: 'string' },
    races: { type: 'string' },
    bugs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const engine = values.engine as Engine
const seed = Number(values.seed)

async function onStore(run: (store: Store) => Promise<string>): Promise<string> {
  const store = await STORES[engine]()
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

const PARTS: Record<string, readonly [ci: number, part: Part]> = {
  steps: [
    5000,
    (steps, seed) =>
      onStore(async (store) => {
        const { accounts, refused, invoices, trials, referrals, combos } = await proveBilling(store, { steps, seed })
        return `${steps} steps of ${accounts} accounts, ${refused} of them refused, ${trials} trials, ${referrals} referrals, ${combos} periods with a combo, ${invoices} invoices: all as the model says`
      }),
  ],
  card: [
    600,
    async (steps, seed) => {
      const { accounts, faults, deliveries, lost } = await proveCard(engine, { steps, seed })
      return `${steps} steps of ${accounts} accounts by card, ${faults} faults, ${deliveries} deliveries in disorder, ${lost} lost: all as the model says`
    },
  ],
  histories: [
    500,
    async (histories, seed) => {
      const { told, deliveries, lost } = await proveHistories(engine, { histories, seed })
      return `${told} orders of histories, ${deliveries} deliveries, ${lost} lost: each history ends in one state`
    },
  ],
  previews: [
    300,
    (previews, seed) =>
      onStore(async (store) => {
        const { accounts, changes } = await provePreviews(store, { previews, seed })
        return `${previews} invoices shown and drawn over two years of ${accounts} accounts, ${changes} changes by their preview: line by line`
      }),
  ],
  leaps: [
    100,
    (leaps, seed) =>
      onStore(async (store) => {
        const { stops } = await proveLeaps(store, { leaps, seed })
        return `${leaps} leaps of the clock and ${stops} stops on the way: the same lives`
      }),
  ],
  faults: [
    200,
    async (faults, seed) => {
      const { schedules, failed } = await proveFaults(engine, { faults, seed })
      return `${schedules} schedules of ${failed} faults of the provider: one customer, one subscription, each credit once`
    },
  ],
  kills: [
    40,
    async (kills, seed) => {
      const { died, finished } = await proveKills(engine, { kills, seed })
      return `${died} processes killed in jobs, deliveries and calls, ${finished} came to their end: each account is as without it`
    },
  ],
  months: [
    300,
    (months, seed) =>
      onStore(async (store) => {
        const { hours, lapsed, units, withheld } = await proveMonths(store, { months, seed })
        return `${months} purchases over the end of a month, ${hours} hours, ${lapsed} of them lapsed, ${units} units, ${withheld} withheld: reported + withheld = units`
      }),
  ],
}

PARTS['whole-months'] = [
  12,
  (months, seed) =>
    onStore(async (store) => {
      const { hours, units, withheld } = await proveWholeMonths(store, { months, seed })
      return `${months} purchases through more than a month, ${hours} hours, ${units} units, ${withheld} withheld: each unit once a period, nothing lapsed`
    }),
]

PARTS['market'] = [
  600,
  (steps, seed) =>
    onStore(async (store) => {
      const { purchases, claims, refused, lost } = await proveMarket(store, { steps, seed })
      return `${steps} steps of ${purchases} purchases at the marketplace, ${claims} taken over, ${refused} claims refused, ${lost} notices lost: all as the model says`
    }),
]

/** Three processes share a database, which is PostgreSQL. */
const RACES: readonly [ci: number, part: Part] = [
  10,
  async (races, seed) => {
    const { races: run, requests } = await proveRaces({ races, seed })
    return `${run} races of 64 clients on three processes, ${requests} requests: nothing given twice, nothing lost`
  },
]
if (engine === 'postgres') PARTS['races'] = RACES

// Each of them is a run of its own.
if (values.bugs !== undefined) {
  console.log(`billing: ${await proveBugs(values.bugs === 'all' ? '' : values.bugs, seed)}`)
  process.exit(0)
}

const asked = Object.keys(PARTS).filter((name) => values[name as 'steps'] !== undefined)
const sizes = (asked.length > 0 ? asked : Object.keys(PARTS)).map((name) => {
  const [ci] = PARTS[name] ?? [0]
  return [name, Number(values[name as 'steps'] ?? ci)] as const
})
if (![seed, ...sizes.map(([, size]) => size)].every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error(`--seed and --${Object.keys(PARTS).join(', --')} must be whole numbers from 1`)
  process.exit(2)
}
if (!Object.hasOwn(STORES, engine)) {
  console.error('--engine must be one of sqlite, pglite, postgres')
  process.exit(2)
}
for (const [name, size] of sizes) {
  const began = performance.now()
  const used = process.cpuUsage()
  const [, part] = PARTS[name] ?? []
  const said = await part?.(size, seed)
  const { user, system } = process.cpuUsage(used)
  const [seconds, busy] = [(performance.now() - began) / 1000, (user + system) / 1e6]
  console.log(`billing on ${engine}: ${said}, in ${seconds.toFixed(0)} s (${busy.toFixed(0)} s of a core)`)
}
process.exit(0)
