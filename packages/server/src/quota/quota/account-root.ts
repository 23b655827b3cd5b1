/** The root that a change of limits is about, locked. */
import { lockAccount, type OrganizationRow } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'

/** @throws Refusal 409 for a team: what it has is set on its account. */
export async function lockedRoot(context: WriteContext): Promise<OrganizationRow> {
  const orgId = tenantId(context)
  const { rootOrgId } = context.authority.org ?? { rootOrgId: orgId }
  // guard: limits-are-set-on-the-root-alone
  if (rootOrgId !== orgId) {
    throw new Refusal('CONFLICT', `a team draws from its account: this is set on the account root ${rootOrgId}`)
  }
  return lockAccount(context.tx, rootOrgId)
}
