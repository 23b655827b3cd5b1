/** Races on each kind of database: where it is made, how many processes share it, and what the run reports. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/runtime/store/db.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { postgresMissing, postgresStore } from '../../test/support/stores.js'
import { bundle } from '../bundle.js'
import { createRandom } from '../world/random.js'
import { judgeRace, type RaceOptions, race } from './race.js'

export interface RacesOptions {
  readonly kills: number
  readonly seed: number
  report(name: string, figure: string, failures: readonly string[]): void
}

export async function runRaces(options: RacesOptions): Promise<void> {
  const { file: worker, clean } = await bundle('proof/durability/race-worker.ts')
  try {
    const missing = await postgresMissing()
    if (missing === null) {
      for (const lease of [true, false])
        await raceOn(await postgresStore(), { worker, processes: 3, lease, ...options }, 'PostgreSQL')
    } else {
      console.log(`skip  processes on one PostgreSQL: ${missing}`)
    }
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-race-'))
    const url = join(folder, 'plumbline.db')
    const store = Object.assign(await openSqliteStore(url), { url })
    await raceOn(store, { worker, processes: 2, lease: true, ...options }, 'SQLite file')
    rmSync(folder, { recursive: true, force: true })
  } finally {
    clean()
  }
}

async function raceOn(
  store: Store & { readonly url: string },
  options: Pick<RaceOptions, 'worker' | 'processes' | 'lease'> & RacesOptions,
  where: string,
): Promise<void> {
  try {
    const { kills, seed, processes, lease } = options
    const committed = await race({ ...options, address: store.url, random: createRandom(seed).next })
    const { chains, events, failures } = await judgeRace(store, committed)
    options.report(
      `${processes} processes on one ${where}${lease ? '' : ', without the lease'}`,
      `${kills} kills, ${committed.length} acknowledged events, ${chains} chains of ${events} events verified`,
      failures,
    )
  } finally {
    await store.close()
  }
}
