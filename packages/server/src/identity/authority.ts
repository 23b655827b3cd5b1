/**
 * Turns a principal and the organization that the request names into authority. A header that names a foreign
 * organization and one that names an unknown organization get the same 403; a path that names either gets the same 404.
 * Source: spec platform 3.2.
 */
import { notFound, Refusal } from '../runtime/errors.js'
import { SYSTEM_ORG_ID, UUID } from '../runtime/ids.js'
import { type Maybe, whenHere } from '../runtime/maybe.js'
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

const mismatch = (header: string): Refusal =>
  new Refusal(
    'ORG_MISMATCH',
    `\`x-org-id\` is \`${header.slice(0, SLUG_MAX)}\`, which is not an organization that you are an active member of`,
  )

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SLUG_MAX = 100

/** The organization id for a header, which is an id, a slug, or `system`; null for anything else. */
function orgIdOf(directory: Directory, header: string): Maybe<string | null> {
  const name = header.trim().toLowerCase()
  if (name === 'system') return SYSTEM_ORG_ID
  if (UUID.test(name)) return name
  return SLUG.test(name) && name.length <= SLUG_MAX ? directory.slug(name) : null
}

const inOrg = (directory: Directory, principal: User | Service, orgId: string): Maybe<Authority | null> =>
  principal.kind === 'user' ? userIn(directory, principal, orgId) : serviceIn(directory, principal, orgId)

export function authorityOf(
  directory: Directory,
  principal: Principal,
  source: TenantSource['from'],
  wanted: string | null,
  header: string | null,
): Maybe<Authority> {
  if (principal.kind === 'anonymous') return NOBODY
  if (source === 'account') return ofAccount(directory, principal, wanted)
  if (source !== 'path') return namedOrActive(directory, principal, source, wanted)
  if (header === null) return ofPath(directory, principal, wanted)
  return checkHeader(directory, principal, header).then(() => ofPath(directory, principal, wanted))
}

/** Authority in the account's root: rights in a team do not apply to what the whole account pays for. */
async function ofAccount(directory: Directory, principal: User | Service, wanted: string | null): Promise<Authority> {
  const named = await namedOrActive(directory, principal, 'account', wanted)
  if (named.org === null || named.org.parentOrgId === null) return named
  const root = await inOrg(directory, principal, named.org.parentOrgId)
  if (root !== null) return root
  throw new Refusal('ORG_MISMATCH', 'this belongs to the account: only members of its root organization have access')
}

function ofPath(directory: Directory, principal: User | Service, wanted: string | null): Maybe<Authority> {
  if (wanted === null || !UUID.test(wanted)) throw noOrganization()
  return whenHere(inOrg(directory, principal, wanted), (authority) => {
    if (authority?.permissions.has('members:manage') || principal.kind !== 'user') return orNotFound(authority)
    return whenHere(asManagerAbove(directory, principal, wanted, authority), orNotFound)
  })
}

function orNotFound(authority: Authority | null): Authority {
  if (authority === null) throw noOrganization()
  return authority
}

/** A foreign organization and an unknown one get the same bytes. */
const noOrganization = (): Refusal =>
  notFound('Organization', 'it does not exist, or you are not a member of it: `GET /auth/me` lists your organizations')

/**
 * A person who manages the members of a root organization also manages those of its teams, and gets no other right
 * there.
 */
function asManagerAbove(
  directory: Directory,
  principal: User,
  orgId: string,
  own: Authority | null,
): Maybe<Authority | null> {
  // A token that is bound to an organization acts only in that organization.
  if (principal.boundOrgId !== null && principal.sessionId === null) return own
  return whenHere(directory.organization(orgId), (org) => {
    // guard: a-manager-of-the-root-reaches-its-teams-by-path-alone
    if (org === null || org.parentOrgId === null) return own
    return whenHere(userIn(directory, principal, org.parentOrgId), (above) =>
      above?.permissions.has('members:manage')
        ? {
            ...(own ?? { ...NOBODY, org }),
            permissions: new Set([...(own?.permissions ?? []), 'members:manage' as const]),
          }
        : own,
    )
  })
}

async function checkHeader(directory: Directory, principal: User | Service, header: string): Promise<void> {
  const named = await orgIdOf(directory, header)
  if (named === null || (await inOrg(directory, principal, named)) === null) throw mismatch(header)
}

async function namedOrActive(
  directory: Directory,
  principal: User | Service,
  source: TenantSource['from'],
  wanted: string | null,
): Promise<Authority> {
  if (wanted !== null) {
    const named = await orgIdOf(directory, wanted)
    const authority = named === null ? null : await behindDoor(directory, principal, source, named)
    if (authority === null) throw mismatch(wanted)
    return authority
  }
  const own = principal.kind === 'user' ? homeOf(principal) : serviceHome(principal)
  const authority = own === null ? null : await behindDoor(directory, principal, source, own)
  if (authority !== null) return authority
  // A person who was removed from their active organization can still manage their own account.
  if (source === 'none') return withoutOrganization(directory, principal)
  throw noActiveOrg(NOBODY)
}

/** Why an operation that needs an organization has none. */
export const noActiveOrg = ({ closedBy }: Pick<Authority, 'closedBy'>): Refusal =>
  closedBy === undefined
    ? new Refusal('ORG_MISMATCH', 'you have no active organization: name one in `x-org-id`')
    : proofRequired(closedBy)

/** A confined session may have a team of its organization as the active one. */
const homeOf = ({ sessionId, boundOrgId, activeOrgId }: User): string | null =>
  sessionId === null ? (boundOrgId ?? activeOrgId) : (activeOrgId ?? boundOrgId)

