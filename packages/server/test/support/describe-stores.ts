/** Suites that hold on every database. Apart from `stores.ts`, which programs outside of a test run use too. */
import { describe, it } from 'vitest'
import type { Store } from '../../src/runtime/store/db.js'
import { pgliteStore, postgresMissing, postgresStore, sqliteStore } from './stores.js'

export type StoreName = 'SQLite' | 'PGlite' | 'PostgreSQL'

const missingServer = await postgresMissing()

/**
 * SQLite, and PostgreSQL: the server that answers, or PGlite in this process where none does. PGlite takes several times
 * the processor's time of the server, so a suite that names it itself says something about PGlite.
 */
export const IN_PROCESS: readonly StoreName[] = ['SQLite', missingServer === null ? 'PostgreSQL' : 'PGlite']
/**
 * For suites that count on being alone: on a server, events are sealed in order only up to the oldest transaction that is
 * open, of whatever database, and other tests keep some open.
 */
export const ALONE: readonly StoreName[] = ['SQLite', 'PGlite']
/** The same as `IN_PROCESS`, for suites whose transactions run side by side: without a server they say what was not tested. */
export const EVERYWHERE: readonly StoreName[] = [...new Set([...IN_PROCESS, 'PostgreSQL'] as const)]

/** The same suite on each of these databases. Where no PostgreSQL server answers, its part is skipped and says why. */
export async function describeStores(
  title: string,
  stores: readonly StoreName[],
  suite: (open: () => Promise<Store>, store: StoreName) => void,
): Promise<void> {
  const openers = { SQLite: sqliteStore, PGlite: pgliteStore, PostgreSQL: postgresStore }
  for (const store of stores) {
    const reason = store === 'PostgreSQL' ? missingServer : null
    if (reason === null) describe(`${title} on ${store}`, () => suite(openers[store], store))
    else describe.skip(`${title} on ${store} (${reason})`, () => void it('is not tested', () => undefined))
  }
}
