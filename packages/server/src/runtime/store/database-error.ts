/** What a driver's error means to us; drivers' texts never go further than the log. */
import { Refusal } from '../errors.js'

type DriverError = Error & { code?: string; constraint?: string }

/** The error and what caused it: drizzle wraps what the driver threw. */
function* causes(error: unknown): Generator<DriverError> {
  for (let at: unknown = error; at instanceof Error; at = at.cause) yield at
}

/** The columns of the unique constraint that a write broke, as `table.column` names, or null for another error. */
export function brokenUniqueConstraint(error: unknown): { readonly constraint: string } | null {
  for (const { code, constraint, message } of causes(error)) {
    if (code === '23505') return { constraint: constraint ?? '' }
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
      return { constraint: message.replace(/^UNIQUE constraint failed: (index ')?/, '').replace(/'$/, '') }
    }
  }
  return null
}

/** A conflict between transactions that running the whole transaction again resolves (PostgreSQL class 40). */
export function isSerializationFailure(error: unknown): boolean {
  for (const { code } of causes(error)) if (code === '40001' || code === '40P01') return true
  return false
}

/** The connection is gone, or the server is starting or going down: what was sent on it may be lost. */
export function isConnectionLoss(error: unknown): boolean {
  for (const { code, message } of causes(error)) {
    if (code !== undefined && /^(08...|57P0[1235]|25P03|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code)) {
      return true
    }
    if (/^(Connection terminated|Client (has encountered|was closed)|timeout expired)/.test(message)) return true
  }
  return false
}

/** A named statement is not what its name says on this connection: unknown there, there already, or planned for an older schema. */
export function isLostStatement(error: unknown): boolean {
  for (const { code, message } of causes(error)) {
    if (code === '26000' || code === '42P05' || (code === '0A000' && message.startsWith('cached plan'))) return true
  }
  return false
}

/** SQLite could not read or write its file: the disk is full, an I/O error, no memory, a file that is not a database. */
export function isStorageFailure(error: unknown): boolean {
  for (const { code } of causes(error)) {
    if (
      code !== undefined &&
      /^SQLITE_(FULL|IOERR|NOMEM|CORRUPT|NOTADB|READONLY|CANTOPEN|BUSY|PROTOCOL|PERM)/.test(code)
    ) {
      return true
    }
  }
  return false
}

/** 53: out of connections, memory or disk. 57014: statement timeout. 55P03: lock timeout. 58: the server's own I/O. */
const PG_EXHAUSTED = /^(53...|57014|55P03|58...)$/

/** The database cannot serve now; the same call may work later. */
export function isUnavailable(error: unknown): boolean {
  if (isStorageFailure(error) || isConnectionLoss(error)) return true
  for (const { code } of causes(error)) if (code !== undefined && PG_EXHAUSTED.test(code)) return true
  return false
}

export const unavailable = (message: string, cause: unknown): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '1' }, cause })

/** The refusal that the error is, or that drizzle has wrapped. */
export function refusalIn(error: unknown): Refusal | null {
  for (const each of causes(error)) if (each instanceof Refusal) return each
  return null
}

/** 503 in place of a driver's error that says so; every other error as it is. */
export function readError(error: unknown): unknown {
  const refusal = refusalIn(error)
  if (refusal !== null) return refusal
  if (!isUnavailable(error)) return error
  return unavailable('the database cannot be read now; try again', error)
}
