/** Sessions and every other credential. Secrets are stored as hashes, or encrypted under a key of the settings. */
import { global, tableSet, tenant } from '../../runtime/store/table-set.js'

export const credentialTables = tableSet(
  'credential',
  (k) => {
    const sessions = k.table(
      'sessions',
      {
        id: k.text('id').primaryKey(),
        userId: k.text('user_id').notNull(),
        /** The active organization: named in access tokens, used where a request names none. */
        orgId: k.text('org_id'),
        /** SHA-256 of the current refresh token, hex. */
        refreshHash: k.text('refresh_hash').notNull(),
        /** The hash before the last rotation; valid during the grace period for parallel tabs. */
        prevHash: k.text('prev_hash'),
        /** The current refresh token, encrypted under a key that only the holder of the previous token can derive. */
        successor: k.text('successor'),
        rotatedAtMs: k.epochMs('rotated_at_ms'),
        /** SHA-256 of the session cookie, hex; null for a session by tokens. */
        cookieHash: k.text('cookie_hash'),
        /** Hash of the previous cookie; valid during the grace period for requests under way. */
        prevCookieHash: k.text('prev_cookie_hash'),
        /** When the current cookie replaced the previous one; 0 where the previous one ended at once. */
        cookieGivenAtMs: k.epochMs('cookie_given_at_ms'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms').notNull(),
        /** The absolute end of the session, which use does not extend. */
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
        /** When and how the person proved who they are: `pwd`, `otp`. */
        authenticatedAtMs: k.epochMs('authenticated_at_ms').notNull(),
        methods: k.json<string[]>('methods').notNull(),
        /** The organization, with its teams, that a session vouched for by an identity provider is confined to. */
        boundOrgId: k.text('bound_org_id'),
        /** The provider, its name for the person, and its own session id, which a logout of the provider names. */
        providerId: k.text('provider_id'),
        providerSubject: k.text('provider_subject'),
        providerSid: k.text('provider_sid'),
        ip: k.text('ip'),
        userAgent: k.text('user_agent'),
        revokedAtMs: k.epochMs('revoked_at_ms'),
      },
      (t) => [
        k.uniqueIndex('sessions_refresh').on(t.refreshHash),
        k.index('sessions_prev').on(t.prevHash),
        k.uniqueIndex('sessions_cookie').on(t.cookieHash),
        k.index('sessions_prev_cookie').on(t.prevCookieHash),
        k.index('sessions_user').on(t.userId),
        k.index('sessions_expiry').on(t.expiresAtMs),
        k.index('sessions_provider').on(t.providerId, t.providerSubject),
      ],
    )
    /** Proofs that satisfy the enforced single sign-on of an organization, each for one session. */
    const sessionProofs = k.table(
      'session_proofs',
      {
        sessionId: k.text('session_id').notNull(),
        orgId: k.text('org_id').notNull(),
        /** sso, break-glass */
        method: k.text('method').notNull(),
        provedAtMs: k.epochMs('proved_at_ms').notNull(),
        /** When the proof ends before the session does; null where it lasts as long as the session. */
        expiresAtMs: k.epochMs('expires_at_ms'),
        /** The provider, its name for the person, and its own session id; null for break-glass. */
        providerId: k.text('provider_id'),
        providerSubject: k.text('provider_subject'),
        providerSid: k.text('provider_sid'),
      },
      (t) => [
        k.primaryKey({ columns: [t.sessionId, t.orgId] }),
        k.index('session_proofs_org').on(t.orgId),
        k.index('session_proofs_provider').on(t.providerId, t.providerSubject),
      ],
    )
    const spentRefreshTokens = k.table(
      'spent_refresh_tokens',
      {
        tokenHash: k.text('token_hash').primaryKey(),
        sessionId: k.text('session_id').notNull(),
        spentAtMs: k.epochMs('spent_at_ms').notNull(),
      },
      (t) => [k.index('spent_refresh_tokens_session').on(t.sessionId)],
    )
    const personalAccessTokens = k.table(
      'personal_access_tokens',
      {
        id: k.text('id').primaryKey(),
        /** The one organization that the token works in. */
        orgId: k.text('org_id').notNull(),
        userId: k.text('user_id').notNull(),
        name: k.text('name').notNull(),
        tokenHash: k.text('token_hash').notNull(),
        /** The last four characters of the token. */
        hint: k.text('hint').notNull(),
        /** The permissions that the token is narrowed to; null for all that its owner has at each use. */
        permissions: k.json<string[]>('permissions'),
        /** Ends with a change of the owner's password. */
        bindToPassword: k.bool('bind_to_password').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms'),
        revokedAtMs: k.epochMs('revoked_at_ms'),
      },
      (t) => [
        k.uniqueIndex('personal_access_tokens_hash').on(t.tokenHash),
        k.index('personal_access_tokens_user').on(t.userId),
        k.index('personal_access_tokens_org').on(t.orgId, t.userId),
      ],
    )
    const oneTimeTokens = k.table(
      'one_time_tokens',
      {
        tokenHash: k.text('token_hash').primaryKey(),
        /** verify-email, reset-password, restore-email */
        kind: k.text('kind').notNull(),
        userId: k.text('user_id').notNull(),
        /** The address that using the token verifies or restores. */
        email: k.text('email'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [
        k.index('one_time_tokens_user').on(t.userId, t.kind),
        k.index('one_time_tokens_expiry').on(t.expiresAtMs),
      ],
    )
    const lockouts = k.table(
      'lockouts',
      {
        /** SHA-256 of what is guessed, because an identifier may be a password typed into the wrong field. */
        key: k.text('key').primaryKey(),
        failures: k.count('failures').notNull(),
        lastFailureAtMs: k.epochMs('last_failure_at_ms').notNull(),
        lockedUntilMs: k.epochMs('locked_until_ms').notNull(),
      },
      (t) => [k.index('lockouts_age').on(t.lastFailureAtMs)],
    )
    const knownNetworks = k.table(
      'known_networks',
      {
        /** SHA-256 of the person and the network, so that the table does not reveal where a person was. */
        key: k.text('key').primaryKey(),
        userId: k.text('user_id').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms').notNull(),
      },
      (t) => [
        k.index('known_networks_user').on(t.userId, t.lastUsedAtMs),
        k.index('known_networks_age').on(t.lastUsedAtMs),
      ],
    )
    const mailPauses = k.table(
      'mail_pauses',
      {
        /** SHA-256 of the kind of e-mail and the address, because the address may belong to a stranger. */
        key: k.text('key').primaryKey(),
        sentAtMs: k.epochMs('sent_at_ms').notNull(),
      },
      (t) => [k.index('mail_pauses_age').on(t.sentAtMs)],
    )
    const usedTokenIds = k.table(
      'used_token_ids',
      {
        /** The `jti` of a single-use token. */
        jti: k.text('jti').primaryKey(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('used_token_ids_expiry').on(t.expiresAtMs)],
    )
    const totpFactors = k.table('totp_factors', {
      userId: k.text('user_id').primaryKey(),
      /** The shared secret, sealed under `SECRET_ENCRYPTION_KEYS`. */
      sealedSecret: k.text('sealed_secret').notNull(),
      /** Null until the first code proved that the authenticator app has it. */
      confirmedAtMs: k.epochMs('confirmed_at_ms'),
      /** The time step of the last accepted code: a code is valid once. */
      lastTimeStep: k.large('last_time_step'),
      createdAtMs: k.epochMs('created_at_ms').notNull(),
    })
    const recoveryCodes = k.table(
      'recovery_codes',
      {
        codeHash: k.text('code_hash').primaryKey(),
        userId: k.text('user_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [k.index('recovery_codes_user').on(t.userId)],
    )
    /** External accounts that sign a person in, by provider, issuer and subject; never by an address. */
    const socialLinks = k.table(
      'social_links',
      {
        id: k.text('id').primaryKey(),
        userId: k.text('user_id').notNull(),
        provider: k.text('provider').notNull(),
        issuer: k.text('issuer').notNull(),
        subject: k.text('subject').notNull(),
        /** The address that the provider reported when the account was linked, so that the person recognizes it. */
        email: k.text('email'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        lastUsedAtMs: k.epochMs('last_used_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('social_links_subject').on(t.provider, t.issuer, t.subject),
        k.uniqueIndex('social_links_user').on(t.userId, t.provider),
      ],
    )
    return {
      sessions,
      sessionProofs,
      spentRefreshTokens,
      personalAccessTokens,
      oneTimeTokens,
      lockouts,
      knownNetworks,
      mailPauses,
      usedTokenIds,
      totpFactors,
      recoveryCodes,
      socialLinks,
    }
  },
  {
    sessions: global('a session belongs to a person, who acts in several organizations'),
    sessionProofs: global('belongs to a session; looked at before the organization of a request is settled'),
    spentRefreshTokens: global('found by hash alone, to notice that a spent refresh token is presented'),
    personalAccessTokens: tenant(),
    oneTimeTokens: global('belongs to a person; found by hash before an organization is known'),
    lockouts: global('guesses are counted before anybody is known'),
    knownNetworks: global('looked at before anybody is signed in'),
    mailPauses: global('counted by address, no matter who asks'),
    usedTokenIds: global('a single-use token is marked as used before its operation begins'),
    totpFactors: global('a second factor belongs to a person'),
    recoveryCodes: global('recovery codes belong to a person'),
    socialLinks: global('found by the word of a provider before anybody is known'),
  },
)
