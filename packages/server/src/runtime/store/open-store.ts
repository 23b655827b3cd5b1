/** Opens the store that the settings ask for, at the schema of this build. */

import type { Store } from './db.js'
import { migratePostgres, migrateSqlite } from './migrate.js'
import { type PostgresOptions, SYSTEM_ROLE, storeOver, TENANT_ROLE } from './postgres.js'
import { checkLogin } from './postgres-login.js'
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

export interface PostgresStoreOptions extends Omit<PoolOptions, 'url'>, PostgresOptions {
  /** Of the owner of the tables: migrations use it, and both pools unless they have logins of their own. */
  readonly url: string
  /** A login that can become the tenants' role alone. */
  readonly tenantUrl?: string | undefined
  /** A login that can become the system's role alone. */
  readonly systemUrl?: string | undefined
}

/** @throws BadSettings that says what to grant or revoke when a login of its own can become more or less than its role. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, tenantUrl, systemUrl } = options
  await migratePostgres(url)
  if (tenantUrl !== undefined) await checkLogin('DATABASE_TENANT_URL', tenantUrl, TENANT_ROLE)
  if (systemUrl !== undefined) await checkLogin('DATABASE_SYSTEM_URL', systemUrl, SYSTEM_ROLE)
  const pool = (own: string | undefined) => nodePostgresPool({ ...options, url: own ?? url })
  return storeOver({ tenant: pool(tenantUrl), system: pool(systemUrl) }, options)
}
