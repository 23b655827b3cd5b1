/** A user name for a person who came by a provider. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { identityTables } from '../../identity/tables.js'
import type { Tx } from '../../runtime/store/db.js'

/** The part before the `@`, as far as a user name may hold it; with a number where it is taken. */
export async function freeUsername(tx: Tx, email: string): Promise<string> {
  const { users } = identityTables(tx)
  const kept = email
    .slice(0, email.lastIndexOf('@'))
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[._-]+/, '')
  const base = (kept.length < 2 ? 'member' : kept).slice(0, 50)
  if ((await tx.$count(users, eq(users.usernameKey, base.toLowerCase()))) === 0) return base
  return `${base}-${randomBytes(5).toString('hex')}`
}
