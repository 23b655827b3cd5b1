/**
 * The chain that a request refers to: the organization's own, or, for a system administrator, the one that the query
 * names. For any other caller, a foreign chain is answered like one that does not exist.
 */
import { NO_ORG_CHAIN } from '@plumbline/audit-chain'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { UUID } from '../../runtime/ids.js'
import { type Access, either, permission, systemAdmin } from '../../runtime/operation/access.js'
import type { Authority } from '../../runtime/operation/context.js'

export const chainAccess: Access = either(permission('audit:read'), systemAdmin())

export const ACROSS = 'they may look at any chain'

export const orgIdField = Type.Optional(
  Type.String({
    pattern: `(${UUID.source})|(^${NO_ORG_CHAIN}$)`,
    'x-says': 'must be the id of an organization, in lower case',
    description: `The organization; needed by system administrators, for whom \`${NO_ORG_CHAIN}\` names the events without one`,
  }),
)

export function requestedChain(authority: Authority, orgId: string | undefined): string {
  if (authority.isSuperAdmin) {
    if (orgId === undefined)
      throw new Refusal('MISSING_REQUIRED_FIELD', '/query/orgId: is required of system administrators')
    return orgId
  }
  const own = authority.org?.id
  // guard: the-chain-that-a-query-names
  if (own === undefined || (orgId !== undefined && orgId !== own)) throw notFound('Organization')
  return own
}
