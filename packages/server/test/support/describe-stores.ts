/**
 * Test suites for every database. They are separate from `stores.ts`, which programs outside of a test run import too.
 */
import { describe, it } from 'vitest'
import type { Store } from '../../src/runtime/store/db.js'
import { pooledPostgresStore } from './pooled-postgres.js'
import { pgliteStore, postgresMissing, sqliteStore } from './stores.js'

export type StoreName = 'SQLite' | 'PGlite' | 'PostgreSQL'

const missingServer = await postgresMissing()

/**
 * SQLite and PostgreSQL. If no server answers, PGlite in this process replaces PostgreSQL. PGlite takes several times
 * as much processor time, so a suite names it explicitly only to test PGlite itself.
 */
export const BOTH_DATABASES: readonly StoreName[] = ['SQLite', missingServer === null ? 'PostgreSQL' : 'PGlite']
/**
 * For suites that must be alone on their server. Events are sealed in order only up to the oldest open transaction in
 * any database of the server, and other tests keep transactions open.
 */
export const ALONE: readonly StoreName[] = ['SQLite', 'PGlite']
/**
 * For suites with concurrent transactions, which PGlite cannot run. The server is always listed, so that a run without
 * one reports what was skipped.
 */
export const WITH_POSTGRESQL: readonly StoreName[] = [...new Set([...BOTH_DATABASES, 'PostgreSQL'] as const)]

/** Runs a suite on each of these databases. If no PostgreSQL server answers, its part is skipped with the reason. */
export async function describeStores(
  title: string,
  stores: readonly StoreName[],
  suite: (open: () => Promise<Store>, store: StoreName) => void,
): Promise<void> {
  const openers = { SQLite: sqliteStore, PGlite: pgliteStore, PostgreSQL: pooledPostgresStore }
  for (const store of stores) {
    const reason = store === 'PostgreSQL' ? missingServer : null
    if (reason === null) describe(`${title} on ${store}`, () => suite(openers[store], store))
    else describe.skip(`${title} on ${store} (${reason})`, () => void it('is not tested', () => undefined))
  }
}
