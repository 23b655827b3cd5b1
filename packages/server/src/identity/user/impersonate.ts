/**
 * `POST /admin/impersonate/:userId`: a token valid for 15 minutes that names the impersonator. Another system
 * administrator cannot be impersonated.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { sendMail } from '../../runtime/mail/send.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { actingUser } from '../actor.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { impersonatedMail } from './mail.js'
import { findUser, superAdminsAmong } from './record.js'

/** The organizations that the person is active in; the system organization when there is none. */
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

export const impersonateUser = command({
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
    if (userId === impersonatorId) throw new Refusal('CONFLICT', 'you are already signed in as this person')
    if (!user.isActive) throw new Refusal('CONFLICT', 'the account is deactivated: activate it first')
    // guard: nobody-acts-as-a-system-administrator
    if ((await superAdminsAmong(tx, [userId])).has(userId)) {
      throw new Refusal('CONFLICT', 'you cannot act as a system administrator')
    }
    const readOnly = body.readOnly ?? true
    const accessToken = await identityOf(context).tokens.sign(
      'access',
      {
        sub: userId,
        typ: 'access',
        // Bound to the administrator's own session, so that signing out ends both.
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
    // Each organization that the token can read gets an audit event.
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
