/**
 * Turns a principal and the organization that the request names into authority. A header of a foreign organization and of
 * one that does not exist get the same 403; a path of either gets the same 404. Source: platform decisions 3; rulings,
 * Tenancy and credentials.
 */
import { notFound, Refusal } from '../runtime/errors.js'
import { SYSTEM_ORG_ID, UUID } from '../runtime/ids.js'
import type { Permission } from '../runtime/operation/access.js'
import type { Authority, Principal } from '../runtime/operation/context.js'
import type { TenantSource } from '../runtime/operation/operation.js'
import type { Directory } from './directory.js'
import type { Standing } from './standing.js'

type User = Extract<Principal, { kind: 'user' }>
type Service = Extract<Principal, { kind: 'service' }>

const NONE: ReadonlySet<never> = new Set<never>()

const NOBODY: Authority = {
  org: null,
  role: null,
  isMember: false,
  isSuperAdmin: false,
  permissions: NONE,
  scopes: NONE,
}

const mismatch = (): Refusal =>
  new Refusal('ORG_MISMATCH', '`x-org-id` names no organization that you are an active member of')

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SLUG_MAX = 100

/** The id that a header means: an id, a slug, or `system`; null for anything else. */
async function orgIdOf(directory: Directory, header: string): Promise<string | null> {
  const name = header.trim().toLowerCase()
  if (name === 'system') return SYSTEM_ORG_ID
  if (UUID.test(name)) return name
  return SLUG.test(name) && name.length <= SLUG_MAX ? directory.slug(name) : null
}

export async function authorityOf(
  directory: Directory,
  principal: Principal,
  source: TenantSource['from'],
  wanted: string | null,
  header: string | null,
): Promise<Authority> {
  if (principal.kind === 'anonymous') return NOBODY
  const inOrg = (orgId: string) =>
    principal.kind === 'user' ? userIn(directory, principal, orgId) : serviceIn(directory, principal, orgId)

  if (source === 'path') {
    if (header !== null) {
      const named = await orgIdOf(directory, header)
      if (named === null || (await inOrg(named)) === null) throw mismatch()
    }
    const authority = wanted !== null && UUID.test(wanted) ? await inOrg(wanted) : null
    if (authority === null) throw notFound('Organization')
    return authority
  }
  if (wanted !== null) {
    const named = await orgIdOf(directory, wanted)
    const authority = named === null ? null : await inOrg(named)
    if (authority === null) throw mismatch()
    return authority
  }
  const own = principal.kind === 'user' ? (principal.boundOrgId ?? principal.activeOrgId) : serviceHome(principal)
  const authority = own === null ? null : await inOrg(own)
  if (authority !== null) return authority
  // Somebody who was removed from their active organization may still see to their own account.
  if (source === 'none') return withoutOrganization(directory, principal)
  throw new Refusal('ORG_MISMATCH', 'you have no active organization: name one in `x-org-id`')
}

async function withoutOrganization(directory: Directory, principal: User | Service): Promise<Authority> {
  if (principal.kind === 'service') return { ...NOBODY, scopes: new Set(principal.scopes) }
  const account = await directory.account(principal.userId)
  return { ...NOBODY, isSuperAdmin: account?.isSuperAdmin === true && principal.tokenId === null }
}

async function userIn(directory: Directory, principal: User, orgId: string): Promise<Authority | null> {
  if (principal.boundOrgId !== null && principal.boundOrgId !== orgId) return null
  const standing = await directory.standing(principal.userId, orgId)
  if (standing === null) return null
  const { org, role, isMember } = standing
  return {
    org,
    role,
    isMember,
    isSuperAdmin: standing.isSuperAdmin && carriesSuperAdmin(principal),
    permissions: narrowed(standing, principal.permissions),
    scopes: NONE,
  }
}

/** A personal token is a system administrator only when it is bound to the system organization and not narrowed. */
const carriesSuperAdmin = ({ tokenId, boundOrgId, permissions }: User): boolean =>
  tokenId === null || (boundOrgId === SYSTEM_ORG_ID && permissions === null)

function narrowed({ permissions }: Standing, to: readonly Permission[] | null): ReadonlySet<Permission> {
  return to === null ? permissions : new Set(to.filter((name) => permissions.has(name)))
}

/** Principals of the system act for the organization that the request names; without one they stand in the system's. */
const serviceHome = ({ boundOrgId }: Service): string => boundOrgId ?? SYSTEM_ORG_ID

async function serviceIn(directory: Directory, principal: Service, orgId: string): Promise<Authority | null> {
  const org = await directory.organization(orgId)
  if (org === null) return null
  const { boundOrgId, includeTeams } = principal
  const isBound = boundOrgId === null || boundOrgId === orgId || (includeTeams && org.parentOrgId === boundOrgId)
  return isBound ? { ...NOBODY, org, scopes: new Set(principal.scopes) } : null
}
