/** Opens the store that the settings ask for, at the schema of this build. */

import type { Store } from './db.js'
import { migratePostgres, migrateSqlite } from './migrate.js'
import { type PostgresOptions, storeOver } from './postgres.js'
import { nodePostgresPool, type PoolOptions } from './postgres-pool.js'
import { openSqlite, type SqliteOptions, type SqliteStore } from './sqlite.js'

export async function openSqliteStore(file: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  const store = openSqlite(file, options)
  try {
    await migrateSqlite(store.writer)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** @param options `migrationUrl`: the owner's address when the pool's user is not the owner, or goes through a pooler. */
export async function openPostgresStore(
  options: PoolOptions & PostgresOptions & { readonly migrationUrl?: string },
): Promise<Store> {
  await migratePostgres(options.migrationUrl ?? options.url)
  return storeOver(nodePostgresPool(options), options)
}
