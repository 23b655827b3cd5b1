/**
 * Whose identity a copy of a chain may leave out. An organization's administrators see what others did to their
 * organization, and not where those sat; the commitment stays, so the copy verifies all the same.
 *
 * INVARIANT: decided by fields that the hash covers directly. Anyone who hands over a copy can leave out no more by lying.
 */
import { eraseRecord } from './erase.js'
import type { AuditRecord } from './record.js'

/** The one thing that a bundle may withhold, by the name that its manifest gives it. */
export const FOREIGN_IDENTITIES = 'foreign-identities'

/** The role under which system administrators act, in whatever organization. */
const SYSTEM_ADMIN_ROLE = 'superadmin'

/** Somebody of another organization acted, a system administrator, or one under another's name. */
export function isForeign(
  event: { readonly orgId: string | null; readonly actorRole: string | null; readonly impersonatorId: string | null },
  orgId: string,
): boolean {
  return event.orgId !== orgId || event.actorRole === SYSTEM_ADMIN_ROLE || event.impersonatorId !== null
}

/** The record as the chain's own organization may have it. */
export function withholdForeign(record: AuditRecord): AuditRecord {
  return isForeign(record, record.chain) ? eraseRecord(record, 'identity') : record
}
