/** Grants and revokes Super Admin, and lets a system administrator look at the server as somebody else does. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { sendMail } from '../../runtime/mail/send.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { type AuditEntry, changed, type Runtime, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { grantSuperAdmin } from '../auth/bootstrap.js'
import type { UserRow } from '../auth/insert-user.js'
import { deleteMembership } from '../member/delete.js'
import { keepLastHolder } from '../member/privilege.js'
import { builtInRoleId } from '../role/built-in.js'
import { takeRole } from '../role/give.js'
import { identityOf } from '../services.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { impersonatedMail } from './mail.js'
import { findUser, superAdminsAmong } from './record.js'

const onUser = Type.Object({ id: Type.String() })

/** What granting and revoking have in common. */
const onSuperAdmin = {
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  input: { path: onUser },
  output: strictObject({ id: Uuid, isSuperAdmin: Type.Boolean() }),
} as const

const inEvidence = ({ id, username }: UserRow): AuditEntry => ({
  affectedOrgId: SYSTEM_ORG_ID,
  targetType: 'user',
  targetId: id,
  details: { name: username },
})

export const grantSuperAdminTo = command({
  name: 'identity.super-admin.grant',
  summary: 'Make a person a system administrator',
  http: { method: 'post', path: '/admin/users/:id/superadmin' },
  ...onSuperAdmin,
  audit: ['admin.superadmin.grant'],
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, runtime } = context
    await lockRow(tx, 'organizations', SYSTEM_ORG_ID)
    const user = await findUser(tx, id)
    if ((await superAdminsAmong(tx, [id])).has(id)) return unchanged({ id, isSuperAdmin: true })
    if (!user.isActive) throw new Refusal('CONFLICT', 'the account is deactivated')
    if (user.emailVerifiedAtMs === null)
      throw new Refusal('CONFLICT', 'the e-mail address of the account is not verified')
    await grantSuperAdmin(tx, runtime, id)
    dropStale(context, { userId: id })
    await context.audit('admin.superadmin.grant', inEvidence(user))
    return changed({ id, isSuperAdmin: true })
  },
})

export const revokeSuperAdminFrom = command({
  name: 'identity.super-admin.revoke',
  summary: 'Take system administration from a person',
  http: { method: 'delete', path: '/admin/users/:id/superadmin' },
  ...onSuperAdmin,
  audit: ['admin.superadmin.revoke'],
  errors: ['LAST_PRIVILEGED_MEMBER', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    await lockRow(tx, 'organizations', SYSTEM_ORG_ID)
    const user = await findUser(tx, id)
    if (!(await revokeSuperAdmin(context, id))) return unchanged({ id, isSuperAdmin: false })
    await context.audit('admin.superadmin.revoke', inEvidence(user))
    return changed({ id, isSuperAdmin: false })
  },
})

/**
 * The caller holds the lock of the system organization.
 * @returns false when the person was none.
 * @throws Refusal `LAST_PRIVILEGED_MEMBER`.
 */
async function revokeSuperAdmin(context: { tx: Tx; runtime: Runtime }, userId: string): Promise<boolean> {
  const { tx } = context
  const roleId = await builtInRoleId(tx, SYSTEM_ORG_ID, 'Super Admin')
  if (!(await takeRole(tx, { orgId: SYSTEM_ORG_ID, roleId, userId }))) return false
  await keepLastHolder(tx, SYSTEM_ORG_ID, roleId, userId)
  const { roleAssignments } = identityTables(tx)
  const rest = await tx.$count(
    roleAssignments,
    and(eq(roleAssignments.orgId, SYSTEM_ORG_ID), eq(roleAssignments.userId, userId)),
  )
  // A member of the system organization without a Role would still see who is in it.
  if (rest === 0) await deleteMembership(tx, SYSTEM_ORG_ID, userId)
  dropStale(context, { userId })
  return true
}

/** The organizations that the person is active in; the system's where there is none. */
async function activeOrgIds(tx: Tx, userId: string): Promise<string[]> {
  const { memberships } = identityTables(tx)
  const rows = await tx
    .select({ orgId: memberships.orgId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true)))
    .orderBy(memberships.orgId)
  return rows.length === 0 ? [SYSTEM_ORG_ID] : rows.map(({ orgId }) => orgId)
}

const IMPERSONATION_SECONDS = 900

/** `POST /admin/impersonate/:userId`: a token of 15 minutes that says who really acts. Never as another system administrator. */
export const impersonate = command({
  name: 'identity.user.impersonate',
  summary: 'Act as another person for 15 minutes',
  http: { method: 'post', path: '/admin/impersonate/:userId' },
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['admin.impersonate.start'],
  secretOutput: true,
  input: {
    path: Type.Object({ userId: Type.String() }),
    body: strictObject({
      reason: Type.String({ minLength: 10, maxLength: 500 }),
      readOnly: Type.Optional(Type.Boolean()),
    }),
  },
  output: strictObject({
    accessToken: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer(),
    expiresAt: Instant,
    readOnly: Type.Boolean(),
  }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { userId }, body }) {
    const { tx, runtime, principal, nowMs } = context
    const impersonatorId = actingUser(context)
    const user = await findUser(tx, userId)
    if (userId === impersonatorId) throw new Refusal('CONFLICT', 'you are this person already')
    if (!user.isActive) throw new Refusal('CONFLICT', 'the account is deactivated')
    if ((await superAdminsAmong(tx, [userId])).has(userId)) {
      throw new Refusal('CONFLICT', 'nobody acts as a system administrator')
    }
    const readOnly = body.readOnly ?? true
    const accessToken = await identityOf(context).tokens.sign(
      'access',
      {
        sub: userId,
        typ: 'access',
        // Bound to the administrator's own session: signing out ends both.
        ...(principal.kind === 'user' && principal.sessionId !== null ? { sid: principal.sessionId } : {}),
        ...(user.activeOrgId === null ? {} : { org: user.activeOrgId }),
        tv: user.tokenVersion,
        imp: impersonatorId,
        ro: readOnly,
      },
      IMPERSONATION_SECONDS,
    )
    if (runtime.settings.IMPERSONATION_NOTIFY) {
      await sendMail(context, user.email, impersonatedMail, {
        username: user.username,
        at: toIso(nowMs),
        reason: body.reason,
      })
    }
    const groupId = runtime.ids.next()
    // Each organization whose rows the token opens sees that it was made.
    for (const affectedOrgId of await activeOrgIds(tx, userId)) {
      await context.audit('admin.impersonate.start', {
        affectedOrgId,
        groupId,
        targetType: 'user',
        targetId: userId,
        details: { reason: body.reason, readOnly },
      })
    }
    return changed({
      accessToken,
      tokenType: 'Bearer' as const,
      expiresIn: IMPERSONATION_SECONDS,
      expiresAt: toIso(nowMs + IMPERSONATION_SECONDS * 1000),
      readOnly,
    })
  },
})
