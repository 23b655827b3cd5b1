/** Opens the store that the settings ask for, at the schema of this build. */

import type { Store } from './db.js'
import { migratePostgres, migrateSqlite } from './migrate.js'
import { type PostgresOptions, SYSTEM_ROLE, storeOver, TENANT_ROLE } from './postgres.js'
import { checkLogin } from './postgres-login.js'
import { nodePostgresPool, type PoolOptions } from './postgres-pool.js'
import { openSqlite, type SqliteOptions, type SqliteStore } from './sqlite.js'

/** The migrations that brought the database to the schema of this build. */
export interface Migrated {
  readonly migrations: number
  readonly ms: number
}

export interface MigrationOptions {
  /** Called when migrations were applied. */
  readonly onMigrated?: (migrated: Migrated) => void
}

async function telling({ onMigrated }: MigrationOptions, migrate: () => Promise<number[]>): Promise<void> {
  const startedMs = performance.now()
  const { length: migrations } = await migrate()
  if (migrations > 0) onMigrated?.({ migrations, ms: Math.round(performance.now() - startedMs) })
}

export async function openSqliteStore(
  file: string,
  options: SqliteOptions & MigrationOptions = {},
): Promise<SqliteStore> {
  const store = openSqlite(file, options)
  try {
    await telling(options, () => migrateSqlite(store.writer))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

export interface PostgresStoreOptions extends Omit<PoolOptions, 'url'>, PostgresOptions, MigrationOptions {
  /**
   * The address with the owner of the tables as its user. Migrations use it, and so do both pools unless they have
   * logins of their own.
   */
  readonly url: string
  /** A login that can take only the tenants' role. */
  readonly tenantUrl?: string | undefined
  /** A login that can take only the system's role. */
  readonly systemUrl?: string | undefined
}

/**
 * @throws BadSettings that says what to grant or revoke, when a separate login can take more or fewer roles than its
 * own.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, tenantUrl, systemUrl } = options
  await telling(options, () => migratePostgres(url))
  if (tenantUrl !== undefined) await checkLogin('DATABASE_TENANT_URL', tenantUrl, TENANT_ROLE)
  if (systemUrl !== undefined) await checkLogin('DATABASE_SYSTEM_URL', systemUrl, SYSTEM_ROLE)
  const pool = (own: string | undefined) => nodePostgresPool({ ...options, url: own ?? url })
  return storeOver({ tenant: pool(tenantUrl), system: pool(systemUrl) }, options)
}
