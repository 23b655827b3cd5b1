/** What this domain declares about people, organizations and credentials: permissions, settings, rate limits. */
import { adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional, perTier, YEAR_S } from '../runtime/setting/setting.js'
import { choice, flag, keyRing, list, mailbox, text, whole } from '../runtime/setting/types.js'

export const identityDeclarations = declare({
  name: 'identity',
  sections: { identity: 'Identity' },
  permissions: {
    'members:manage': adminsOnly('add, remove and change members'),
    'roles:manage': adminsOnly('create, change, assign and delete Roles'),
    'invitations:manage': adminsOnly('send, resend and revoke invitations'),
    'org:settings': adminsOnly('create organizations and teams, export, transfer, service principals'),
    'org:idp': adminsOnly('configure single sign-on'),
    'org:kms': adminsOnly("configure the customer's own keys"),
    'secrets:manage': adminsOnly("set and delete the organization's secrets"),
  },
  settings: {
    AUTH_LIMITER_MAX: given(
      'limits',
      whole(0),
      20,
      'Sign-in requests of an address in a window; 0 is off and refused in production',
    ),
    AUTH_LIMITER_WINDOWMS: given('limits', whole(1000, MS_MAX), 900_000, 'Window of AUTH_LIMITER_MAX, in ms'),
    STEP_UP_LIMITER_MAX: given(
      'limits',
      whole(0),
      5,
      'Confirmations of identity of a person in 60 s; 0 is off and refused in production',
    ),
    INVITATION_LIMITER_MAX: given('limits', whole(0), 50, 'Invitations of an organization in a day; 0 is off'),
    EXPORT_LIMITER_MAX: given('limits', whole(0), 2, 'Exports of an organization in an hour; 0 is off'),
    JWT_ALG: given(
      'identity',
      choice('HS256', 'EdDSA'),
      'HS256',
      'Algorithm of access tokens; with EdDSA each key of JWT_KEYS is an Ed25519 seed',
    ),
    JWT_KEYS: optional('identity', keyRing, 'Signing keys of tokens. Created in DATA_DIR in development', {
      secret: true,
      neededInProduction: true,
    }),
    JWT_ISSUER: optional('identity', text(255), 'Issuer of tokens; PUBLIC_URL when not set'),
    JWT_EXPIRES_IN: given('identity', whole(60, 86_400), 7200, 'Seconds for which an access token is valid'),
    ...perTier('JWT_EXPIRES_IN_', (tier) =>
      optional(
        'identity',
        whole(60, 86_400),
        `The same for organizations of tier ${tier}; JWT_EXPIRES_IN when not set`,
      ),
    ),
    REFRESH_TOKEN_EXPIRES_IN: given('identity', whole(60, YEAR_S), 2_592_000, 'Seconds after which a session ends'),
    REFRESH_TOKEN_IDLE: given(
      'identity',
      whole(60, YEAR_S),
      604_800,
      'Seconds without a refresh after which a session ends',
    ),
    STEP_UP_TTL_SECONDS: given(
      'identity',
      whole(30, 3600),
      300,
      'Seconds for which a confirmation of identity is valid',
    ),
    SECRET_ENCRYPTION_KEYS: optional(
      'identity',
      keyRing,
      'Keys that encrypt secrets at rest. Created in DATA_DIR in development',
      {
        secret: true,
        neededInProduction: true,
      },
    ),
    PASSWORD_MIN_LENGTH: given('identity', whole(8, 128), 8, 'Shortest password'),
    PASSWORD_HASH_COST: given(
      'identity',
      whole(4, 20),
      15,
      'Base-2 logarithm of the cost of scrypt; below 15 is refused in production',
    ),
    REGISTRATION: given('identity', choice('open', 'invite', 'closed'), 'open', 'Who can create an account'),
    BOOTSTRAP_SUPERADMIN_EMAILS: given(
      'identity',
      list(mailbox),
      [],
      'Addresses of system administrators: a person who sets a password by a link to that mailbox becomes one',
    ),
    ADMIN_IDENTIFIER: optional(
      'identity',
      mailbox,
      'Address of the first system administrator, created in an empty store; needs ADMIN_PASSWORD',
    ),
    ADMIN_PASSWORD: optional(
      'identity',
      text(128),
      'First password of ADMIN_IDENTIFIER, to be changed at the first sign-in; in production 12 characters or more',
      {
        secret: true,
      },
    ),
    INVITATION_EXPIRATION_DAYS: given('identity', whole(1, 365), 7, 'Days for which an invitation is valid'),
    ORG_DELETION_RETENTION_DAYS: given(
      'identity',
      whole(0, 3650),
      7,
      'Days between the deletion of an organization and its purge',
    ),
    ORG_SELF_DELETE: given('identity', flag, false, 'Whether an owner can delete the organization'),
    IMPERSONATION_NOTIFY: given(
      'identity',
      flag,
      true,
      'Whether a person is notified that a system administrator acted as them',
    ),
  },
  buckets: {
    /** Every page of the console requests this, and a whole office may share one address. */
    config: { per: 'ip', max: 600, windowMs: 60_000 },
    auth: { per: 'ip', max: 'AUTH_LIMITER_MAX', windowMs: 'AUTH_LIMITER_WINDOWMS' },
    /** The operation itself counts, because only it knows the session of a refresh token. */
    refresh: { per: 'session', max: 'AUTH_LIMITER_MAX', windowMs: 'AUTH_LIMITER_WINDOWMS' },
    'step-up': { per: 'user', max: 'STEP_UP_LIMITER_MAX', windowMs: 60_000 },
    invitations: { per: 'org', max: 'INVITATION_LIMITER_MAX', windowMs: 86_400_000 },
    export: { per: 'org', max: 'EXPORT_LIMITER_MAX', windowMs: 3_600_000 },
  },
})
