/** Creates accounts, for registration, an accepted invitation and the user administration. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../runtime/errors.js'
import type { Runtime } from '../runtime/operation/context.js'
import { nameKey } from '../runtime/operation/name.js'
import type { Tx } from '../runtime/store/db.js'
import { insertNew } from '../runtime/store/prepared.js'
import { identityTables } from './tables.js'

/** Without `@`, so that a user name is never mistaken for an e-mail address. */
export const Username = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  'x-says': 'must begin with a letter or a digit and can have only letters, digits, dots, underscores and hyphens',
  description: 'Letters, digits, dot, underscore and hyphen',
})
export const Email = Type.String({ format: 'email', maxLength: 254 })
/** The password policy checks more; this only bounds the input of the hash. */
export const Password = Type.String({ minLength: 1, maxLength: 256 })

/** The form in which user names and addresses are compared. */
export const foldKey = nameKey

export type UserRow = ReturnType<typeof identityTables>['users']['$inferSelect']

export interface NewUser {
  readonly username: string
  readonly email: string
  /** PHC string; null for an account without a password. */
  readonly passwordHash: string | null
  /** The password was set by a link that was sent to the address. */
  readonly isPasswordProved?: boolean
  /** The address is known to be the person's own. */
  readonly isEmailVerified?: boolean
  readonly mustChangePassword?: boolean
}

/** @throws Refusal `DUPLICATE_ENTRY` naming the field whose value is taken. */
export async function insertUser(tx: Tx, runtime: Pick<Runtime, 'clock' | 'ids'>, input: NewUser): Promise<UserRow> {
  const { users } = identityTables(tx)
  const nowMs = runtime.clock.now()
  const row: UserRow = {
    id: runtime.ids.next(),
    username: input.username,
    usernameKey: foldKey(input.username),
    email: input.email.trim(),
    emailKey: foldKey(input.email),
    pendingEmail: null,
    pendingSessionId: null,
    emailVerifiedAtMs: input.isEmailVerified ? nowMs : null,
    passwordHash: input.passwordHash,
    passwordProvedKey: input.isPasswordProved ? foldKey(input.email) : null,
    mustChangePassword: input.mustChangePassword ?? false,
    isActive: true,
    featureOverrides: {},
    tokenVersion: 1,
    activeOrgId: null,
    preferences: {},
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    lastActiveAtMs: null,
  }
  if (await insertNew(tx, users, row)) return row
  const [sameName] = await tx.select({ id: users.id }).from(users).where(eq(users.usernameKey, row.usernameKey))
  const field = sameName === undefined ? 'email' : 'username'
  throw new Refusal('DUPLICATE_ENTRY', `the ${field === 'email' ? 'e-mail address' : 'user name'} is taken`, {
    details: { field },
  })
}
