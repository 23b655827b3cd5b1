/** People, sessions, credentials, organizations and what they may do. */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

export const identityTables = tableSet(
  'identity',
  (k) => {
    const organizations = k.table(
      'organizations',
      {
        id: k.text('id').primaryKey(),
        name: k.text('name').notNull(),
        displayName: k.text('display_name').notNull(),
        slug: k.text('slug').notNull(),
        description: k.text('description').notNull(),
        parentOrgId: k.text('parent_org_id'),
        rootOrgId: k.text('root_org_id').notNull(),
        isSystem: k.bool('is_system').notNull(),
        ownerId: k.text('owner_id'),
        tier: k.text('tier').notNull(),
        settings: k.json<{ memberWriteScope: 'own' | 'org'; defaultRoleIds: string[] }>('settings').notNull(),
        /** Extra seats and features from the account's add-ons, set by the billing service. */
        seatLimit: k.count('seat_limit'),
        addonFeatures: k.json<string[]>('addon_features').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        deletedAtMs: k.epochMs('deleted_at_ms'),
        deletedBy: k.text('deleted_by'),
        purgeAfterMs: k.epochMs('purge_after_ms'),
      },
      (t) => [k.uniqueIndex('organizations_slug').on(t.slug), k.index('organizations_parent').on(t.parentOrgId)],
    )
    const users = k.table(
      'users',
      {
        id: k.text('id').primaryKey(),
        username: k.text('username').notNull(),
        /** Lower case, for look-up. */
        usernameKey: k.text('username_key').notNull(),
        email: k.text('email').notNull(),
        emailKey: k.text('email_key').notNull(),
        /** A new address that waits for its verification. */
        pendingEmail: k.text('pending_email'),
        emailVerifiedAtMs: k.epochMs('email_verified_at_ms'),
        /** PHC string; null for an account without a password. */
        passwordHash: k.text('password_hash'),
        mustChangePassword: k.bool('must_change_password').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** Features switched on or off for this person. */
        featureOverrides: k.json<Record<string, boolean>>('feature_overrides').notNull(),
        /** Grows with every change of privilege; a token with another value is dead. */
        tokenVersion: k.count('token_version').notNull(),
        activeOrgId: k.text('active_org_id'),
        preferences: k.json<Record<string, unknown>>('preferences').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        lastActiveAtMs: k.epochMs('last_active_at_ms'),
      },
      (t) => [k.uniqueIndex('users_username_key').on(t.usernameKey), k.uniqueIndex('users_email_key').on(t.emailKey)],
    )
    const memberships = k.table(
      'memberships',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        userId: k.text('user_id').notNull(),
        isActive: k.bool('is_active').notNull(),
        joinedAtMs: k.epochMs('joined_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('memberships_org_user').on(t.orgId, t.userId), k.index('memberships_user').on(t.userId)],
    )
    const roles = k.table(
      'roles',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        nameKey: k.text('name_key').notNull(),
        description: k.text('description').notNull(),
        permissions: k.json<string[]>('permissions').notNull(),
        builtIn: k.bool('built_in').notNull(),
        /** superadmin, admin, member */
        grantsLevel: k.text('grants_level').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('roles_org_name').on(t.orgId, t.nameKey)],
    )
    const roleAssignments = k.table(
      'role_assignments',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        roleId: k.text('role_id').notNull(),
        userId: k.text('user_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('role_assignments_role_user').on(t.roleId, t.userId),
        k.index('role_assignments_org_user').on(t.orgId, t.userId),
      ],
    )
    return { organizations, users, memberships, roles, roleAssignments }
  },
  {
    organizations: tenant('id'),
    users: global(
      'a person belongs to several organizations',
      'SELECT (id, username, username_key, email, email_key, email_verified_at_ms, is_active, last_active_at_ms)',
    ),
    memberships: tenant(),
    roles: tenant(),
    roleAssignments: tenant(),
  },
)
