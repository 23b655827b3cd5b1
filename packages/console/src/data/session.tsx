/** The signed-in person in the current organization. Permissions come from the server, and nothing is derived here. */
import { createContext, type ReactNode, useContext } from 'react'
import type { components } from './api.js'

export type ServerSections = components['schemas']['IdentityConfigSection']

export interface Session {
  readonly user: components['schemas']['MeUser']
  readonly organization: components['schemas']['MeOrganization']
  readonly memberships: readonly components['schemas']['MeMembership'][]
  readonly permissions: ReadonlySet<string>
  readonly features: ReadonlySet<string>
  /** The sections that this server has, by their names in `/config`. */
  readonly server: ServerSections
}

const SessionContext = createContext<Session | null>(null)

export const SessionProvider = ({ value, children }: { value: Session; children: ReactNode }) => (
  <SessionContext value={value}>{children}</SessionContext>
)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('a screen stands below the session')
  return session
}

/** Whether a person who may write may change this record: all records, or only what they or their teams own. */
export function useMayChange(): (of: { readonly ownerId?: string | null }) => boolean {
  const { organization, user, memberships } = useSession()
  return ({ ownerId }) =>
    organization.changes === 'all' ||
    ownerId === user.id ||
    memberships.some(({ organizationId, isActive }) => isActive && organizationId === ownerId)
}

export const useCan = (permission: string): boolean => useSession().permissions.has(permission)
