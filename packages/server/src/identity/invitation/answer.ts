/**
 * The invited person's side: look, accept with an account, accept with a new one, decline. The token is the proof that the
 * invitation reached somebody; that it reached the right person is proved by the verified e-mail address.
 */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { insufficient, invalid, notFound, Refusal } from '../../runtime/errors.js'
import { anyone, signedIn } from '../../runtime/operation/access.js'
import { changed, type ReadContext, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertUser, Password, Username } from '../auth/insert-user.js'
import { sessionOf } from '../authenticator.js'
import { passwordIssues } from '../credential/password-policy.js'
import { join } from '../member/add.js'
import { checkActiveAbove, findMembership } from '../member/find.js'
import { findOrganization, type OrganizationRow } from '../organization/insert.js'
import { withSeats } from '../organization/seats.js'
import { invitationPath } from '../paths.js'
import { builtInRoleId } from '../role/built-in.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { checkPending, INVITATION_TYPES, type InvitationRow, invitationOf, STATUSES, statusAt } from './record.js'

const Token = Type.String({ minLength: 1, maxLength: 200 })

/** `ada.lovelace@example.com` → `a***@example.com`. */
const masked = (email: string): string => `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`

/** The invitation and its organization, which is still there. */
async function opened(db: Db, token: string): Promise<{ row: InvitationRow; org: OrganizationRow }> {
  const row = await invitationOf(db, token)
  const org = await findOrganization(db, row.orgId)
  const root = org === null || org.rootOrgId === org.id ? org : await findOrganization(db, org.rootOrgId)
  if (org === null || org.deletedAtMs !== null || root === null || root.deletedAtMs !== null) {
    throw notFound('Invitation')
  }
  return { row, org }
}

/** `GET /invitation/:token`: what the page behind the link shows, in every state. */
export const viewInvitation = query({
  name: 'identity.invitation.view',
  summary: 'Read an invitation by its token',
  // The parameter has the name that it has in the other routes of this shape: to OpenAPI they are one path.
  http: { method: 'get', ...invitationPath('/:id') },
  access: anyone(),
  tenant: noTenant,
  secretPath: ['id'],
  rateLimit: 'auth',
  input: { path: Type.Object({ id: Type.String({ description: 'The token of the link' }) }) },
  output: strictObject({
    organization: strictObject({ name: Type.String() }),
    role: Type.Enum(['admin', 'member']),
    email: Type.String(),
    status: Type.Enum([...STATUSES]),
    expiresAt: Instant,
    invitationType: Type.Enum([...INVITATION_TYPES]),
  }),
  errors: ['NOT_FOUND'],
  async run({ db, nowMs }: ReadContext, { path: { id } }) {
    const { row, org } = await opened(db, id)
    return {
      organization: { name: org.displayName },
      role: row.role as 'admin' | 'member',
      email: masked(row.email),
      status: statusAt(row, nowMs),
      expiresAt: toIso(row.expiresAtMs),
      invitationType: row.invitationType as (typeof INVITATION_TYPES)[number],
    }
  },
})

/** Writes the membership and uses the invitation up, under the account's lock; its own seat becomes the member's. */
async function useInvitation(
  context: WriteContext,
  token: string,
  userOf: (row: InvitationRow) => Promise<string>,
): Promise<{ row: InvitationRow; org: OrganizationRow; userId: string }> {
  const { tx, runtime, nowMs } = context
  const { org } = await opened(tx, token)
  return withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, async () => {
    const { row } = await opened(tx, token)
    checkPending(row, nowMs)
    const userId = await userOf(row)
    await checkActiveAbove(tx, org, userId)
    const existing = await findMembership(tx, org.id, userId)
    if (existing === null) await join(context, { orgId: org.id, userId, roleIds: await rolesOf(tx, row) })
    else if (!existing.isActive) {
      throw new Refusal('CONFLICT', 'your membership is deactivated: ask an administrator to activate it')
    }
    const { invitations } = identityTables(tx)
    // The status stands in the condition: of an acceptance and a refusal at once, one wins.
    const used = await tx
      .update(invitations)
      .set({ status: 'accepted', liveKey: null, acceptedAtMs: nowMs, acceptedBy: userId, acceptedVia: 'email' })
      .where(and(eq(invitations.id, row.id), eq(invitations.status, 'pending')))
      .returning({ id: invitations.id })
    if (used.length === 0) throw new Refusal('INVITATION_DECLINED', 'the invitation was answered already')
    return { row, org, userId }
  })
}

