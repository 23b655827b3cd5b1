/**
 * Identity providers of organizations, the domains that they proved, links of identities to accounts, and pending
 * sign-ins.
 */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

/** `attach` proves a session by an identity that is linked already, `link` also links the identity. */
export const FLOW_KINDS = ['sign-in', 'attach', 'link', 'step-up', 'test', 'program'] as const
export type SocialFlowKind = 'sign-in' | 'program' | 'link' | 'step-up' | 'invitation' | 'grant' | 'confirmation'
export type FlowKind = (typeof FLOW_KINDS)[number]

export const ssoTables = tableSet(
  'sso',
  (k) => {
    const identityProviders = k.table(
      'identity_providers',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        nameKey: k.text('name_key').notNull(),
        isDefault: k.bool('is_default').notNull(),
        issuer: k.text('issuer').notNull(),
        clientId: k.text('client_id').notNull(),
        /** Null for a public client. */
        sealedSecret: k.text('sealed_secret'),
        /** The one accepted algorithm of ID tokens. */
        alg: k.text('alg').notNull(),
        scopes: k.json<string[]>('scopes').notNull(),
        groupsClaim: k.text('groups_claim'),
        enabled: k.bool('enabled').notNull(),
        jit: k.bool('jit').notNull(),
        /** Whether an address counts as verified when the provider does not say so. */
        trustEmail: k.bool('trust_email').notNull(),
        /** Authentication methods of which an ID token must name one; empty accepts any. */
        amr: k.json<string[]>('amr').notNull(),
        sessionHours: k.count('session_hours').notNull(),
        defaultRoleIds: k.json<string[]>('default_role_ids').notNull(),
        revision: k.count('revision').notNull(),
        /** Of its mapping of groups to Roles. */
        groupsRevision: k.count('groups_revision').notNull(),
        /** The last test sign-in: by whom, when, at which revision. */
        testedBy: k.text('tested_by'),
        testedAtMs: k.epochMs('tested_at_ms'),
        testedRevision: k.count('tested_revision'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('identity_providers_name').on(t.orgId, t.nameKey)],
    )
    const idpDomains = k.table(
      'idp_domains',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        domain: k.text('domain').notNull(),
        /** The domain while this organization holds it; a domain has one holder. */
        heldDomain: k.text('held_domain'),
        token: k.text('token').notNull(),
        verifiedAtMs: k.epochMs('verified_at_ms'),
        checkedAtMs: k.epochMs('checked_at_ms'),
        /**
         * When an answer first lacked the record; null while it exists. A look-up without an answer changes nothing.
         */
        missingSinceMs: k.epochMs('missing_since_ms'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('idp_domains_name').on(t.orgId, t.domain),
        k.uniqueIndex('idp_domains_held').on(t.heldDomain),
        k.index('idp_domains_checked').on(t.checkedAtMs),
      ],
    )
    const identityLinks = k.table(
      'identity_links',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        providerId: k.text('provider_id').notNull(),
        issuer: k.text('issuer').notNull(),
        subject: k.text('subject').notNull(),
        userId: k.text('user_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('identity_links_subject').on(t.providerId, t.issuer, t.subject),
        k.uniqueIndex('identity_links_user').on(t.providerId, t.userId),
        k.index('identity_links_org').on(t.orgId, t.userId),
        k.index('identity_links_person').on(t.userId),
      ],
    )
    const authFlows = k.table(
      'auth_flows',
      {
        /** SHA-256 of the state, hex. */
        stateHash: k.text('state_hash').primaryKey(),
        kind: k.text('kind').$type<FlowKind>().notNull(),
        orgId: k.text('org_id').notNull(),
        providerId: k.text('provider_id').notNull(),
        /** The revision of the provider when the flow started. */
        revision: k.count('revision').notNull(),
        nonce: k.text('nonce').notNull(),
        sealedVerifier: k.text('sealed_verifier').notNull(),
        /** SHA-256 of the cookie of the browser that started the flow, hex. */
        browserHash: k.text('browser_hash').notNull(),
        /** The signed-in user when the flow started, for a flow that belongs to a session. */
        userId: k.text('user_id'),
        sessionId: k.text('session_id'),
        /** The operation that a step-up is for. */
        action: k.text('action'),
        returnTo: k.text('return_to').notNull(),
        /** For a program on the person's machine: the address where it listens, and its PKCE challenge. */
        loopback: k.text('loopback'),
        challenge: k.text('challenge'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('auth_flows_expiry').on(t.expiresAtMs), k.index('auth_flows_org').on(t.orgId)],
    )
    /** Grants that a sign-in waits for: a mailbox that confirms it, or a program that takes it up. */
    const authGrants = k.table(
      'auth_grants',
      {
        tokenHash: k.text('token_hash').primaryKey(),
        kind: k.text('kind').$type<'confirm' | 'program'>().notNull(),
        orgId: k.text('org_id').notNull(),
        providerId: k.text('provider_id').notNull(),
        revision: k.count('revision').notNull(),
        userId: k.text('user_id').notNull(),
        issuer: k.text('issuer').notNull(),
        subject: k.text('subject').notNull(),
        sid: k.text('sid'),
        /** The provider's group claims; null if it sent none. */
        groups: k.json<readonly string[] | null>('groups'),
        /** Hash of the browser's cookie or the program's challenge, which the holder of the grant must also present. */
        boundHash: k.text('bound_hash').notNull(),
        returnTo: k.text('return_to').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('auth_grants_expiry').on(t.expiresAtMs), k.index('auth_grants_org').on(t.orgId)],
    )
    /** Pending sign-ins by a social account, and sign-ins and step-ups that wait for the program that started them. */
    const socialFlows = k.table(
      'social_flows',
      {
        /** SHA-256 of the state, or of the grant, hex. */
        stateHash: k.text('state_hash').primaryKey(),
        kind: k.text('kind').$type<SocialFlowKind>().notNull(),
        provider: k.text('provider').notNull(),
        nonce: k.text('nonce').notNull(),
        sealedVerifier: k.text('sealed_verifier').notNull(),
        /** SHA-256 of the browser's cookie, hex; for a grant, the challenge of its program. */
        boundHash: k.text('bound_hash').notNull(),
        /** The signed-in user when the flow started; for a grant, the user who signed in. */
        userId: k.text('user_id'),
        sessionId: k.text('session_id'),
        action: k.text('action'),
        /** The token of the invitation to accept, when the page that started the flow does not keep it. */
        sealedInvitation: k.text('sealed_invitation'),
        returnTo: k.text('return_to').notNull(),
        loopback: k.text('loopback'),
        challenge: k.text('challenge'),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('social_flows_expiry').on(t.expiresAtMs), k.index('social_flows_user').on(t.userId)],
    )
    const logoutTokens = k.table(
      'logout_tokens',
      {
        /** SHA-256 of issuer and `jti`, hex: a logout token is valid once. */
        key: k.text('key').primaryKey(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('logout_tokens_expiry').on(t.expiresAtMs)],
    )
    return { identityProviders, idpDomains, identityLinks, authFlows, authGrants, socialFlows, logoutTokens }
  },
  {
    identityProviders: tenant(),
    idpDomains: tenant(),
    identityLinks: tenant(),
    authFlows: global('found by its state before anybody is known'),
    authGrants: global('found by its token before anybody is known'),
    socialFlows: global('found by its state before anybody is known'),
    logoutTokens: global('marked as used before the sessions are known'),
  },
)
export type ProviderRow = ReturnType<typeof ssoTables>['identityProviders']['$inferSelect']
export type DomainRow = ReturnType<typeof ssoTables>['idpDomains']['$inferSelect']
export type LinkRow = ReturnType<typeof ssoTables>['identityLinks']['$inferSelect']
export type FlowRow = ReturnType<typeof ssoTables>['authFlows']['$inferSelect']
export type SocialFlowRow = ReturnType<typeof ssoTables>['socialFlows']['$inferSelect']
export type GrantRow = ReturnType<typeof ssoTables>['authGrants']['$inferSelect']
