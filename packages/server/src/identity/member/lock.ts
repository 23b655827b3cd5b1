/** Shared by the changes of a membership that stays: its path, its answer, its lock. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import type { OrganizationRow } from '../account/row.js'
import { findMembership, type MembershipRow } from '../membership/find.js'
import { MemberRecord } from '../membership/record.js'

export const onMember = { path: Type.Object({ id: Type.String(), userId: Type.String() }) }

export const MemberAnswer = strictObject({ member: MemberRecord })

/** The organization under its lock, and the membership in it. */
export async function lockMember(context: WriteContext, userId: string): Promise<[OrganizationRow, MembershipRow]> {
  const { tx } = context
  const orgId = tenantId(context)
  await lockRow(tx, 'organizations', orgId)
  const org = await liveOrganization(tx, orgId)
  const membership = await findMembership(tx, orgId, userId)
  if (membership === null) throw notFound('Member')
  return [org, membership]
}