/** The built-in Roles of the level, and those of the invited ones that still are. */
async function rolesOf(tx: Tx, row: InvitationRow): Promise<string[]> {
  const ids = [await builtInRoleId(tx, row.orgId, 'Member')]
  if (row.role === 'admin') ids.push(await builtInRoleId(tx, row.orgId, 'Admin'))
  if (row.roleIds.length === 0) return ids
  const { roles } = identityTables(tx)
  const live = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.orgId, row.orgId), inArray(roles.id, row.roleIds)))
  return [...ids, ...live.map(({ id }) => id)]
}

const Joined = strictObject({
  organization: strictObject({ id: Uuid, name: Type.String(), slug: Type.String() }),
  membership: strictObject({ userId: Uuid, role: Type.Enum(['admin', 'member']) }),
})

const joined = ({ row, org, userId }: { row: InvitationRow; org: OrganizationRow; userId: string }) => ({
  organization: { id: org.id, name: org.name, slug: org.slug },
  membership: { userId, role: row.role as 'admin' | 'member' },
})

const GONE = [
  'INVITATION_ACCEPTED',
  'INVITATION_DECLINED',
  'INVITATION_EXPIRED',
  'INVITATION_REVOKED',
  'NOT_FOUND',
] as const

/** `POST /invitation/accept`: the same person accepting twice is no error. */
export const acceptInvitation = command({
  name: 'identity.invitation.accept',
  summary: 'Accept an invitation with the account that is signed in',
  http: { method: 'post', ...invitationPath('/accept') },
  access: signedIn(),
  tenant: noTenant,
  audit: ['invitation.accept'],
  input: { body: strictObject({ token: Token }) },
  output: Joined,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'SEAT_LIMIT', ...GONE],
  async run(context, { body: { token } }) {
    const { tx } = context
    // A personal access token is bound to one organization; it does not join another.
    const { userId } = sessionOf(context.principal)
    const before = await opened(tx, token)
    await checkAddress(tx, before.row, userId)
    if (before.row.status === 'accepted' && before.row.acceptedBy === userId) {
      return unchanged(joined({ ...before, userId }))
    }
    const done = await useInvitation(context, token, async () => userId)
    await context.audit('invitation.accept', {
      orgId: done.org.id,
      targetType: 'invitation',
      targetId: done.row.id,
      details: { email: done.row.email, role: done.row.role },
    })
    return changed(joined(done))
  },
})

/** @throws Refusal 403 unless the person has proved that the invited address is theirs. */
async function checkAddress(db: Db, row: InvitationRow, userId: string): Promise<void> {
  const { users } = identityTables(db)
  const [user] = await db
    .select({ emailKey: users.emailKey, verifiedAtMs: users.emailVerifiedAtMs })
    .from(users)
    .where(eq(users.id, userId))
  if (user?.emailKey !== row.emailKey) {
    throw insufficient('permission', 'the invitation is for another e-mail address: sign in with that account')
  }
  if (user.verifiedAtMs === null) {
    throw insufficient('permission', 'verify your e-mail address first: the invitation is for its owner')
  }
}

