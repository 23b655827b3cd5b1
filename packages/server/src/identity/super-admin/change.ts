/** Shared by granting and revoking system administration. */
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import type { AuditEntry } from '../../runtime/operation/context.js'
import { noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { UserRow } from '../new-user.js'

const onUser = Type.Object({ id: Type.String() })

/** What granting and revoking have in common. */
export const onSuperAdmin = {
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  input: { path: onUser },
  output: strictObject({ id: Uuid, isSuperAdmin: Type.Boolean() }),
} as const

export const inEvidence = ({ id, username }: UserRow): AuditEntry => ({
  affectedOrgId: SYSTEM_ORG_ID,
  targetType: 'user',
  targetId: id,
  details: { name: username },
})
