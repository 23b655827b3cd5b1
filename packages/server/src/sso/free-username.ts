/** A user name for a person who signs in with a provider for the first time. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { identityTables } from '../identity/tables.js'
import type { Tx } from '../runtime/store/db.js'

/** The part of the address before the `@`, reduced to what a user name allows; with a number if it is taken. */
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
