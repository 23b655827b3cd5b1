/**
 * The accounts of the server, for system administrators. Nobody sets another person's password: a link lets the person do
 * it. Organizations manage memberships, never accounts (platform decisions 15.5).
 */
import { and, asc, desc, eq, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { mailLeaves, sendMail } from '../../runtime/mail/send.js'
import { FEATURES, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { containsText, equals } from '../../runtime/operation/filters.js'
import { command, noTenant, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { Email, foldKey, insertUser, Username, type UserRow } from '../auth/insert-user.js'
import { dropOneTimeTokens, issueOneTimeToken } from '../credential/one-time-tokens.js'
import { appUrl } from '../links.js'
import { emailChangedByOperatorMail, resetPasswordMail } from '../mail/templates.js'
import { removeAccount } from '../me/remove-account.js'
import { endAccessTokens, keepLastHolder } from '../member/privilege.js'
import { lockOrganizations } from '../organization/account.js'
import { withSeats } from '../organization/seats.js'
import { pageFields, pageOf, paginated, pagination, sortFields } from '../paging.js'
import { builtInRoleId } from '../role/built-in.js'
import { revokePersonalTokens, revokeSessions } from '../session/revoke.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import {
  findUser,
  membershipsOf,
  SERVER_OWNED,
  superAdminsAmong,
  UserRecord,
  UserWithMemberships,
  userRecord,
} from './record.js'

const onUser = Type.Object({ id: Type.String() })

export const listUsers = query({
  name: 'identity.user.list',
  summary: 'List the accounts of the server',
  http: { method: 'get', path: '/admin/users' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: {
    query: Type.Object({
      ...pageFields,
      ...sortFields(['createdAt', 'username', 'email', 'lastActiveAt']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      isActive: Type.Optional(Type.Boolean()),
    }),
  },
  output: paginated('users', UserRecord),
  errors: [],
  async run({ db, runtime }, { query: wanted }) {
    const { users } = identityTables(db)
    const page = pageOf(wanted, runtime.settings)
    const conditions: (SQL | undefined)[] = [
      equals(users.isActive, wanted.isActive),
      wanted.search === undefined
        ? undefined
        : or(containsText(users.usernameKey, wanted.search), containsText(users.emailKey, wanted.search)),
    ]
    const columns = {
      createdAt: users.createdAtMs,
      username: users.usernameKey,
      email: users.emailKey,
      lastActiveAt: users.lastActiveAtMs,
    }
    const direction = wanted.sortOrder === 'asc' ? asc : desc
    const rows = await db
      .select()
      .from(users)
      .where(and(...conditions))
      .orderBy(direction(columns[wanted.sortBy ?? 'createdAt']), direction(users.id))
      .limit(page.limit)
      .offset(page.offset)
    const admins = await superAdminsAmong(
      db,
      rows.map(({ id }) => id),
    )
    const total = await db.$count(users, and(...conditions))
    return {
      users: rows.map((row) => userRecord(row, admins.has(row.id))),
      pagination: pagination(page, total, rows.length),
    }
  },
})

export const getUser = query({
  name: 'identity.user.get',
  summary: 'Read an account with its memberships',
  http: { method: 'get', path: '/admin/users/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { path: onUser },
  output: strictObject({ user: UserWithMemberships }),
  errors: ['NOT_FOUND'],
  async run({ db }, { path: { id } }) {
    const row = await findUser(db, id)
    const isSuperAdmin = (await superAdminsAmong(db, [id])).has(id)
    return { user: { ...userRecord(row, isSuperAdmin), memberships: await membershipsOf(db, id) } }
  },
})

/** A link to set a password: by e-mail, or, on a server without it, shown to the administrator once. */
async function inviteToSetPassword(
  context: WriteContext,
  user: Pick<UserRow, 'id' | 'email' | 'username'>,
): Promise<{ emailSent: boolean; resetUrl?: string }> {
  const { tx, runtime, nowMs } = context
  const isMailed = mailLeaves(runtime.settings)
  // A link that the administrator saw proves nothing about the mailbox.
  const email = isMailed ? user.email : null
  const token = await issueOneTimeToken(tx, 'reset-password', { userId: user.id, email, nowMs })
  const link = `${appUrl(runtime)}/reset-password?token=${token}`
  await sendMail(context, user.email, resetPasswordMail, { username: user.username, link, at: toIso(nowMs) })
  return isMailed ? { emailSent: true } : { emailSent: false, resetUrl: link }
}

const Sent = {
  emailSent: Type.Boolean(),
  resetUrl: Type.Optional(Type.String({ description: 'Shown once, where the server has no e-mail' })),
}

export const createUser = command({
  name: 'identity.user.create',
  summary: 'Create an account; the person sets its password by a link',
  http: { method: 'post', path: '/admin/users', status: 201 },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['admin.user.create'],
  idempotent: true,
  secretOutput: true,
  input: { body: strictObject({ username: Username, email: Email }) },
  output: strictObject({ user: UserRecord, ...Sent }),
  errors: ['DUPLICATE_ENTRY'],
  async run(context, { body }) {
    const row = await insertUser(context.tx, context.runtime, { ...body, passwordHash: null })
    const sent = await inviteToSetPassword(context, row)
    await context.audit('admin.user.create', { targetType: 'user', targetId: row.id, details: { name: row.username } })
    return changed({ user: userRecord(row, false), ...sent })
  },
})

export const resetUserPassword = command({
  name: 'identity.user.reset-password',
  summary: 'Send a person a link to set a new password',
  http: { method: 'post', path: '/admin/users/:id/reset-password', status: 202 },
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['admin.user.update'],
  secretOutput: true,
  input: { path: onUser },
  output: strictObject(Sent),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const row = await findUser(context.tx, id)
    const sent = await inviteToSetPassword(context, row)
    await context.audit('admin.user.update', {
      targetType: 'user',
      targetId: id,
      details: { reason: 'a link to set a new password' },
    })
    return changed(sent)
  },
})

export const updateUser = command({
  name: 'identity.user.update',
  summary: 'Change, deactivate or activate an account',
  http: { method: 'put', path: '/admin/users/:id' },
  // Deactivating is among the actions that need a fresh confirmation of identity (platform decisions 4.6).
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
    // Another address has to be verified anew, or it would give its holder what the old one was trusted with.
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

/** No link that was sent to the former address works any more, and the sessions end. It is told where it was proved. */
async function leaveAddress(context: WriteContext, before: UserRow, { email }: UserRow): Promise<void> {
  const { tx } = context
  for (const kind of ['reset-password', 'verify-email', 'restore-email'] as const) {
    await dropOneTimeTokens(tx, kind, before.id)
  }
  await revokeSessions(context, before.id)
  if (before.emailVerifiedAtMs === null) return
  await sendMail(context, before.email, emailChangedByOperatorMail, { username: before.username, email })
}

async function writeUser({ tx }: WriteContext, next: UserRow): Promise<void> {
  const { users } = identityTables(tx)
  try {
    // The version of the tokens is counted up by its own statement.
    const { tokenVersion: _, ...values } = next
    await tx.update(users).set(values).where(eq(users.id, next.id))
  } catch (error) {
    const broken = brokenUniqueConstraint(error)
    if (broken === null) throw error
    const field = broken.constraint.includes('email') ? 'email' : 'username'
    throw new Refusal('DUPLICATE_ENTRY', `the ${field} is taken`, { details: { field }, cause: error })
  }
}

/** What activating and deactivating look at, locked before the person's own row. */
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

/** An account that comes back takes its seats in every account of organizations that it is active in. */
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

export const deleteUser = command({
  name: 'identity.user.delete',
  summary: 'Delete an account',
  http: { method: 'delete', path: '/admin/users/:id', status: 204 },
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['admin.user.delete'],
  input: { path: onUser },
  output: null,
  errors: ['LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED'],
  async run(context, { path: { id } }) {
    const row = await findUser(context.tx, id)
    context.checkRevision(row.revision)
    await removeAccount(context, id)
    await context.audit('admin.user.delete', { targetType: 'user', targetId: id, details: { name: row.username } })
    return changed(null)
  },
})

export const setUserFeatures = command({
  name: 'identity.user.set-features',
  summary: 'Switch features on or off for one person',
  http: { method: 'put', path: '/admin/users/:id/features' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['admin.user.features.update'],
  input: {
    path: onUser,
    body: strictObject(Object.fromEntries(FEATURES.map((name) => [name, Type.Optional(nullable(Type.Boolean()))])), {
      minProperties: 1,
    }),
  },
  output: strictObject({ id: Uuid, features: Type.Record(Type.String(), Type.Boolean()) }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id }, body }) {
    const { tx, nowMs } = context
    await lockRow(tx, 'users', id)
    const row = await findUser(tx, id)
    const wanted = { ...row.featureOverrides, ...(body as Record<string, boolean | null>) }
    const features = Object.fromEntries(
      Object.entries(wanted)
        .filter((entry): entry is [string, boolean] => entry[1] !== null)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    if (JSON.stringify(features) === JSON.stringify(row.featureOverrides)) return unchanged({ id, features })
    const { users } = identityTables(tx)
    await tx
      .update(users)
      .set({ featureOverrides: features, revision: row.revision + 1, updatedAtMs: nowMs })
      .where(eq(users.id, id))
    dropStale(context, { userId: id })
    await context.audit('admin.user.features.update', { targetType: 'user', targetId: id, details: { features } })
    return changed({ id, features })
  },
})
