/** The people and groups that a directory (SCIM) reports, and the tokens that it signs in with. */
import { tableSet, tenant } from '../runtime/store/table-set.js'

export const provisioningTables = tableSet(
  'provisioning',
  (k) => {
    /** A group of an identity provider: named by a mapping, or sent by the directory. */
    const idpGroups = k.table(
      'idp_groups',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        providerId: k.text('provider_id').notNull(),
        /** The provider's spelling: names that differ only in case are two groups. */
        name: k.text('name').notNull(),
        /** Lower case, for filters. */
        nameKey: k.text('name_key').notNull(),
        externalId: k.text('external_id'),
        /** The directory manages the members by SCIM; group claims of a sign-in do not change them. */
        isScim: k.bool('is_scim').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('idp_groups_name').on(t.providerId, t.name),
        k.uniqueIndex('idp_groups_external').on(t.providerId, t.externalId),
        k.index('idp_groups_key').on(t.providerId, t.nameKey),
        k.index('idp_groups_org').on(t.orgId, t.id),
      ],
    )
    const idpGroupMembers = k.table(
      'idp_group_members',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        groupId: k.text('group_id').notNull(),
        userId: k.text('user_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('idp_group_members_pair').on(t.groupId, t.userId),
        k.index('idp_group_members_user').on(t.orgId, t.userId),
        k.index('idp_group_members_org').on(t.orgId, t.id),
      ],
    )
    /** Roles that the members of a group have. */
    const groupRoles = k.table(
      'group_roles',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        providerId: k.text('provider_id').notNull(),
        groupId: k.text('group_id').notNull(),
        roleId: k.text('role_id').notNull(),
        /** The person whose ceiling applies: the mapping gives the Role while that person may give it. */
        authorId: k.text('author_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('group_roles_pair').on(t.groupId, t.roleId),
        k.index('group_roles_role').on(t.orgId, t.roleId),
        k.index('group_roles_org').on(t.orgId, t.id),
      ],
    )
    const scimTokens = k.table(
      'scim_tokens',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** The provider whose directory uses the token. */
        providerId: k.text('provider_id').notNull(),
        name: k.text('name').notNull(),
        /** SHA-256 of the token, hex. */
        tokenHash: k.text('token_hash').notNull(),
        hint: k.text('hint').notNull(),
        createdBy: k.text('created_by').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms'),
      },
      (t) => [k.uniqueIndex('scim_tokens_hash').on(t.tokenHash), k.index('scim_tokens_org').on(t.orgId, t.id)],
    )
    /** What the directory reports about a member. The membership says whether the person is active. */
    const scimUsers = k.table(
      'scim_users',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        providerId: k.text('provider_id').notNull(),
        userId: k.text('user_id').notNull(),
        userName: k.text('user_name').notNull(),
        userNameKey: k.text('user_name_key').notNull(),
        externalId: k.text('external_id'),
        email: k.text('email').notNull(),
        emailKey: k.text('email_key').notNull(),
        displayName: k.text('display_name'),
        givenName: k.text('given_name'),
        familyName: k.text('family_name'),
        formattedName: k.text('formatted_name'),
        title: k.text('title'),
        /** The values in lower case, for filters. */
        displayNameKey: k.text('display_name_key'),
        givenNameKey: k.text('given_name_key'),
        familyNameKey: k.text('family_name_key'),
        formattedNameKey: k.text('formatted_name_key'),
        titleKey: k.text('title_key'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('scim_users_person').on(t.orgId, t.userId),
        k.uniqueIndex('scim_users_name').on(t.orgId, t.userNameKey),
        k.uniqueIndex('scim_users_external').on(t.orgId, t.externalId),
        k.index('scim_users_email').on(t.orgId, t.emailKey),
        k.index('scim_users_org').on(t.orgId, t.id),
      ],
    )
    return { idpGroups, idpGroupMembers, groupRoles, scimTokens, scimUsers }
  },
  {
    idpGroups: tenant(),
    idpGroupMembers: tenant(),
    groupRoles: tenant(),
    scimTokens: tenant(),
    scimUsers: tenant(),
  },
)
export type GroupRow = ReturnType<typeof provisioningTables>['idpGroups']['$inferSelect']
export type ScimTokenRow = ReturnType<typeof provisioningTables>['scimTokens']['$inferSelect']
export type ScimUserRow = ReturnType<typeof provisioningTables>['scimUsers']['$inferSelect']
