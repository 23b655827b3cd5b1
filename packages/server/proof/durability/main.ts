/**
 * `npm run proof -- server-durability [--cycles 100] [--images 2000] [--points 300] [--migrations 10] [--races 30]
 * [--seed 1]`: the server loses no acknowledged write when its process is killed, when the power is cut, or when the disk
 * is full or broken; migrations that are killed end in the same schema when they are started again; and processes that
 * seal on one database, killed at random, never fork a chain.
 */
import { parseArgs } from 'node:util'
import { POSTGRES_URL, postgresMissing } from '../../test/support/stores.js'
import { bundle } from '../bundle.js'
import { createRandom } from '../world/random.js'
import { buildAll } from './build.js'
import { type FaultKind, failEach } from './faults.js'
import { killLoop } from './kill.js'
import { killMigrations, postgresPlace, sqlitePlace } from './migrations.js'
import { recordRun, replay } from './power-loss.js'
import { runRaces } from './races.js'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '100' },
    images: { type: 'string', default: '2000' },
    points: { type: 'string', default: '300' },
    migrations: { type: 'string', default: '10' },
    races: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})

function count(name: keyof typeof values): number {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number`)
  process.exit(2)
}

const [cycles, images, points, seed] = [count('cycles'), count('images'), count('points'), count('seed')]
const rounds = count('migrations')
const kills = count('races')
const RECORDED_WRITES = 600

function report(name: string, figure: string, failures: readonly string[]): void {
  console.log(`${failures.length === 0 ? 'pass' : 'FAIL'}  ${name}: ${figure}`)
  for (const failure of failures) console.log(`      ${failure}`)
  if (failures.length > 0) process.exitCode = 1
}

const built = await buildAll()
try {
  if (cycles > 0) {
    const { acknowledged, sealed, failures } = await killLoop(built.writer, cycles, createRandom(seed).next)
    report(
      'kill -9',
      `${cycles} cycles, ${acknowledged} acknowledged writes, chains of ${sealed} events verified`,
      failures,
    )
  }
  if (rounds > 0) await migrations()
  if (kills > 0) await runRaces({ kills, seed, report })
  if ('missing' in built.shim) {
    console.log(`skip  power loss, full disk, I/O errors: ${built.shim.missing}`)
    if (process.env['CI'] !== undefined) process.exitCode = 1
  } else {
    const { file } = built.shim
    if (images > 0) powerLoss(file)
    if (points > 0) for (const kind of ['enospc', 'eio', 'sync'] as const) faults(file, kind)
  }
} finally {
  built.clean()
}

async function migrations(): Promise<void> {
  const missing = await postgresMissing()
  if (missing !== null) console.log(`skip  killed migrations on PostgreSQL: ${missing}`)
  const places = [
    { name: 'SQLite', dialect: 'sqlite' as const, open: sqlitePlace },
    ...(missing === null ? [{ name: 'PostgreSQL', dialect: 'pg' as const, open: postgresPlace(POSTGRES_URL) }] : []),
  ]
  const { file, clean } = await bundle('proof/durability/migrator.ts')
  try {
    for (const place of places) {
      const { kills, halfway, failures } = await killMigrations(file, place, rounds, createRandom(seed).next)
      report(
        `killed migrations on ${place.name}`,
        `${rounds} rounds, ${kills} kills, ${halfway} of them halfway; the schema ended whole and the same`,
        failures,
      )
    }
  } finally {
    clean()
  }
}

function powerLoss(shim: string): void {
  const full = replay(recordRun(built.writer, shim, RECORDED_WRITES, 'FULL'), images, createRandom(seed).next)
  report(
    'power loss, synchronous=FULL',
    `${full.images} images of ${full.events} events with ${full.syncs} syncs, ${full.acknowledged} acknowledged writes, ${full.failedImages} images with a loss`,
    full.acknowledged < RECORDED_WRITES ? [...full.failures, 'not every write was acknowledged'] : full.failures,
  )
  // The same replay must see the loss where there is one, or it would prove nothing.
  const normal = replay(
    recordRun(built.writer, shim, RECORDED_WRITES, 'NORMAL'),
    Math.ceil(images / 4),
    createRandom(seed).next,
  )
  report(
    'power loss, synchronous=NORMAL (must lose)',
    `${normal.images} images, ${normal.syncs} syncs, ${normal.failedImages} images with a loss`,
    normal.failures.some((failure) => failure.includes('is lost')) ? [] : ['the replay did not notice lost writes'],
  )
}

function faults(shim: string, kind: FaultKind): void {
  const { writes, refusals, lostGroups, problems } = failEach(built.writer, shim, kind, points)
  const names = { enospc: 'disk full', eio: 'I/O error on write', sync: 'I/O error on sync' }
  report(
    names[kind],
    `${points} points, ${writes} writes, ${refusals} refused with 503 in ${lostGroups} groups, every answer true`,
    problems,
  )
}
