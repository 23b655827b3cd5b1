/** `POST /invitation/:id/resend`: a new token and a new expiry; the old link stops working. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { liveOrganization } from '../account/organizations.js'
import { startingRoles } from '../member/join.js'
import { withSeats } from '../organization/seats.js'
import { invitationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { checkCeiling, checkRemainingRoles, permissionsOf } from '../role/ceiling.js'
import { confirmGrant, GRANTS_MORE } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import { deliver, freshToken, inviterOf } from './deliver.js'
import { findInvitation, type InvitationRow, statusAt } from './record.js'
import { checkPendingRoom, liveAlready, releaseExpired } from './send.js'

const RESENDS_A_DAY = 5

export const resendInvitation = command({
  name: 'identity.invitation.resend',
  summary: 'Send an invitation again, with a new link',
  http: { method: 'post', ...invitationPath('/:id/resend') },
  access: withStepUpWhen(GRANTS_MORE, permission('invitations:manage')),
  tenant: fromHeader,
  acrossOrganizations: 'an expired invitation takes a seat of the account again',
  audit: ['invitation.resend'],
  secretOutput: true,
  rateLimit: 'invitations',
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({
    expiresAt: Instant,
    emailSent: Type.Boolean(),
    acceptUrl: Type.Optional(Type.String({ description: 'Shown once, when the server sends no e-mail' })),
  }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'RATE_LIMIT_EXCEEDED', 'SEAT_LIMIT'],
  async prepare(context, { path: { id } }) {
    const { authority } = context
    const orgId = tenantId(context)
    const granted = await context.read(async (db) => {
      const { role, roleIds } = await findInvitation(db, orgId, id)
      return [...(role === 'admin' ? ADMIN_PERMISSIONS : []), ...(await permissionsOf(db, orgId, roleIds))]
    })
    checkCeiling(authority, granted)
    await confirmGrant(context, 'identity.invitation.resend', granted)
    return null
  },
  async run(context, { path: { id } }) {
    const { tx, authority, runtime, nowMs } = context
    const { settings } = runtime
    const org = await liveOrganization(tx, tenantId(context))
    const fresh = freshToken(context)
    const expiresAtMs = nowMs + settings.INVITATION_EXPIRATION_DAYS * DAY_MS
    const row = await withSeats(tx, { rootOrgId: org.rootOrgId, settings, nowMs }, async () => {
      const found = await findInvitation(tx, org.id, id)
      // Sending it again grants again, so the sender needs every permission that the invitation grants.
      await startingRoles(tx, authority, org.id, { role: found.role as 'admin' | 'member', roleIds: [] })
      // guard: the-roles-of-an-invitation-that-is-sent-again
      await checkRemainingRoles(tx, authority, org.id, found.roleIds)
      const status = statusAt(found, nowMs)
      if (status !== 'pending' && status !== 'expired') {
        throw new Refusal('CONFLICT', `the invitation is ${status}: send a new one`)
      }
      if (status === 'expired') {
        await releaseExpired(tx, org.id, found.emailKey, nowMs)
        await checkPendingRoom(tx, org.id, nowMs)
        await refuseSecond(context, found)
      }
      const { invitations } = identityTables(tx)
      await tx
        .update(invitations)
        .set({
          status: 'pending',
          liveKey: found.emailKey,
          tokenHash: fresh.tokenHash,
          sentByMail: fresh.sentByMail,
          expiresAtMs,
          sentAtMs: nowMs,
          sendCount: found.sendCount + 1,
          ...countResend(found, nowMs),
        })
        .where(and(eq(invitations.id, found.id), eq(invitations.orgId, org.id)))
      return found
    })
    const inviter = await inviterOf(context, fresh, row.email)
    const sent = await deliver(context, fresh, { ...row, inviter, expiresAtMs, organization: org.displayName })
    await context.audit('invitation.resend', {
      targetType: 'invitation',
      targetId: row.id,
      details: { email: row.email },
    })
    return changed({ expiresAt: toIso(expiresAtMs), ...sent })
  },
})

/** Refuses when the address got another live invitation while this one was expired. */
async function refuseSecond({ tx }: Parameters<typeof resendInvitation.run>[0], found: InvitationRow): Promise<void> {
  const { invitations } = identityTables(tx)
  const live = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.orgId, found.orgId), eq(invitations.liveKey, found.emailKey)))
  if (live.length > 0) throw liveAlready()
}

function countResend(row: InvitationRow, nowMs: number): { resendDay: string; resendsOnDay: number } {
  const resendDay = toIso(nowMs).slice(0, 10)
  const before = row.resendDay === resendDay ? row.resendsOnDay : 0
  if (before >= RESENDS_A_DAY) {
    const seconds = Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000)
    throw new Refusal(
      'RATE_LIMIT_EXCEEDED',
      `an invitation can be sent again at most ${RESENDS_A_DAY} times a day: try again tomorrow`,
      {
        headers: { 'Retry-After': String(seconds) },
      },
    )
  }
  return { resendDay, resendsOnDay: before + 1 }
}
