/** The organization's side of its invitations: list, resend, revoke. */
import { and, asc, desc, eq, gt, lte, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { containsText, equals } from '../../runtime/operation/filters.js'
import { command, fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { Level, startingRoles } from '../member/add.js'
import { liveOrganization, lockAccount } from '../organization/account.js'
import { withSeats } from '../organization/seats.js'
import { pageFields, pageOf, paginated, pagination, sortFields } from '../paging.js'
import { invitationPath } from '../paths.js'
import { checkRemainingRoles } from '../role/ceiling.js'
import { identityTables } from '../tables.js'
import { deliver, freshToken, inviterOf } from './deliver.js'
import {
  findInvitation,
  INVITATION_TYPES,
  InvitationRecord,
  type InvitationRow,
  invitationRecord,
  STATUSES,
  statusAt,
} from './record.js'
import { checkPendingRoom, liveAlready, releaseExpired } from './send.js'

const DAY_MS = 86_400_000
const RESENDS_A_DAY = 5

/** `GET /invitation`. */
export const listInvitations = query({
  name: 'identity.invitation.list',
  summary: 'List the invitations of the active organization',
  http: { method: 'get', ...invitationPath('') },
  access: permission('invitations:manage'),
  tenant: fromHeader,
  snapshot: true,
  input: {
    query: Type.Object({
      ...pageFields,
      ...sortFields(['createdAt', 'expiresAt', 'email']),
      status: Type.Optional(Type.Enum([...STATUSES])),
      role: Type.Optional(Level),
      invitationType: Type.Optional(Type.Enum([...INVITATION_TYPES])),
      search: Type.Optional(Type.String({ maxLength: 100 })),
    }),
  },
  output: paginated('invitations', InvitationRecord),
  errors: [],
  async run(context, { query: wanted }) {
    const { db, nowMs, runtime } = context
    const { invitations: table } = identityTables(db)
    const page = pageOf(wanted, runtime.settings)
    const conditions: (SQL | undefined)[] = [
      eq(table.orgId, tenantId(context)),
      wanted.status === undefined ? undefined : hasStatus(table, wanted.status, nowMs),
      equals(table.role, wanted.role),
      equals(table.invitationType, wanted.invitationType),
      wanted.search === undefined ? undefined : containsText(table.emailKey, wanted.search),
    ]
    const direction = wanted.sortOrder === 'asc' ? asc : desc
    const columns = { createdAt: table.createdAtMs, expiresAt: table.expiresAtMs, email: table.emailKey }
    const rows = await db
      .select()
      .from(table)
      .where(and(...conditions))
      .orderBy(direction(columns[wanted.sortBy ?? 'createdAt']), direction(table.id))
      .limit(page.limit)
      .offset(page.offset)
    const total = await db.$count(table, and(...conditions))
    return {
      invitations: rows.map((row) => invitationRecord(row, nowMs)),
      pagination: pagination(page, total, rows.length),
    }
  },
})

/** The status that is true now, as a condition: what has expired without being swept is `expired`. */
function hasStatus(
  table: ReturnType<typeof identityTables>['invitations'],
  status: InvitationRow['status'],
  nowMs: number,
): SQL | undefined {
  const pending = eq(table.status, 'pending')
  if (status === 'pending') return and(pending, gt(table.expiresAtMs, nowMs))
  if (status === 'expired') return or(eq(table.status, 'expired'), and(pending, lte(table.expiresAtMs, nowMs)))
  return eq(table.status, status)
}

/** `POST /invitation/:id/resend`: a new token and a new end; the old link is dead. */
export const resendInvitation = command({
  name: 'identity.invitation.resend',
  summary: 'Send an invitation again, with a new link',
  http: { method: 'post', ...invitationPath('/:id/resend') },
  access: permission('invitations:manage'),
  tenant: fromHeader,
  acrossOrganizations: 'an expired invitation takes a seat of the account again',
  audit: ['invitation.resend'],
  secretOutput: true,
  rateLimit: 'invitations',
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({
    expiresAt: Instant,
    emailSent: Type.Boolean(),
    acceptUrl: Type.Optional(Type.String({ description: 'Shown once, where the server has no e-mail' })),
  }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'RATE_LIMIT_EXCEEDED', 'SEAT_LIMIT'],
  async run(context, { path: { id } }) {
    const { tx, authority, runtime, nowMs } = context
    const { settings } = runtime
    const org = await liveOrganization(tx, tenantId(context))
    const fresh = freshToken(context)
    const expiresAtMs = nowMs + settings.INVITATION_EXPIRATION_DAYS * DAY_MS
    const row = await withSeats(tx, { rootOrgId: org.rootOrgId, settings, nowMs }, async () => {
      const found = await findInvitation(tx, org.id, id)
      // Sending it again grants again: whoever does it needs what it grants.
      await startingRoles(tx, authority, org.id, { role: found.role as 'admin' | 'member', roleIds: [] })
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

/** Another invitation of the address may have become live while this one was expired. */
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
    throw new Refusal('RATE_LIMIT_EXCEEDED', `an invitation is sent again at most ${RESENDS_A_DAY} times a day`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }
  return { resendDay, resendsOnDay: before + 1 }
}

/** `DELETE /invitation/:id`. */
export const revokeInvitation = command({
  name: 'identity.invitation.revoke',
  summary: 'Revoke a pending invitation',
  http: { method: 'delete', ...invitationPath('/:id'), status: 204 },
  access: permission('invitations:manage'),
  tenant: fromHeader,
  acrossOrganizations: 'an acceptance at the same time holds the lock of the account',
  audit: ['invitation.revoke'],
  input: { path: Type.Object({ id: Type.String() }) },
  output: null,
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, nowMs } = context
    const org = await liveOrganization(tx, tenantId(context))
    await lockAccount(tx, org.rootOrgId)
    const row = await findInvitation(tx, org.id, id)
    const status = statusAt(row, nowMs)
    if (status !== 'pending')
      throw new Refusal('CONFLICT', `the invitation is ${status}: only a pending one is revoked`)
    const { invitations } = identityTables(tx)
    // The status stands in the condition: of a refusal and a revocation at once, one wins.
    const revoked = await tx
      .update(invitations)
      .set({ status: 'revoked', liveKey: null })
      .where(and(eq(invitations.id, row.id), eq(invitations.orgId, org.id), eq(invitations.status, 'pending')))
      .returning({ id: invitations.id })
    // The invited person declined it in the meantime, which takes no lock of the account.
    if (revoked.length === 0) throw new Refusal('CONFLICT', 'the invitation was answered already')
    await context.audit('invitation.revoke', {
      targetType: 'invitation',
      targetId: row.id,
      details: { email: row.email },
    })
    return changed(null)
  },
})
