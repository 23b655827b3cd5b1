/** The store that the settings name, at the schema of this build. */
import { dirname, join, resolve } from 'node:path'
import { type Log, silentLog } from './runtime/log/log.js'
import { makeFolder } from './runtime/make-folder.js'
import type { Settings } from './runtime/settings/load.js'
import type { Store } from './runtime/store/db.js'
import { type Migrated, openPostgresStore, openSqliteStore } from './runtime/store/open-store.js'
import type { SlowWrite } from './runtime/store/slow-write.js'

export const isPostgres = ({ DATABASE_URL }: Pick<Settings, 'DATABASE_URL'>): boolean =>
  /^postgres/.test(DATABASE_URL ?? '')

/** @param log told of writes that stay open and of connections that break; nobody is unless given. */
export function openStore(settings: Settings, log: Log = silentLog): Promise<Store> {
  const onSlowWrite = (write: SlowWrite) => log.write('store.slow_write', { ...write })
  const onMigrated = (migrated: Migrated) => log.write('store.migrated', { ...migrated })
  if (isPostgres(settings)) {
    return openPostgresStore({
      url: settings.DATABASE_URL ?? '',
      tenantUrl: settings.DATABASE_TENANT_URL ?? undefined,
      systemUrl: settings.DATABASE_SYSTEM_URL ?? undefined,
      connectionsMax: settings.DATABASE_POOL_MAX,
      onSlowWrite,
      onMigrated,
      onError: (error) => log.write('store.connection_lost', { error }),
    })
  }
  const file = sqliteFile(settings)
  makeFolder(dirname(file))
  return openSqliteStore(file, { onSlowWrite, onMigrated, checkpointsBeside: true })
}

/** The database file of a process on SQLite. */
export function sqliteFile({ DATABASE_URL, DATA_DIR }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>): string {
  const named = DATABASE_URL?.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
  return resolve(named ?? join(DATA_DIR, 'plumbline.db'))
}
