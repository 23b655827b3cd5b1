/** Invitations as the API shows them, and their current status (spec platform 15.4). */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { isOneTimeToken, tokenHash } from '../credential/opaque-token.js'
import { identityTables } from '../tables.js'

export const STATUSES = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const
export type InvitationStatus = (typeof STATUSES)[number]
export const INVITATION_TYPES = ['any', 'email'] as const

export const InvitationRecord = strictObject({
  id: Uuid,
  email: Type.String(),
  orgId: Uuid,
  role: Type.Enum(['admin', 'member']),
  roleIds: Type.Array(Uuid),
  invitedBy: Uuid,
  status: Type.Enum([...STATUSES]),
  expiresAt: Instant,
  invitationType: Type.Enum([...INVITATION_TYPES]),
  allowedOAuthProviders: Type.Array(Type.String()),
  acceptedAt: nullable(Instant),
  acceptedBy: nullable(Uuid),
  acceptedVia: nullable(Type.String()),
  sentAt: Instant,
  sendCount: Type.Integer(),
  createdAt: Instant,
})

export type InvitationRow = ReturnType<typeof identityTables>['invitations']['$inferSelect']

/** The status at this instant: a pending invitation past its expiry has expired, even if it is not swept yet. */
export const statusAt = ({ status, expiresAtMs }: InvitationRow, nowMs: number): InvitationStatus =>
  // guard: the-end-of-an-invitation
  status === 'pending' && expiresAtMs <= nowMs ? 'expired' : (status as InvitationStatus)

export function invitationRecord(row: InvitationRow, nowMs: number): Static<typeof InvitationRecord> {
  return {
    id: row.id,
    email: row.email,
    orgId: row.orgId,
    role: row.role as 'admin' | 'member',
    roleIds: row.roleIds,
    invitedBy: row.invitedBy,
    status: statusAt(row, nowMs),
    expiresAt: toIso(row.expiresAtMs),
    invitationType: row.invitationType as (typeof INVITATION_TYPES)[number],
    allowedOAuthProviders: row.allowedOAuthProviders,
    acceptedAt: toIsoOrNull(row.acceptedAtMs),
    acceptedBy: row.acceptedBy,
    acceptedVia: row.acceptedVia,
    sentAt: toIso(row.sentAtMs),
    sendCount: row.sendCount,
    createdAt: toIso(row.createdAtMs),
  }
}

/** @throws Refusal 404 for an id that is not an invitation of the organization. */
export async function findInvitation(db: Db, orgId: string, id: string): Promise<InvitationRow> {
  const { invitations } = identityTables(db)
  // guard: an-invitation-by-id
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.id, id), eq(invitations.orgId, orgId)))
  if (row === undefined) throw notFound('Invitation')
  return row
}

/** The invitation of the token, in any status. @throws Refusal 404 for an unknown token. */
export async function invitationOf(db: Db, token: string): Promise<InvitationRow> {
  if (!isOneTimeToken(token)) throw notFound('Invitation')
  const { invitations } = identityTables(db)
  const [row] = await db
    .select()
    .from(invitations)
    .where(eq(invitations.tokenHash, tokenHash(token)))
  if (row === undefined) throw notFound('Invitation')
  return row
}

/** @throws Refusal 410 for every status except pending. */
export function checkPending(row: InvitationRow, nowMs: number): void {
  const status = statusAt(row, nowMs)
  if (status !== 'pending') throw new Refusal(GONE[status], `the invitation ${GONE_TEXT[status]}`)
}

export type InvitationWay = 'email' | 'oauth'

/** @throws Refusal 409 for a way to accept that the organization does not allow. */
export function checkWay({ invitationType }: InvitationRow, way: InvitationWay): void {
  // guard: an-invitation-by-mail-takes-no-account-elsewhere
  if (way === 'oauth' && invitationType === 'email') {
    throw new Refusal(
      'CONFLICT',
      'the organization requires an account with a password: open the link of the invitation, or sign in and accept it',
    )
  }
}

const GONE = {
  accepted: 'INVITATION_ACCEPTED',
  declined: 'INVITATION_DECLINED',
  revoked: 'INVITATION_REVOKED',
  expired: 'INVITATION_EXPIRED',
} as const

const GONE_TEXT = {
  accepted: 'was used already',
  declined: 'was declined',
  revoked: 'was revoked',
  expired: 'has expired: request a new one',
} as const
