import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { findOrganization, type OrganizationRow } from '../account/row.js'
import { type InvitationRow, invitationOf } from './record.js'

export const Token = Type.String({ minLength: 1, maxLength: 200 })

/** The invitation and its organization, which must still exist. */
export async function opened(db: Db, token: string): Promise<{ row: InvitationRow; org: OrganizationRow }> {
  const row = await invitationOf(db, token)
  const org = await findOrganization(db, row.orgId)
  const root = org === null || org.rootOrgId === org.id ? org : await findOrganization(db, org.rootOrgId)
  // guard: the-organization-of-an-invitation-is-live
  if (org === null || org.deletedAtMs !== null || root === null || root.deletedAtMs !== null) {
    throw notFound('Invitation')
  }
  return { row, org }
}

export const GONE = [
  'INVITATION_ACCEPTED',
  'INVITATION_DECLINED',
  'INVITATION_EXPIRED',
  'INVITATION_REVOKED',
  'NOT_FOUND',
] as const
