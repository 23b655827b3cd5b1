/** The audit actions of a directory's changes to people, and the errors that refuse them. */
import { LEAVING } from '../../identity/index.js'
import type { WriteContext } from '../../runtime/operation/context.js'

export const PROVISIONING = ['scim.user.create', 'scim.user.update', 'identity.sso.link', ...LEAVING] as const
export type Provisioning = WriteContext<(typeof PROVISIONING)[number]>

/** Errors of each operation that writes a person. */
export const PROVISIONING_ERRORS = [
  'CONFLICT',
  'DUPLICATE_ENTRY',
  'INSUFFICIENT_PERMISSIONS',
  'LAST_PRIVILEGED_MEMBER',
  'NOT_FOUND',
  'OWNER_PROTECTED',
  'SEAT_LIMIT',
  'TOKEN_REVOKED',
  'VALIDATION_ERROR',
] as const