/**
 * Enforced single sign-on never keeps a person from their own account, whether the closed organization is the active one
 * or the one that the request names: the way in is such an operation too.
 */
async function behindDoor(
  directory: Directory,
  principal: User | Service,
  source: TenantSource['from'],
  orgId: string,
): Promise<Authority | null> {
  try {
    return await inOrg(directory, principal, orgId)
  } catch (error) {
    if (source !== 'none' || !(error instanceof Refusal) || error.code !== 'SSO_REQUIRED') throw error
    return { ...(await withoutOrganization(directory, principal)), closedBy: String(error.details?.['organizationId']) }
  }
}

async function withoutOrganization(directory: Directory, principal: User | Service): Promise<Authority> {
  if (principal.kind === 'service') return { ...NOBODY, scopes: new Set(principal.scopes) }
  const account = await directory.account(principal.userId)
  return {
    ...NOBODY,
    isSuperAdmin: account?.isSuperAdmin === true && principal.tokenId === null && carriesSuperAdmin(principal),
  }
}

function userIn(directory: Directory, principal: User, orgId: string): Maybe<Authority | null> {
  // guard: the-bound-organization-of-a-personal-token
  if (principal.boundOrgId !== null && principal.boundOrgId !== orgId && principal.sessionId === null) return null
  return whenHere(directory.standing(principal.userId, orgId), (standing) => {
    if (standing === null || !reaches(principal, standing)) return null
    const authority = standingAs(principal, standing)
    return whenHere(isOpen(directory, principal, standing, authority.isSuperAdmin), (open) => {
      // guard: the-door-of-an-organization-that-enforces
      if (!open) throw proofRequired(standing.enforcedBy ?? orgId)
      return authority
    })
  })
}

/** A confined session acts as a member, in its organization and the teams of it only. */
function reaches({ sessionId, boundOrgId }: User, { org, isMember }: Standing): boolean {
  if (sessionId === null || boundOrgId === null) return true
  // guard: a-confined-session-acts-in-its-organization-alone
  return isMember && (org.id === boundOrgId || org.rootOrgId === boundOrgId)
}

/**
 * Whether the session satisfies the single sign-on that the organization enforces. Tokens are exempt: they end with the
 * membership. System administrators and impersonations are exempt too. The state of the provider does not matter: while
 * it is broken, access is refused.
 */
function isOpen(
  directory: Directory,
  { sessionId, tokenId, impersonatorId }: User,
  { enforcedBy }: Standing,
  isSuperAdmin: boolean,
): Maybe<boolean> {
  if (enforcedBy === null || tokenId !== null || impersonatorId !== null || isSuperAdmin) return true
  return sessionId === null ? false : whenHere(directory.proof(sessionId, enforcedBy), (proof) => proof !== null)
}

/** The refusal of a sign-in, which says where to sign on instead. */
export const signOnRequired = (orgId: string): Refusal => requires(orgId, 'start at `details.authorizePath`', {})

/** The refusal of a session, which says where it gets the proof that it lacks. */
export const proofRequired = (orgId: string): Refusal =>
  requires(orgId, 'start at `details.attachPath` to keep this session, or at `details.authorizePath` for a new one', {
    attachPath: `/auth/sso/${orgId}/attach`,
  })

const requires = (orgId: string, how: string, more: Readonly<Record<string, string>>): Refusal =>
  new Refusal('SSO_REQUIRED', `the organization requires its single sign-on: ${how}`, {
    details: { organizationId: orgId, authorizePath: `/auth/sso/${orgId}/authorize`, ...more },
  })

function standingAs(principal: User, standing: Standing): Authority {
  const { org, role, isMember, complianceRole } = standing
  const isSuperAdmin = standing.isSuperAdmin && carriesSuperAdmin(principal)
  const held =
    isSuperAdmin || principal.sessionId === null || principal.boundOrgId === null ? standing : standing.asMember
  const permissions = narrowed(held, principal.permissions)
  // A compliance role does not give back what the token was narrowed by.
  const mayWrite = permissions.has('compliance:write')
  const manages = role === 'owner' || role === 'admin' || isSuperAdmin || complianceRole === 'admin'
  return {
    org,
    role,
    isMember,
    isSuperAdmin,
    permissions,
    scopes: NONE,
    decidesExemptions: mayWrite && held.decidesExemptions,
    managesCompliance: mayWrite && manages,
  }
}

/** A personal token carries system administration only when it is bound to the system organization and not narrowed. */
// guard: a-confined-session-carries-no-system-administration
const carriesSuperAdmin = ({ tokenId, boundOrgId, permissions }: User): boolean =>
  tokenId === null ? boundOrgId === null : boundOrgId === SYSTEM_ORG_ID && permissions === null

function narrowed(
  { permissions }: Pick<Standing, 'permissions'>,
  to: readonly Permission[] | null,
): ReadonlySet<Permission> {
  return to === null ? permissions : new Set(to.filter((name) => permissions.has(name)))
}

/**
 * Service principals of the system act for the organization that the request names, by default the system organization.
 */
const serviceHome = ({ boundOrgId }: Service): string => boundOrgId ?? SYSTEM_ORG_ID

async function serviceIn(directory: Directory, principal: Service, orgId: string): Promise<Authority | null> {
  const org = await directory.organization(orgId)
  if (org === null) return null
  const { boundOrgId, includeTeams } = principal
  const isBound = boundOrgId === null || boundOrgId === orgId || (includeTeams && org.parentOrgId === boundOrgId)
  // guard: the-bound-organization-of-a-service
  return isBound ? { ...NOBODY, org, scopes: new Set(principal.scopes) } : null
}
