/** Suites that hold on every database. Apart from `stores.ts`, which programs outside of a test run use too. */
import { describe, it } from 'vitest'
import type { Store } from '../../src/runtime/store/db.js'
import { pgliteStore, postgresMissing, postgresStore, sqliteStore } from './stores.js'

export type StoreName = 'SQLite' | 'PGlite' | 'PostgreSQL'
export const IN_PROCESS: readonly StoreName[] = ['SQLite', 'PGlite']
export const EVERYWHERE: readonly StoreName[] = [...IN_PROCESS, 'PostgreSQL']

/** The same suite on each of these databases. Where no PostgreSQL server answers, its part is skipped and says why. */
export async function describeStores(
  title: string,
  stores: readonly StoreName[],
  suite: (open: () => Promise<Store>, store: StoreName) => void,
): Promise<void> {
  const openers = { SQLite: sqliteStore, PGlite: pgliteStore, PostgreSQL: postgresStore }
  const missing = stores.includes('PostgreSQL') ? await postgresMissing() : null
  for (const store of stores) {
    const reason = store === 'PostgreSQL' ? missing : null
    if (reason === null) describe(`${title} on ${store}`, () => suite(openers[store], store))
    else describe.skip(`${title} on ${store} (${reason})`, () => void it('is not tested', () => undefined))
  }
}
