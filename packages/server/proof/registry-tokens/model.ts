/** What the proof knows of the world that it made: kept beside the server, and never read from it. */

export interface Organization {
  readonly id: string
  readonly name: string
  readonly parent: Organization | null
  readonly owner: Person
  isDeleted: boolean
  /** Whether the storage of its account is full. */
  isFull: boolean
  /** Plugins by name: a name stays taken until its plugin is purged. */
  readonly plugins: Map<string, Plugin>
}

export interface Plugin {
  readonly id: string
  state: 'private' | 'public' | 'deleted'
}

export interface Membership {
  isActive: boolean
  /** The built-in Roles that the person has there. */
  readonly levels: Set<'admin' | 'member'>
  /** The permissions of a Role of the organization's own. */
  custom: { readonly roleId: string; permissions: readonly string[] } | null
}

export interface Person {
  readonly id: string
  readonly name: string
  isActive: boolean
  isSuperAdmin: boolean
  /** By the id of the organization. */
  readonly memberships: Map<string, Membership>
}

export interface PersonalToken {
  readonly kind: 'personal token'
  readonly id: string
  readonly secret: string
  readonly person: Person
  readonly org: Organization
  /** Null for all that the person has at each use. */
  readonly permissions: readonly string[] | null
  readonly expiresAtMs: number
  isRevoked: boolean
}

export interface Service {
  readonly kind: 'service'
  readonly id: string
  readonly clientId: string
  readonly secret: string
  /** Null for one of the system. */
  readonly org: Organization | null
  scopes: readonly string[]
  includeTeams: boolean
  isDisabled: boolean
  isDeleted: boolean
  /** From then on a secret that was replaced is wrong; null for the present one. */
  replacedAtMs: number | null
  readonly expiresAtMs: number
}

/** What the token service takes from nobody. */
export interface Wrong {
  readonly kind: 'wrong'
  readonly what: string
  readonly authorization: string | null
}

export type Credential = PersonalToken | Service | Wrong

/** The state of the whole installation. */
export interface Installation {
  readonly nowMs: number
  readonly isPushHeld: boolean
}

export const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`

export function authorizationOf(credential: Credential): string | null {
  if (credential.kind === 'wrong') return credential.authorization
  return credential.kind === 'service'
    ? basic(credential.clientId, credential.secret)
    : basic('anyone', credential.secret)
}

export const described = (credential: Credential): string => {
  if (credential.kind === 'wrong') return credential.what
  if (credential.kind === 'service')
    return `service of ${credential.org?.name ?? 'the system'} [${credential.scopes}]${credential.includeTeams ? ' with teams' : ''}`
  const { person, org, permissions } = credential
  return `token of ${person.name} in ${org.name} [${permissions ?? 'all'}]`
}
