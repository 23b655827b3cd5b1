/** What an error of a driver means to the server. The driver's own text is only logged. */
import { Refusal } from '../errors.js'

type DriverError = Error & { code?: string; constraint?: string }

/** The error and its causes, because drizzle wraps what the driver threw. */
function* causes(error: unknown): Generator<DriverError> {
  for (let at: unknown = error; at instanceof Error; at = at.cause) yield at
}

/**
 * Returns the columns of the unique constraint that a write violated, as `table.column` names, or null for another
 * error.
 */
export function brokenUniqueConstraint(error: unknown): { readonly constraint: string } | null {
  for (const { code, constraint, message } of causes(error)) {
    if (code === '23505') return { constraint: constraint ?? '' }
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
      return { constraint: message.replace(/^UNIQUE constraint failed: (index ')?/, '').replace(/'$/, '') }
    }
  }
  return null
}

/**
 * True for a conflict between transactions that can be resolved by running the whole transaction again (PostgreSQL
 * class 40).
 */
export function isSerializationFailure(error: unknown): boolean {
  for (const { code } of causes(error)) if (code === '40001' || code === '40P01') return true
  return false
}

/** True when the connection is lost, or the server is starting or stopping. What was sent on it may be lost. */
export function isConnectionLoss(error: unknown): boolean {
  for (const { code, message } of causes(error)) {
    if (code !== undefined && /^(08...|57P0[1235]|25P03|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code)) {
      return true
    }
    if (/^(Connection terminated|Client (has encountered|was closed)|timeout expired)/.test(message)) return true
  }
  return false
}

/**
 * True when a named statement does not match its name on this connection: it is unknown there, exists already, or was
 * planned for an older schema.
 */
export function isLostStatement(error: unknown): boolean {
  for (const { code, message } of causes(error)) {
    if (code === '26000' || code === '42P05' || (code === '0A000' && message.startsWith('cached plan'))) return true
  }
  return false
}

/**
 * True when SQLite could not read or write its file: a full disk, an I/O error, no memory, a file that is not a
 * database.
 */
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

/** True when the database is temporarily unavailable. The same call may work later. */
export function isUnavailable(error: unknown): boolean {
  if (isStorageFailure(error) || isConnectionLoss(error)) return true
  for (const { code } of causes(error)) if (code !== undefined && PG_EXHAUSTED.test(code)) return true
  return false
}

export const unavailable = (message: string, cause: unknown): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '1' }, cause })

/** Returns the refusal that the error is, or that drizzle wrapped. */
export function refusalIn(error: unknown): Refusal | null {
  for (const each of causes(error)) if (each instanceof Refusal) return each
  return null
}

/** Replaces a driver's error that means "unavailable" with 503. Every other error is returned unchanged. */
export function readError(error: unknown): unknown {
  const refusal = refusalIn(error)
  if (refusal !== null) return refusal
  if (!isUnavailable(error)) return error
  return unavailable('the database cannot be read now; try again', error)
}
