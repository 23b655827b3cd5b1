/**
 * Invites a person by e-mail. The address uses a seat until the invitation is accepted, declined, revoked or expired.
 */
import { and, eq, gt, lte } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { liveOrganization } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { confirmStart, Level, startingRoles } from '../member/join.js'
import { foldKey } from '../new-user.js'
import { withSeats } from '../organization/seats.js'
import { invitationPath } from '../paths.js'
import { GRANTS_MORE } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import { deliver, freshToken, inviterOf } from './deliver.js'
import { INVITATION_TYPES, InvitationRecord, type InvitationRow, invitationRecord } from './record.js'

const PENDING_MAX = 50

export const sendInvitation = command({
  name: 'identity.invitation.send',
  summary: 'Invite a person to the active organization',
  http: { method: 'post', ...invitationPath('/send'), status: 201 },
  access: withStepUpWhen(GRANTS_MORE, permission('invitations:manage')),
  tenant: fromHeader,
  acrossOrganizations: 'seats are counted over the teams of the account',
  audit: ['invitation.send'],
  idempotent: true,
  secretOutput: true,
  rateLimit: 'invitations',
  input: {
    body: strictObject({
      email: Type.String({ format: 'email', maxLength: 254 }),
      role: Type.Optional(Level),
      roleIds: Type.Optional(Type.Array(Uuid, { maxItems: 50 })),
      invitationType: Type.Optional(Type.Enum([...INVITATION_TYPES])),
      message: Type.Optional(Type.String({ maxLength: 500 })),
    }),
  },
  output: strictObject({
    invitation: InvitationRecord,
    emailSent: Type.Boolean(),
    acceptUrl: Type.Optional(Type.String({ description: 'Shown once, when the server sends no e-mail' })),
  }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SEAT_LIMIT', 'VALIDATION_ERROR'],
  prepare: (context, { body }) => confirmStart(context, 'identity.invitation.send', body),
  async run(context, { body }) {
    const { tx, authority, runtime, nowMs } = context
    const { settings } = runtime
    const org = await liveOrganization(tx, tenantId(context))
    const role = body.role ?? 'member'
    const roleIds = [...new Set(body.roleIds ?? [])]
    await startingRoles(tx, authority, org.id, { role, roleIds })
    const fresh = freshToken(context)
    const key = foldKey(body.email)
    const row: InvitationRow = {
      id: runtime.ids.next(),
      orgId: org.id,
      email: body.email.trim(),
      emailKey: key,
      liveKey: key,
      role,
      roleIds,
      message: body.message ?? '',
      status: 'pending',
      tokenHash: fresh.tokenHash,
      invitationType: body.invitationType ?? 'any',
      allowedOAuthProviders: [],
      invitedBy: actingUser(context),
      expiresAtMs: nowMs + settings.INVITATION_EXPIRATION_DAYS * DAY_MS,
      sentAtMs: nowMs,
      sendCount: 1,
      resendDay: null,
      resendsOnDay: 0,
      sentByMail: fresh.sentByMail,
      acceptedAtMs: null,
      acceptedBy: null,
      acceptedVia: null,
      createdAtMs: nowMs,
    }
    await withSeats(tx, { rootOrgId: org.rootOrgId, settings, nowMs }, async () => {
      await refuseMember(tx, org.id, key)
      await insertLive(tx, row, nowMs)
    })
    const inviter = await inviterOf(context, fresh, row.email)
    const sent = await deliver(context, fresh, { ...row, inviter, organization: org.displayName })
    await context.audit('invitation.send', {
      targetType: 'invitation',
      targetId: row.id,
      details: { email: row.email, role, roleIds },
    })
    return changed({ invitation: invitationRecord(row, nowMs), ...sent })
  },
})

async function refuseMember(db: Db, orgId: string, key: string): Promise<void> {
  const { users, memberships } = identityTables(db)
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(and(eq(users.emailKey, key), eq(memberships.orgId, orgId)))
  if (rows.length > 0) throw new Refusal('DUPLICATE_ENTRY', 'is a member already', { details: { field: 'email' } })
}

/** Under the account's lock: one live invitation per address, and a limited number of them. */
async function insertLive(tx: Tx, row: InvitationRow, nowMs: number): Promise<void> {
  const { invitations } = identityTables(tx)
  await releaseExpired(tx, row.orgId, row.emailKey, nowMs)
  await checkPendingRoom(tx, row.orgId, nowMs)
  if (!(await insertNew(tx, invitations, row))) throw liveAlready()
}

export const liveAlready = (): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'the address has a live invitation: resend or revoke it', {
    details: { field: 'email' },
  })

/** Marks the expired invitation of this address, so that a new one can be inserted. */
export async function releaseExpired(tx: Tx, orgId: string, key: string, nowMs: number): Promise<void> {
  const { invitations } = identityTables(tx)
  await tx
    .update(invitations)
    .set({ status: 'expired', liveKey: null })
    .where(
      and(
        eq(invitations.orgId, orgId),
        eq(invitations.liveKey, key),
        eq(invitations.status, 'pending'),
        lte(invitations.expiresAtMs, nowMs),
      ),
    )
}

/** @throws Refusal `CONFLICT` when the organization has the maximum number of live invitations. */
export async function checkPendingRoom(tx: Tx, orgId: string, nowMs: number): Promise<void> {
  const { invitations } = identityTables(tx)
  const isLive = and(
    eq(invitations.orgId, orgId),
    eq(invitations.status, 'pending'),
    gt(invitations.expiresAtMs, nowMs),
  )
  const live = await tx.$count(invitations, isLive)
  // guard: the-number-of-pending-invitations
  if (live >= PENDING_MAX) {
    throw new Refusal('CONFLICT', `${live} invitations are pending, and the limit is ${PENDING_MAX}: revoke some first`)
  }
}
