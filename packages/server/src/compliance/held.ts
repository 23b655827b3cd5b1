/** Which organizations' rules apply to the tenant of a request. */
import type { Authority } from '../runtime/operation/context.js'
import type { Held } from './rule-stamp.js'

export function heldOf({ authority }: { readonly authority: Pick<Authority, 'org'> }): Held {
  const { org } = authority
  if (org === null) throw new Error('the operation has no tenant')
  return { orgId: org.id, parentOrgId: org.parentOrgId }
}
