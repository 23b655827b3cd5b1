/** The organization taken out of one query, where SQLite has no second fence: the isolation run must see each. */
import { cut, drop, type Guard, guard, ISOLATION, swap, value } from './guard.js'

export const TENANT_GUARDS: readonly Guard[] = [
  guard('a-role-by-id', cut(', eq(roles.orgId, orgId)'), ISOLATION),
  guard('the-list-of-roles', cut('.where(eq(roles.orgId, orgId))'), ISOLATION),
  guard('a-membership', cut('eq(memberships.orgId, orgId), '), 'proof-matrix'),
  guard('the-list-of-members', drop, ISOLATION),
  guard('the-list-of-secrets', cut('.where(eq(orgSecrets.orgId, tenantId(context)))'), ISOLATION),
  guard('a-secret-by-name', cut('eq(orgSecrets.orgId, orgId), '), ISOLATION),
  guard('service-principals-of-a-holder', value('holder === null ? isNull(orgId) : eq(orgId, orgId)'), ISOLATION),
  guard('the-list-of-invitations', drop, ISOLATION),
  guard('an-invitation-by-id', cut(', eq(invitations.orgId, orgId)'), ISOLATION),
  guard('the-teams-of-a-root', cut('eq(organizations.parentOrgId, rootOrgId), '), ISOLATION),
  guard('the-sealed-events-of-an-organization', value('null'), ISOLATION),
  guard('the-chain-that-a-query-names', swap('orgId !== undefined && orgId !== own', 'false'), 'operations'),
  guard('rows-in-an-export', cut('eq(table.orgId, orgId), '), ISOLATION),
  guard('members-in-an-export', cut('eq(memberships.orgId, orgId), '), ISOLATION),
  guard('the-roles-that-are-given-to-a-member', cut('eq(roles.orgId, orgId), '), 'grants'),
  guard('the-bound-organization-of-a-personal-token', drop, 'grants'),
  guard('the-bound-organization-of-a-service', swap('?', '|| true ?'), 'authority'),
  guard('standing-in-the-organization', drop, ISOLATION),
]
