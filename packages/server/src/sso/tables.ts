/** Identity providers of organizations, the domains they proved, whom an identity belongs to, and sign-ins under way. */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

export const FLOW_KINDS = ['sign-in', 'attach', 'step-up', 'test', 'program'] as const
export type SocialFlowKind = 'sign-in' | 'program' | 'link' | 'step-up' | 'invitation' | 'grant'
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
        /** The one algorithm of ID tokens. */
        alg: k.text('alg').notNull(),
        scopes: k.json<string[]>('scopes').notNull(),
        groupsClaim: k.text('groups_claim'),
        enabled: k.bool('enabled').notNull(),
        jit: k.bool('jit').notNull(),
        /** An address counts as verified where the provider does not say so. */
        trustEmail: k.bool('trust_email').notNull(),
        /** Methods of which an ID token must name one; empty for none. */
        amr: k.json<string[]>('amr').notNull(),
        sessionHours: k.count('session_hours').notNull(),
        defaultRoleIds: k.json<string[]>('default_role_ids').notNull(),
        revision: k.count('revision').notNull(),
        /** The last sign-in that was tried out: by whom, when, at which revision. */
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
        /** The domain while this organization holds it: one holder. */
        heldDomain: k.text('held_domain'),
        token: k.text('token').notNull(),
        verifiedAtMs: k.epochMs('verified_at_ms'),
        checkedAtMs: k.epochMs('checked_at_ms'),
        /** When an answer first lacked the record; null while it is there. A look without an answer changes nothing. */
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
        /** Of the provider when the flow began. */
        revision: k.count('revision').notNull(),
        nonce: k.text('nonce').notNull(),
        sealedVerifier: k.text('sealed_verifier').notNull(),
        /** SHA-256 of the cookie of the browser that began it, hex. */
        browserHash: k.text('browser_hash').notNull(),
        /** Who was signed in when it began, for a flow that belongs to a session. */
        userId: k.text('user_id'),
        sessionId: k.text('session_id'),
        /** The operation that a step-up is for. */
        action: k.text('action'),
        returnTo: k.text('return_to').notNull(),
        /** Of a program on the person's machine: where it listens, and the challenge that it answers. */
        loopback: k.text('loopback'),
        challenge: k.text('challenge'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('auth_flows_expiry').on(t.expiresAtMs), k.index('auth_flows_org').on(t.orgId)],
    )
    /** What a sign-in waits for: a mailbox that confirms it, or a program that takes it up. */
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
        /** What the provider said of groups; null where it said nothing. */
        groups: k.json<readonly string[] | null>('groups'),
        /** Of the browser, or of the program: what its bearer has to show besides. */
        boundHash: k.text('bound_hash').notNull(),
        returnTo: k.text('return_to').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('auth_grants_expiry').on(t.expiresAtMs), k.index('auth_grants_org').on(t.orgId)],
    )
    /** Sign-ins by a social account under way, and those that wait for the program that began them. */
    const socialFlows = k.table(
      'social_flows',
      {
        /** SHA-256 of the state, or of the grant, hex. */
        stateHash: k.text('state_hash').primaryKey(),
        kind: k.text('kind').$type<SocialFlowKind>().notNull(),
        provider: k.text('provider').notNull(),
        nonce: k.text('nonce').notNull(),
        sealedVerifier: k.text('sealed_verifier').notNull(),
        /** SHA-256 of the cookie of the browser, hex; of a grant the challenge of its program. */
        boundHash: k.text('bound_hash').notNull(),
        /** Who was signed in when it began; of a grant who signed in. */
        userId: k.text('user_id'),
        sessionId: k.text('session_id'),
        action: k.text('action'),
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
        /** SHA-256 over issuer and `jti`, hex: a logout token is good once. */
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