/** `POST /invitation/accept-new`: registers and joins in one step; no organization of the person's own is made. */
export const acceptInvitationNew = command({
  name: 'identity.invitation.accept-new',
  summary: 'Accept an invitation with a new account',
  http: { method: 'post', ...invitationPath('/accept-new'), status: 201 },
  access: anyone(),
  tenant: noTenant,
  audit: ['user.register', 'invitation.accept'],
  rateLimit: 'auth',
  input: { body: strictObject({ token: Token, username: Username, password: Password }) },
  output: strictObject({
    user: strictObject({ id: Uuid, username: Type.String(), email: Type.String(), isEmailVerified: Type.Boolean() }),
    ...Joined.properties,
  }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'REGISTRATION_CLOSED', 'SEAT_LIMIT', 'SERVICE_UNAVAILABLE', ...GONE],
  async prepare(context, { body: { token, username, password } }) {
    const { settings } = context.runtime
    if (settings.REGISTRATION === 'closed') throw new Refusal('REGISTRATION_CLOSED', 'new accounts are not open here')
    // Looked at before the costly hash, and again in the transaction.
    const { row } = await context.read((db) => opened(db, token))
    checkPending(row, context.nowMs)
    const owner = { username, email: row.email }
    const issues = passwordIssues(password, owner, settings.PASSWORD_MIN_LENGTH, '/body/password')
    if (issues.length > 0) throw invalid(issues)
    return {
      passwordHash: await identityOf(context).passwords.hash(password, { ip: context.request.ip, isKnown: true }),
    }
  },
  async run(context, { body: { token, username } }, { passwordHash }) {
    const { tx, runtime } = context
    let account: Awaited<ReturnType<typeof insertUser>> | undefined
    const done = await useInvitation(context, token, async ({ email, sentByMail }) => {
      // A link that the inviter saw proves nothing about the mailbox.
      account = await insertUser(tx, runtime, {
        username,
        email,
        passwordHash,
        isEmailVerified: sentByMail,
        isPasswordProved: sentByMail,
      })
      return account.id
    })
    if (account === undefined) throw new Error('the invitation was used without an account')
    const { users } = identityTables(tx)
    await tx.update(users).set({ activeOrgId: done.org.id }).where(eq(users.id, account.id))
    const by = {
      actor: { id: account.id, email: account.email, role: done.row.role, impersonatorId: null },
      orgId: done.org.id,
    }
    await context.audit('user.register', {
      ...by,
      targetType: 'user',
      targetId: account.id,
      details: { name: account.username, email: account.email },
    })
    await context.audit('invitation.accept', {
      ...by,
      targetType: 'invitation',
      targetId: done.row.id,
      details: { email: done.row.email, role: done.row.role },
    })
    const user = {
      id: account.id,
      username: account.username,
      email: account.email,
      isEmailVerified: account.emailVerifiedAtMs !== null,
    }
    return changed({ user, ...joined(done) })
  },
})

/** `POST /invitation/decline`: whoever has the link may decline it. */
export const declineInvitation = command({
  name: 'identity.invitation.decline',
  summary: 'Decline an invitation',
  http: { method: 'post', ...invitationPath('/decline'), status: 204 },
  access: anyone(),
  tenant: noTenant,
  audit: ['invitation.decline'],
  rateLimit: 'auth',
  input: { body: strictObject({ token: Token }) },
  output: null,
  errors: [...GONE],
  async run(context, { body: { token } }) {
    const { tx, nowMs } = context
    const { row, org } = await opened(tx, token)
    checkPending(row, nowMs)
    const { invitations } = identityTables(tx)
    // The status stands in the condition: of an acceptance and a refusal at once, one wins.
    const declined = await tx
      .update(invitations)
      .set({ status: 'declined', liveKey: null })
      .where(
        and(eq(invitations.id, row.id), eq(invitations.status, 'pending'), eq(invitations.tokenHash, row.tokenHash)),
      )
      .returning({ id: invitations.id })
    if (declined.length === 0) throw new Refusal('INVITATION_ACCEPTED', 'the invitation was answered already')
    await context.audit('invitation.decline', { orgId: org.id, targetType: 'invitation', targetId: row.id })
    return changed(null)
  },
})
