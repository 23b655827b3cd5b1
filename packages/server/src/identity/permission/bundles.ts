/**
 * The permissions of the built-in Roles. Source: spec platform 5.
 * INVARIANT: Member's permissions are among Admin's, and Admin's among those that an organization may assign.
 */
import { PERMISSION_CATALOGUE, PERMISSIONS, type Permission } from '../../runtime/operation/access.js'

const having = (key: 'assignable' | 'admin' | 'member'): readonly Permission[] =>
  PERMISSIONS.filter((name) => PERMISSION_CATALOGUE[name][key])

/** What a custom Role may hold. */
export const ASSIGNABLE_PERMISSIONS = having('assignable')
/** The built-in Role Admin; an owner has these permissions regardless of Roles. */
export const ADMIN_PERMISSIONS = having('admin')
/** The built-in Role Member. */
export const MEMBER_PERMISSIONS = having('member')

/** The label that a built-in Role gives its holder, and for `superadmin` the rights of a system administrator. */
export type GrantsLevel = 'superadmin' | 'admin' | 'member'

export interface BuiltInRole {
  readonly name: string
  readonly description: string
  readonly grantsLevel: GrantsLevel
  readonly permissions: readonly Permission[]
}

export const ADMIN_ROLE: BuiltInRole = {
  name: 'Admin',
  description: 'Manages the organization, its members and everything in it',
  grantsLevel: 'admin',
  permissions: ADMIN_PERMISSIONS,
}
export const MEMBER_ROLE: BuiltInRole = {
  name: 'Member',
  description: 'Works with pipelines, plugins, reports and messages',
  grantsLevel: 'member',
  permissions: MEMBER_PERMISSIONS,
}
/** Exists only in the system organization. */
export const SUPER_ADMIN_ROLE: BuiltInRole = {
  name: 'Super Admin',
  description: 'Administers the whole installation',
  grantsLevel: 'superadmin',
  permissions: PERMISSIONS,
}
