/**
 * Who may do what in the registry, written from its table alone:
 *
 * | Caller | pull | push |
 * |---|---|---|
 * | token `plugins:read` / `:write`; service `images:pull` / `images:push` | own `org-<id>/*`, the parent's `org-<parent>/public/*`, `system/*` | own names that no plugin has, none under `public/` |
 *
 * Push is withheld while the storage of an account is full, and while the registry is collected. What is not granted is
 * left out, also when malformed; 20 scopes are read. `delete` and `*` are for nobody.
 */
import type { Credential, Installation, Membership, Organization, Person, PersonalToken, Service } from './model.js'

export interface Decision {
  /** Whether the credential itself is refused. */
  readonly isRefused: boolean
  /** One line a scope of which something is granted: `<name>:<actions>`. */
  readonly access: readonly string[]
}

interface Rights {
  readonly pull: boolean
  readonly push: boolean
}

const NONE: Rights = { pull: false, push: false }
const SCOPES_READ = 20
const NAME_CHARS = 255
const DAY_MS = 86_400_000

export function decide(
  credential: Credential,
  scopes: readonly string[],
  world: Installation,
  organizations: ReadonlyMap<string, Organization>,
): Decision {
  if (!isGood(credential, world.nowMs)) return { isRefused: true, access: [] }
  const access: string[] = []
  for (const scope of scopes.slice(0, SCOPES_READ)) {
    const asked = parsed(scope)
    if (asked === null) continue
    const may = allowed(credential as PersonalToken | Service, asked.name, world, organizations)
    const actions = asked.actions.filter((action) => may.has(action))
    if (actions.length > 0) access.push(`${asked.name}:${actions.join(',')}`)
  }
  return { isRefused: false, access }
}

function isGood(credential: Credential, nowMs: number): boolean {
  switch (credential.kind) {
    case 'wrong':
      return false
    case 'personal token':
      return !credential.isRevoked && nowMs < credential.expiresAtMs && credential.person.isActive
    case 'service': {
      const { org, isDisabled, isDeleted, expiresAtMs, replacedAtMs } = credential
      // A secret that was rotated away is good for another day. A service of the system has no repositories.
      const isLate = replacedAtMs !== null && nowMs >= replacedAtMs + DAY_MS
      return org !== null && !isDisabled && !isDeleted && nowMs < expiresAtMs && !isLate
    }
  }
}

/** `repository:<name>:<actions>`; null for anything else. */
function parsed(scope: string): { readonly name: string; readonly actions: readonly string[] } | null {
  const parts = scope.split(':')
  const [type, name = '', actions = ''] = parts
  if (parts.length !== 3 || type !== 'repository') return null
  if (name === '' || name.length > NAME_CHARS || ![...actions].every((each) => /[a-z*,]/.test(each))) return null
  return { name, actions: [...new Set(actions.split(','))].filter((action) => action !== '') }
}

/** Lower-case letters and digits, with `.`, `_`, `__` or dashes between them. */
const isPart = (part: string): boolean =>
  part.split(/__|[._]|-+/).every((piece) => piece !== '' && [...piece].every((each) => /[a-z0-9]/.test(each)))

function allowed(
  credential: PersonalToken | Service,
  name: string,
  world: Installation,
  organizations: ReadonlyMap<string, Organization>,
): ReadonlySet<string> {
  const [space = '', ...rest] = name.split('/')
  const may = new Set<string>()
  if (rest.length === 0 || !rest.every(isPart)) return may
  const home = credential.org as Organization
  if (space === 'system') {
    if (rightsIn(credential, home).pull) may.add('pull')
    return may
  }
  const org = space.startsWith('org-') ? organizations.get(space.slice('org-'.length)) : undefined
  if (org === undefined) return may
  const own = rightsIn(credential, org)
  const isShared = rest[0] === 'public' && rest.length > 1
  if (own.pull || (isShared && home.parent === org && rightsIn(credential, home).pull)) may.add('pull')
  const isFree = rest[0] !== 'public' && !org.plugins.has(rest[0] ?? '')
  if (own.push && isFree && !world.isPushHeld && !(org.parent ?? org).isFull) may.add('push')
  return may
}

const isLive = (org: Organization): boolean => !org.isDeleted && !(org.parent?.isDeleted ?? false)

function rightsIn(credential: PersonalToken | Service, org: Organization): Rights {
  if (!isLive(org)) return NONE
  if (credential.kind === 'service') {
    const { org: home, scopes, includeTeams } = credential
    const isReached = home === org || (includeTeams && org.parent === home)
    if (!isReached) return NONE
    return { pull: scopes.includes('images:pull'), push: scopes.includes('images:push') }
  }
  // A personal token is bound to one organization.
  if (credential.org !== org) return NONE
  const held = permissionsIn(credential.person, org)
  const has = (permission: string) =>
    held.has(permission) && (credential.permissions === null || credential.permissions.includes(permission))
  return { pull: has('plugins:read'), push: has('plugins:write') }
}

const BOTH = ['plugins:read', 'plugins:write']

/** The permissions about plugins that the person has in the organization now. */
function permissionsIn(person: Person, org: Organization): ReadonlySet<string> {
  if (person.isSuperAdmin) return new Set(BOTH)
  const own = person.memberships.get(org.id)
  const above = org.parent === null ? undefined : person.memberships.get(org.parent.id)
  // Who administers the account administers its teams.
  const isAbove = org.parent !== null && (org.parent.owner === person || isActiveAdmin(above))
  if (own?.isActive !== true) return new Set(isAbove ? BOTH : [])
  const isBuiltIn = own.levels.has('admin') || own.levels.has('member')
  return new Set([...(isBuiltIn || isAbove || org.owner === person ? BOTH : []), ...(own.custom?.permissions ?? [])])
}

const isActiveAdmin = (membership: Membership | undefined): boolean =>
  membership?.isActive === true && membership.levels.has('admin')
