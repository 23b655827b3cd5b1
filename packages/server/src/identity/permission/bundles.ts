/**
 * What the built-in Roles hold. Source: platform decisions 5.
 * INVARIANT: Member's permissions are among Admin's, and Admin's among those that an organization may assign.
 */
import { PERMISSIONS, type Permission } from '../../runtime/operation/access.js'

interface PermissionEntry {
  /** May stand in a Role that an organization makes. */
  readonly assignable: boolean
  readonly admin: boolean
  readonly member: boolean
  /** What it guards, for the documentation. */
  readonly guards: string
}

const both = (guards: string): PermissionEntry => ({ assignable: true, admin: true, member: true, guards })
const adminOnly = (guards: string): PermissionEntry => ({ assignable: true, admin: true, member: false, guards })
const systemOnly = (guards: string): PermissionEntry => ({ assignable: false, admin: false, member: false, guards })

export const PERMISSION_CATALOGUE: Readonly<Record<Permission, PermissionEntry>> = {
  'pipelines:read': both('list, find and read pipelines, scorecards, the registry and templates'),
  'pipelines:write': both('create, update and delete pipelines, author templates, generate'),
  'pipelines:publish': adminOnly('make a pipeline or template public, change a public one'),
  'plugins:read': both('list, find and read plugins, their use and the build queue'),
  'plugins:write': both('upload, update, delete, generate and replay plugins'),
  'plugins:publish': adminOnly('make a plugin public, change a public one'),
  'compliance:read': both('read rules, policies, scans and reports of compliance'),
  'compliance:write': adminOnly('change rules, policies, exemptions and schedules'),
  'members:manage': adminOnly('add, remove and change members'),
  'roles:manage': adminOnly('create, change, assign and delete Roles'),
  'invitations:manage': adminOnly('send, resend and revoke invitations'),
  'dashboards:read': both('read dashboards'),
  'dashboards:write': adminOnly('change dashboards'),
  'observability:read': both('read alert rules and destinations'),
  'observability:write': adminOnly('change alert rules and destinations'),
  'reports:read': both('read reports'),
  'reports:write': both('mark the outcome of a deployment'),
  'reports:rollup': adminOnly('include the teams below in a report'),
  'messages:read': both('read messages'),
  'messages:write': both('send, answer and delete messages'),
  'billing:read': both('read the subscription and invoices'),
  'billing:manage': adminOnly('change the subscription'),
  'quotas:read': both('read limits and usage'),
  'registry:read': systemOnly('read the image registry'),
  'registry:write': systemOnly('delete from the image registry'),
  'org:settings': adminOnly('create organizations and teams, export, transfer, service principals'),
  'org:idp': adminOnly('configure single sign-on'),
  'org:kms': adminOnly("configure the customer's own keys"),
  'audit:read': adminOnly('read and verify the audit trail'),
  'secrets:manage': adminOnly("set and delete the organization's secrets"),
}

const having = (key: 'assignable' | 'admin' | 'member'): readonly Permission[] =>
  PERMISSIONS.filter((name) => PERMISSION_CATALOGUE[name][key])

/** What a custom Role may hold. */
export const ASSIGNABLE_PERMISSIONS = having('assignable')
/** The built-in Role Admin, and what an owner holds whatever the Roles say. */
export const ADMIN_PERMISSIONS = having('admin')
/** The built-in Role Member. */
export const MEMBER_PERMISSIONS = having('member')

/** Who a built-in Role makes somebody: a label, and for `superadmin` the rights of a system administrator. */
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
/** In the system organization alone. */
export const SUPER_ADMIN_ROLE: BuiltInRole = {
  name: 'Super Admin',
  description: 'Administers the whole installation',
  grantsLevel: 'superadmin',
  permissions: PERMISSIONS,
}
