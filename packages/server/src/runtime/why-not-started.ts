import { CannotStart } from './cannot-start.js'
import { BadSettings } from './settings/bad-settings.js'
import type { Settings } from './settings/load.js'
import { ForeignSchema } from './store/foreign-schema.js'
import { MigrationFailed } from './store/migration-failed.js'

type Places = Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>

/** An SQLSTATE. The owner of the tables may make roles on PostgreSQL, or the roles are granted already. */
const LACKS_A_RIGHT = '42501'

const UNWRITABLE: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'a part of it is a file',
  EEXIST: 'it is a file',
}

/** As below /proc. Any other missing file is a bug. */
const NO_FOLDER = 'the file system allows no folder there'

const SQLITE: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: 'cannot be opened: this user needs to write the file and its folder',
  SQLITE_READONLY: 'cannot be written: this user needs to write the file and its folder',
  SQLITE_PERM: 'cannot be opened: this user needs to write the file and its folder',
  SQLITE_NOTADB: 'is not a database: name another one, or restore a backup into an empty folder',
  SQLITE_CORRUPT: 'is damaged: restore a backup into an empty folder',
  SQLITE_FULL: 'cannot grow: the disk is full',
  SQLITE_IOERR: 'cannot be read or written: the disk fails or is full',
  SQLITE_BUSY: 'is locked by another program: stop that one first',
}

/**
 * @param settings Null while they are not read yet.
 * @returns What the operator can do about it; null for an error that is a bug.
 */
export function whyNotStarted(error: unknown, settings: Places | null): CannotStart | null {
  if (error instanceof BadSettings || error instanceof ForeignSchema) return null
  const because = (message: string) => new CannotStart(message, { cause: error })
  // It names the database, and what the cause means for it.
  if (error instanceof MigrationFailed) return because(error.message)
  for (const { code, path, syscall, message } of causes(error)) {
    const sqlite = SQLITE[code.replace(/^(SQLITE_[A-Z]+)_.*$/, '$1')]
    if (sqlite !== undefined)
      return because(`the database ${settings === null ? '' : fileOf(settings)} ${sqlite} (${code})`)
    if (code === LACKS_A_RIGHT && path === undefined) {
      return because(`DATABASE_URL: the user lacks a right in the database: ${message}`)
    }
    const unwritable = code === 'ENOENT' && syscall === 'mkdir' ? NO_FOLDER : UNWRITABLE[code]
    if (unwritable !== undefined && path !== undefined)
      return because(`${path} cannot be used: ${unwritable} (${code})`)
  }
  return null
}

const fileOf = ({ DATABASE_URL, DATA_DIR }: Places): string =>
  DATABASE_URL === null ? `in DATA_DIR ${DATA_DIR}` : DATABASE_URL.replace(/^sqlite:(\/\/(?=\/))?/, '')

interface Cause {
  readonly code: string
  readonly path: string | undefined
  readonly syscall: string | undefined
  readonly message: string
}

/** The error and what caused it, the outermost first. */
function causes(error: unknown): Cause[] {
  const found: Cause[] = []
  for (let at = error; at instanceof Error && found.length < 8; at = at.cause) {
    const { code, path, syscall, message } = at as NodeJS.ErrnoException
    if (typeof code === 'string') found.push({ code, path, syscall, message })
  }
  return found
}
