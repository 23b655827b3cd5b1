/** `GET /invitation`. */
import { and, asc, desc, eq, gt, lte, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { containsName, equals } from '../../runtime/operation/filters.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Level } from '../member/join.js'
import { pageFields, pageOf, paginated, pagination, sortFields } from '../paging.js'
import { invitationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { INVITATION_TYPES, InvitationRecord, type InvitationRow, invitationRecord, STATUSES } from './record.js'

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
      // guard: the-list-of-invitations
      eq(table.orgId, tenantId(context)),
      wanted.status === undefined ? undefined : hasStatus(table, wanted.status, nowMs),
      equals(table.role, wanted.role),
      equals(table.invitationType, wanted.invitationType),
      wanted.search === undefined ? undefined : containsName(table.emailKey, wanted.search),
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

/**
 * A condition for the current status: an invitation past its expiry counts as `expired`, even if it is not swept yet.
 */
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
