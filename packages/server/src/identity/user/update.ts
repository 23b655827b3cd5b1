/** Change, deactivate or activate an account. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { sendMail } from '../../runtime/mail/send.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { lockOrganizations } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { dropOneTimeTokens } from '../credential/one-time-tokens.js'
import { emailChangedByOperatorMail } from '../mail/templates.js'
import { endAccessTokens, keepLastHolder } from '../membership/privilege.js'
import { Email, foldKey, Username, type UserRow } from '../new-user.js'
import { withSeats } from '../organization/seats.js'
import { builtInRoleId } from '../role/built-in.js'
import { revokePersonalTokens, revokeSessions } from '../session/end.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { onUser } from './invite.js'
import { findUser, membershipsOf, SERVER_OWNED, superAdminsAmong, UserRecord, userRecord } from './record.js'

export const updateUser = command({
  name: 'identity.user.update',
  summary: 'Change, deactivate or activate an account',
  http: { method: 'put', path: '/admin/users/:id' },
  // Deactivating is among the actions that need a step-up (spec platform 4.6).
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['admin.user.update'],
  serverOwned: [...SERVER_OWNED, 'memberships'],
  input: {
    path: onUser,
    body: strictObject(
      { username: Type.Optional(Username), email: Type.Optional(Email), isActive: Type.Optional(Type.Boolean()) },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ user: UserRecord }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'SEAT_LIMIT'],
  async run(context, { path: { id }, body }) {
    const { tx, nowMs } = context
    if (body.isActive !== undefined) await lockOrganizationsFor(tx, id, body.isActive)
    await lockRow(tx, 'users', id)
    const row = await findUser(tx, id)
    context.checkRevision(row.revision)
    const isSuperAdmin = (await superAdminsAmong(tx, [id])).has(id)
    context.checkServerOwned({ ...userRecord(row, isSuperAdmin), memberships: await membershipsOf(tx, id) })
    const next: UserRow = {
      ...row,
      username: body.username ?? row.username,
      usernameKey: foldKey(body.username ?? row.username),
      email: body.email ?? row.email,
      emailKey: foldKey(body.email ?? row.email),
      isActive: body.isActive ?? row.isActive,
    }
    const fields = (['username', 'email', 'isActive'] as const).filter((name) => next[name] !== row[name])
    if (fields.length === 0) return unchanged({ user: userRecord(row, isSuperAdmin) })
    // A new address has to be verified again; otherwise its holder would inherit the trust in the old one.
    if (next.emailKey !== row.emailKey)
      Object.assign(next, { emailVerifiedAtMs: null, pendingEmail: null, pendingSessionId: null })
    Object.assign(next, { revision: row.revision + 1, updatedAtMs: nowMs })
    const write = () => writeUser(context, next)
    if (fields.includes('isActive')) {
      if (next.isActive) await withAllSeats(context, id, write)
      else await deactivate(context, id, isSuperAdmin, write)
    } else {
      await write()
    }
    if (fields.includes('email')) await leaveAddress(context, row, next)
    if (fields.includes('isActive') || fields.includes('email')) await endAccessTokens(context, [id])
    else dropStale(context, { userId: id })
    await context.audit('admin.user.update', { targetType: 'user', targetId: id, details: { changed: fields } })
    return changed({ user: userRecord(next, isSuperAdmin) })
  },
})

/** Ends every link that the person has, and the sessions. Notifies that address if it was proved. */
async function leaveAddress(context: WriteContext, before: UserRow, { email }: UserRow): Promise<void> {
  const { tx } = context
  for (const kind of ['reset-password', 'verify-email', 'restore-email', 'sign-in'] as const) {
    await dropOneTimeTokens(tx, kind, before.id)
  }
  await revokeSessions(context, before.id)
  if (before.emailVerifiedAtMs === null) return
  await sendMail(context, before.email, emailChangedByOperatorMail, { username: before.username, email })
}

async function writeUser({ tx }: WriteContext, next: UserRow): Promise<void> {
  const { users } = identityTables(tx)
  try {
    // A separate statement increments the token version.
    const { tokenVersion: _, ...values } = next
    await tx.update(users).set(values).where(eq(users.id, next.id))
  } catch (error) {
    const broken = brokenUniqueConstraint(error)
    if (broken === null) throw error
    const field = broken.constraint.includes('email') ? 'email' : 'username'
    throw new Refusal('DUPLICATE_ENTRY', `the ${field} is taken`, { details: { field }, cause: error })
  }
}

/** Locks the organizations that activating and deactivating check, before the person's own row. */
async function lockOrganizationsFor(tx: Tx, userId: string, isActive: boolean): Promise<void> {
  await lockOrganizations(tx, isActive ? await activeRoots(tx, userId) : [SYSTEM_ORG_ID])
}

/** The roots of the accounts that the person is active in. */
async function activeRoots(tx: Tx, userId: string): Promise<string[]> {
  const { memberships, organizations } = identityTables(tx)
  const rows = await tx
    .select({ rootOrgId: organizations.rootOrgId })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true)))
  return [...new Set(rows.map(({ rootOrgId }) => rootOrgId))].sort()
}

/** A reactivated account uses a seat in every account where the person is active. */
async function withAllSeats(context: WriteContext, userId: string, write: () => Promise<void>): Promise<void> {
  const { tx, runtime, nowMs } = context
  const nested = (await activeRoots(tx, userId)).reduceRight<() => Promise<void>>(
    (inner, rootOrgId) => () => withSeats(tx, { rootOrgId, settings: runtime.settings, nowMs }, inner),
    write,
  )
  await nested()
}

async function deactivate(
  context: WriteContext,
  userId: string,
  isSuperAdmin: boolean,
  write: () => Promise<void>,
): Promise<void> {
  const { tx } = context
  if (userId === actingUser(context)) throw new Refusal('CONFLICT', 'you cannot deactivate your own account')
  if (isSuperAdmin) {
    await keepLastHolder(tx, SYSTEM_ORG_ID, await builtInRoleId(tx, SYSTEM_ORG_ID, 'Super Admin'), userId)
  }
  await write()
  await revokeSessions(context, userId)
  await revokePersonalTokens(context, userId, 'all')
}
