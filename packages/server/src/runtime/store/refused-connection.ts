/**
 * Why a connection to PostgreSQL failed, and what to do. The text contains the host of the address, and neither the
 * user nor the password.
 */

const UNREACHABLE: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENOENT'],
])
/** By SQLSTATE. */
const REFUSALS: Readonly<Record<string, (database: string) => string>> = {
  '28P01': () => 'the user or its password is wrong',
  '28000': () => 'the user does not exist, or cannot sign in from here (pg_hba.conf)',
  '3D000': (database) => `there is no database ${database}: create it with CREATE DATABASE`,
  '53300': () => 'it accepts no more connections: increase max_connections, or lower DATABASE_POOL_MAX',
  '57P03': () => 'it is starting or stopping: try again',
}

/** @returns such as `cannot be reached at db:5432 (ECONNREFUSED): start it, or correct the address`. */
export function refusedConnection(error: unknown, url: string): string {
  const { code = 'no answer' } = error as NodeJS.ErrnoException
  const { host, database } = placeOf(url)
  const refusal = REFUSALS[code]?.(database)
  if (refusal !== undefined) return `cannot be used at ${host} (${code}): ${refusal}`
  const advice = UNREACHABLE.has(code) ? ': start it, or correct the address' : ''
  return `cannot be reached at ${host} (${code})${advice}`
}

/** Host and database of the address, as messages name them. */
export function placeOf(url: string): { host: string; database: string } {
  try {
    const { host, pathname, searchParams } = new URL(url)
    return { host: host || searchParams.get('host') || 'localhost', database: decodeURIComponent(pathname.slice(1)) }
  } catch {
    return { host: 'its address', database: 'of that name' }
  }
}
