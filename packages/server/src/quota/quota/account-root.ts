/** The root whose limits a request changes, locked. */
import { lockAccount, type OrganizationRow } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'

/** @throws Refusal 409 for a team: its limits are set on its account. */
export async function lockedRoot(context: WriteContext): Promise<OrganizationRow> {
  const orgId = tenantId(context)
  const { rootOrgId } = context.authority.org ?? { rootOrgId: orgId }
  // guard: limits-are-set-on-the-root-alone
  if (rootOrgId !== orgId) {
    throw new Refusal('CONFLICT', `a team uses the quotas of its account: set this on the account root ${rootOrgId}`)
  }
  return lockAccount(context.tx, rootOrgId)
}
