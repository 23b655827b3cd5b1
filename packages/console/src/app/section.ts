/** What a section is, and whether it is open, locked, forbidden or absent for a person. No other code decides that. */
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Session } from '../data/session.js'
import type { Pair } from '../ui/words.js'

export type GroupId = 'top' | 'compliance' | 'catalogue' | 'evidence' | 'insight' | 'organization' | 'system'

export interface Section {
  readonly id: string
  readonly group: GroupId
  readonly icon: LucideIcon
  readonly name: Pair
  /** The permission that a person needs; of a list, any one. */
  readonly permission?: string | readonly string[]
  /** The feature that the organization must have bought. Without it the section is shown as locked. */
  readonly feature?: string
  /** The field of `sections` in `/config` that says whether the server has the section. */
  readonly server?: keyof Session['server']
  /** The setting with which an operator adds the section to a server. */
  readonly setting?: string
  /** Only for system administrators. */
  readonly superAdmin?: boolean
  /** Reached by the account menu and the search, and not listed in the navigation. */
  readonly isOwn?: boolean
  /** The shortcut key after `g`. */
  readonly key?: string
  /** Addresses below `/console/:org/`, and what is loaded for each. The first is the address of the section. */
  readonly routes: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
}

export type Standing = 'open' | 'absent' | 'forbidden' | 'locked'

export const permissionsOf = ({ permission = [] }: Pick<Section, 'permission'>): readonly string[] =>
  typeof permission === 'string' ? [permission] : permission

/**
 * The order matters. Nobody sees a section that the server lacks. A person without the permission is not offered to buy
 * the feature.
 */
export function standingOf(
  section: Section,
  { permissions, features, server: has, user }: Pick<Session, 'permissions' | 'features' | 'server' | 'user'>,
): Standing {
  const { feature, server, superAdmin } = section
  if (server !== undefined && !has[server]) return 'absent'
  if (superAdmin === true && !user.isSuperAdmin) return 'absent'
  const needed = permissionsOf(section)
  if (needed.length > 0 && !needed.some((each) => permissions.has(each))) return 'forbidden'
  if (feature !== undefined && !features.has(feature)) return 'locked'
  return 'open'
}
