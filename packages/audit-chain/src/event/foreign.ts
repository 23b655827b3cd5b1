/**
 * Which identities a copy of a chain may withhold.
 *
 * The administrators of an organization see what others did to it, but not the others' e-mail address, IP address and
 * user agent. The commitment stays, so the copy still verifies. INVARIANT: the hash directly covers the fields that
 * decide. So a false claim in a copy cannot withhold more.
 */
import { eraseRecord } from './erase.js'
import type { AuditRecord } from './record.js'

/** The only thing that a bundle may withhold, by its name in the manifest. */
export const FOREIGN_IDENTITIES = 'foreign-identities'

/** The role with which system administrators act, in any organization. */
const SYSTEM_ADMIN_ROLE = 'superadmin'

/** True when the actor belongs to another organization, is a system administrator, or impersonates a user. */
export function isForeign(
  event: { readonly orgId: string | null; readonly actorRole: string | null; readonly impersonatorId: string | null },
  orgId: string,
): boolean {
  return event.orgId !== orgId || event.actorRole === SYSTEM_ADMIN_ROLE || event.impersonatorId !== null
}

/** Returns the record as the chain's own organization may have it. */
export function withholdForeign(record: AuditRecord): AuditRecord {
  return isForeign(record, record.chain) ? eraseRecord(record, 'identity') : record
}
