/** People, sessions, credentials, organizations and what they may do. */
import { softDeleteColumns } from '../runtime/records/soft-delete.js'
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

/** The source of a Role that a person gave, in contrast to one that a group gives. */
export const MANUAL = 'manual'

export const identityTables = tableSet(
  'identity',
  (k) => {
    const organizations = k.table(
      'organizations',
      {
        id: k.text('id').primaryKey(),
        name: k.text('name').notNull(),
        /** The name in the form that lists sort by, without regard to case. */
        nameKey: k.text('name_key').notNull(),
        displayName: k.text('display_name').notNull(),
        slug: k.text('slug').notNull(),
        description: k.text('description').notNull(),
        parentOrgId: k.text('parent_org_id'),
        rootOrgId: k.text('root_org_id').notNull(),
        isSystem: k.bool('is_system').notNull(),
        ownerId: k.text('owner_id'),
        tier: k.text('tier').notNull(),
        settings: k.json<{ memberWriteScope: 'own' | 'org'; defaultRoleIds: string[] }>('settings').notNull(),
        /**
         * Seats of the account and features of its add-ons, set by the billing service; null for the tier's number of
         * seats.
         */
        seatLimit: k.count('seat_limit'),
        /** When single sign-on became required to act here; null while it is not required. */
        ssoEnforcedAtMs: k.epochMs('sso_enforced_at_ms'),
        /** When an account that enforces single sign-on lost its last sign-on. */
        ssoLostAtMs: k.epochMs('sso_lost_at_ms'),
        addonFeatures: k.json<string[]>('addon_features').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        // `purgeAfterMs` is null on a deleted organization whose purge has begun, so that it cannot be restored.
        ...softDeleteColumns(k),
      },
      (t) => [
        k.uniqueIndex('organizations_slug').on(t.slug),
        k.index('organizations_by_name').on(t.nameKey, t.id),
        k.index('organizations_parent').on(t.parentOrgId),
        k.index('organizations_root').on(t.rootOrgId),
        k.index('organizations_owner').on(t.ownerId),
        k.index('organizations_purge').on(t.purgeAfterMs),
      ],
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
        /** A new address that is not verified yet. */
        pendingEmail: k.text('pending_email'),
        /** The session that requested the new address; it survives the change. */
        pendingSessionId: k.text('pending_session_id'),
        emailVerifiedAtMs: k.epochMs('email_verified_at_ms'),
        /** PHC string; null for an account without a password. */
        passwordHash: k.text('password_hash'),
        /** The folded address of the mailbox whose link set the current password; null when it was set otherwise. */
        passwordProvedKey: k.text('password_proved_key'),
        mustChangePassword: k.bool('must_change_password').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** Features switched on or off for this person. */
        featureOverrides: k.json<Record<string, boolean>>('feature_overrides').notNull(),
        /** Incremented by what ends access tokens: removal, deactivation, a password reset, signing out everywhere. */
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
        /** `manual`, or the identity provider whose groups give it; a person may have a Role from several sources. */
        source: k.text('source').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('role_assignments_role_user').on(t.roleId, t.userId, t.source),
        k.index('role_assignments_org_user').on(t.orgId, t.userId),
      ],
    )
    /** A member's rights in compliance in addition to their Roles; at most one per member (spec compliance 12). */
    const complianceRoles = k.table(
      'compliance_roles',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        userId: k.text('user_id').notNull(),
        /** viewer, editor, admin */
        role: k.text('role').notNull(),
        grantedBy: k.text('granted_by'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('compliance_roles_user').on(t.orgId, t.userId)],
    )
    const invitations = k.table(
      'invitations',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        email: k.text('email').notNull(),
        emailKey: k.text('email_key').notNull(),
        /**
         * The e-mail's key while the invitation is pending, else null: at most one live invitation per organization and
         * address.
         */
        liveKey: k.text('live_key'),
        /** admin, member */
        role: k.text('role').notNull(),
        roleIds: k.json<string[]>('role_ids').notNull(),
        message: k.text('message').notNull(),
        /** pending, accepted, declined, revoked, expired; a pending one past its expiry reads as expired */
        status: k.text('status').notNull(),
        /** SHA-256 of the token in the link, hex. */
        tokenHash: k.text('token_hash').notNull(),
        /** any, email, oauth */
        invitationType: k.text('invitation_type').notNull(),
        allowedOAuthProviders: k.json<string[]>('allowed_oauth_providers').notNull(),
        invitedBy: k.text('invited_by').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
        sentAtMs: k.epochMs('sent_at_ms').notNull(),
        sendCount: k.count('send_count').notNull(),
        /** The UTC day that `resendsOnDay` counts, such as `2026-11-21`. */
        resendDay: k.text('resend_day'),
        resendsOnDay: k.count('resends_on_day').notNull(),
        /** Whether the link was sent by e-mail only, so that a person who has it reads that mailbox. */
        sentByMail: k.bool('sent_by_mail').notNull(),
        acceptedAtMs: k.epochMs('accepted_at_ms'),
        acceptedBy: k.text('accepted_by'),
        acceptedVia: k.text('accepted_via'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('invitations_token').on(t.tokenHash),
        k.uniqueIndex('invitations_live').on(t.orgId, t.liveKey),
        k.index('invitations_status').on(t.status, t.expiresAtMs),
        k.index('invitations_pending').on(t.orgId, t.status, t.expiresAtMs),
        k.index('invitations_org_created').on(t.orgId, t.createdAtMs),
      ],
    )
    const servicePrincipals = k.table(
      'service_principals',
      {
        id: k.text('id').primaryKey(),
        /** Null for the service principals of the system. */
        orgId: k.text('org_id'),
        name: k.text('name').notNull(),
        /** `<organization or "system">:<name in lower case>`: names are unique within their organization. */
        nameKey: k.text('name_key').notNull(),
        clientId: k.text('client_id').notNull(),
        /** SHA-256 of the secret, hex: 32 random bytes need no slow hash. */
        secretHash: k.text('secret_hash').notNull(),
        secretHint: k.text('secret_hint').notNull(),
        /** The secret before the last rotation, good until `previousUntilMs`. */
        previousSecretHash: k.text('previous_secret_hash'),
        previousUntilMs: k.epochMs('previous_until_ms'),
        scopes: k.json<string[]>('scopes').notNull(),
        includeTeams: k.bool('include_teams').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
        /** How long a secret is valid from the moment at which it is given. */
        validForMs: k.epochMs('valid_for_ms').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms'),
        disabledAtMs: k.epochMs('disabled_at_ms'),
        createdBy: k.text('created_by').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('service_principals_client').on(t.clientId),
        k.uniqueIndex('service_principals_name').on(t.nameKey),
        k.index('service_principals_org').on(t.orgId),
      ],
    )
    const orgSecrets = k.table(
      'org_secrets',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        /**
         * The key's id and AES-256-GCM ciphertext, as the secret box writes it; bound to the organization and the name.
         */
        sealed: k.text('sealed').notNull(),
        /**
         * Names of the plugins whose builds may read the secret; `*` means all. An empty list releases it to no plugin.
         */
        plugins: k.json<readonly string[]>('plugins').notNull(),
        updatedBy: k.text('updated_by').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('org_secrets_org_name').on(t.orgId, t.name)],
    )
    /** Incremented after each change of a kind of record, so that other processes drop their cached ones. */
    const identityStamps = k.table('identity_stamps', {
      /** users, organizations, sessions, tokens, services */
      kind: k.text('kind').primaryKey(),
      stamp: k.large('stamp').notNull(),
    })
    return {
      organizations,
      users,
      memberships,
      roles,
      roleAssignments,
      complianceRoles,
      invitations,
      servicePrincipals,
      orgSecrets,
      identityStamps,
    }
  },
  {
    // A team reads its root, because it has the root's tier and features.
    organizations: tenant('id', { sharedWhen: 'parent_org_id IS NULL' }),
    users: global(
      'a person belongs to several organizations',
      'SELECT (id, username, username_key, email, email_key, email_verified_at_ms, is_active, last_active_at_ms, token_version), UPDATE (token_version)',
    ),
    memberships: tenant(),
    roles: tenant(),
    roleAssignments: tenant(),
    complianceRoles: tenant(),
    invitations: tenant(),
    servicePrincipals: tenant(),
    orgSecrets: tenant(),
    identityStamps: global('one number a kind of record, over all organizations'),
  },
)
