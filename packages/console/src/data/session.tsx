/** Who is signed in, in the organization of the address. Permissions are the server's answer; nothing is derived here. */
import { createContext, type ReactNode, useContext } from 'react'
import type { components } from './api.js'

export interface Session {
  readonly user: components['schemas']['MeUser']
  readonly organization: components['schemas']['MeOrganization']
  readonly memberships: readonly components['schemas']['MeMembership'][]
  readonly permissions: ReadonlySet<string>
  readonly features: ReadonlySet<string>
  /** What this server has at all, by the names of `/config`. */
  readonly server: Readonly<Record<string, boolean>>
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

export const useCan = (permission: string): boolean => useSession().permissions.has(permission)
