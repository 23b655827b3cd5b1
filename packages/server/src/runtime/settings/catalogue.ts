/**
 * Every setting of the server as data: what it is called, how it is written, what it is when nobody sets it, and who
 * reads it. The reference page, `config print` and the parser come from this table. Tiers' limits and prices have a
 * table of their own in `@plumbline/billing-core`.
 */
import { soldTiers, tiers } from '@plumbline/billing-core'
import {
  address,
  choice,
  flag,
  keyRing,
  list,
  mailbox,
  matching,
  quotaPeriod,
  type SettingType,
  seed,
  text,
  whole,
} from './types.js'

export interface Setting<T = unknown> {
  readonly type: SettingType<T>
  /** The value when it is not set; null when there is none. */
  readonly default: T | null
  readonly domain: SettingDomain
  readonly doc: string
  /** Never printed, never logged. */
  readonly secret?: boolean
  /** A process with NODE_ENV=production does not start without it. */
  readonly neededInProduction?: boolean
}

export type SettingDomain =
  | 'process'
  | 'store'
  | 'http'
  | 'limits'
  | 'identity'
  | 'message'
  | 'mail'
  | 'audit'
  | 'compliance'
  | 'money'
  | 'records'

type Rest = Omit<Setting, 'type' | 'default' | 'domain' | 'doc'>

const given = <T>(domain: SettingDomain, type: SettingType<T>, value: T, doc: string, rest: Rest = {}) => ({
  type,
  default: value,
  domain,
  doc,
  ...rest,
})

const optional = <T>(domain: SettingDomain, type: SettingType<T>, doc: string, rest: Rest = {}) => ({
  type,
  default: null,
  domain,
  doc,
  ...rest,
})

const MS_MAX = 2_147_483_647
const YEAR_S = 366 * 86_400

export const MODULES = ['identity', 'audit', 'quota', 'compliance', 'message', 'plugin', 'pipeline'] as const
export type ModuleName = (typeof MODULES)[number]

type PerTier<Prefix extends string, S> = { readonly [T in (typeof tiers)[number] as `${Prefix}${Uppercase<T>}`]: S }

function perTier<Prefix extends string, S>(prefix: Prefix, make: (tier: (typeof tiers)[number]) => S) {
  return Object.fromEntries(tiers.map((tier) => [`${prefix}${tier.toUpperCase()}`, make(tier)])) as PerTier<Prefix, S>
}

function resetPeriods<S>(make: (tier: (typeof soldTiers)[number]) => S) {
  return Object.fromEntries(soldTiers.map((tier) => [`QUOTA_TIER_${tier.toUpperCase()}_RESET_PERIOD`, make(tier)])) as {
    readonly [T in (typeof soldTiers)[number] as `QUOTA_TIER_${Uppercase<T>}_RESET_PERIOD`]: S
  }
}

const PATH = matching(
  /^(\/|(\/[A-Za-z0-9._-]{1,50}){1,10})$/,
  'path that begins with `/`, such as `/api`, or `/` for the root',
)
const basePath: SettingType<string> = {
  ...PATH,
  parse: (value) => PATH.parse(value).replace(/^\/$/, ''),
  print: (value) => value || '/',
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

const LIMITER_MULTIPLIERS = { developer: 10, pro: 25, team: 50, enterprise: 100, unlimited: 200 }

export const CATALOGUE = {
  NODE_ENV: given(
    'process',
    choice('development', 'test', 'production'),
    'development',
    'In `production` missing, default and weak secrets refuse to start',
  ),
  HOST: given('process', text(255), '127.0.0.1', 'Address to listen on; the image sets `0.0.0.0`'),
  PORT: given('process', whole(0, 65_535), 3000, 'Port to listen on; 0 takes a free one'),
  TLS_CERT: optional('process', text(4096), 'File with the certificate chain (PEM); needs TLS_KEY. Without both, HTTP'),
  TLS_KEY: optional('process', text(4096), 'File with the private key of TLS_CERT (PEM)'),
  PUBLIC_URL: optional(
    'process',
    address('http', 'https'),
    'Address under which callers reach the server; the issuer of its tokens. The listening address when not set',
    { neededInProduction: true },
  ),
  APP_URL: optional(
    'process',
    address('http', 'https'),
    'Address that links in e-mails lead to; PUBLIC_URL when not set',
  ),
  DATA_DIR: given('process', text(4096), './data', 'Folder of the database file, keys, blobs and spools'),
  PLUMBLINE_MODULES: given(
    'process',
    list(choice(...MODULES)),
    MODULES,
    'Domains that this process mounts, with their workers',
  ),
  PLUMBLINE_DEMO: optional(
    'process',
    flag,
    'Whether an empty store gets a demo organization; `true` in development, `false` in production when not set',
  ),
  PLUMBLINE_WORKERS: given(
    'process',
    flag,
    true,
    'Whether this process runs jobs and schedules, or only answers requests',
  ),
  JOB_CONCURRENCY: given('process', whole(1, 256), 16, 'Jobs that one process runs at a time, over all kinds'),
  SHUTDOWN_GRACE_MS: given(
    'process',
    whole(0, MS_MAX),
    30_000,
    'How long a shutdown waits for requests and jobs before it cuts them',
  ),
  SHUTDOWN_DELAY_MS: given(
    'process',
    whole(0, MS_MAX),
    1000,
    'How long a process that is told to stop still accepts connections, so that balancers notice that it is not ready',
  ),
  LOG_LEVEL: given(
    'process',
    choice('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least level that is logged',
  ),
  LOG_FORMAT: given(
    'process',
    choice('auto', 'json', 'text'),
    'auto',
    'Form of a log line: `auto` is text on a terminal and JSON elsewhere',
  ),
  METRICS_TOKEN: optional('process', text(), 'Bearer token of `/metrics`', { secret: true }),
  METRICS_LOOPBACK: given(
    'process',
    flag,
    false,
    'Without METRICS_TOKEN, `/metrics` answers connections from this machine. Not behind a proxy on the same machine: whoever it lets in comes from there',
  ),
  REDIS_URL: optional(
    'process',
    address('redis', 'rediss'),
    'Redis for wake-ups, counters and invalidation; several replicas work without it, slower',
  ),
  REDIS_PREFIX: given(
    'process',
    matching(/^[A-Za-z0-9_-]{1,50}$/, 'letters, digits, `-` and `_`'),
    'plumbline',
    'Begins every key and channel in Redis; servers that share a Redis but not a database need different ones',
  ),
  DATABASE_URL: optional(
    'store',
    address('sqlite', 'postgres', 'postgresql'),
    '`sqlite:<file>` or `postgres://…`; `plumbline.db` in DATA_DIR when not set',
  ),
  DATABASE_TENANT_URL: optional(
    'store',
    address('postgres', 'postgresql'),
    "The same PostgreSQL database for a login that can become `plumbline_tenant` alone: tenants' statements run as it; DATABASE_URL when not set",
  ),
  DATABASE_SYSTEM_URL: optional(
    'store',
    address('postgres', 'postgresql'),
    'The same for `plumbline_system`: sign-in, jobs and system administration; DATABASE_URL when not set',
  ),
  DATABASE_POOL_MAX: given(
    'store',
    whole(2, 1000),
    10,
    'Connections that one process holds to PostgreSQL in each of its two pools',
  ),
  BLOB_STORE: given(
    'store',
    choice('fs', 's3'),
    'fs',
    'Where archives and attachments lie: `blobs` in DATA_DIR, or a bucket of an S3-compatible store',
  ),
  BLOB_S3_ENDPOINT: optional(
    'store',
    address('http', 'https'),
    'Address of the S3-compatible store; that of AWS in BLOB_S3_REGION when not set',
  ),
  BLOB_S3_BUCKET: optional('store', matching(BUCKET, 'name of a bucket'), 'Bucket; required by BLOB_STORE=s3'),
  BLOB_S3_REGION: given('store', matching(/^[a-z0-9-]{1,50}$/, 'name of a region'), 'us-east-1', 'Its region'),
  BLOB_S3_ACCESS_KEY_ID: optional('store', text(200), 'Access key; required by BLOB_STORE=s3'),
  BLOB_S3_SECRET_ACCESS_KEY: optional('store', text(), 'Its secret; required by BLOB_STORE=s3', { secret: true }),
  BLOB_S3_SESSION_TOKEN: optional('store', text(4096), 'Session token of temporary keys', { secret: true }),
  BLOB_S3_PREFIX: given(
    'store',
    matching(/^([A-Za-z0-9][A-Za-z0-9._-]{0,50}\/){0,5}$/, 'folders that end with `/`, such as `plumbline/`'),
    '',
    'Begins each name in the bucket. What lies under it is swept: nothing else may, and no second server',
  ),
  BLOB_S3_PATH_STYLE: given(
    'store',
    flag,
    true,
    'Whether the bucket stands in the path; `false` puts it in front of the host',
  ),
  BASE_PATH: given('http', basePath, '/api', 'Path under which the API is mounted'),
  TRUST_PROXY: given('http', whole(0, 32), 0, 'Proxies in front whose `x-forwarded-for` entries are believed'),
  CORS_ORIGIN: given('http', list(address('http', 'https')), [], 'Origins that browsers may call from'),
  MAX_PAGE_LIMIT: given('http', whole(1, 1000), 1000, 'Largest `limit` of a list; a larger one is brought down to it'),
  BODY_LIMIT_BYTES: given('http', whole(1024, 1 << 28), 1 << 20, 'Largest JSON body'),
  LIMITER_MAX: given(
    'limits',
    whole(0),
    100,
    'Anonymous requests of an address in a window, and the base of LIMITER_MULT_*; 0 is off',
  ),
  LIMITER_WINDOWMS: given('limits', whole(1000, MS_MAX), 900_000, 'Length of the window'),
  ...perTier('LIMITER_MULT_', (tier) =>
    given(
      'limits',
      whole(1, 100_000),
      LIMITER_MULTIPLIERS[tier],
      `Requests of a person in an organization of tier ${tier}, as a multiple of LIMITER_MAX`,
    ),
  ),
  AUTH_LIMITER_MAX: given(
    'limits',
    whole(0),
    20,
    'Sign-in requests of an address in a window; 0 is off and refused in production',
  ),
  AUTH_LIMITER_WINDOWMS: given('limits', whole(1000, MS_MAX), 900_000, 'Length of the window'),
  STEP_UP_LIMITER_MAX: given(
    'limits',
    whole(0),
    5,
    'Confirmations of identity of a person in 60 s; 0 is off and refused in production',
  ),
  INVITATION_LIMITER_MAX: given('limits', whole(0), 50, 'Invitations of an organization in a day; 0 is off'),
  EXPORT_LIMITER_MAX: given('limits', whole(0), 2, 'Exports of an organization in an hour; 0 is off'),
  AUDIT_EXPORT_LIMITER_MAX: given(
    'limits',
    whole(0),
    20,
    'Exports of the audit trail of an organization in an hour; 0 is off',
  ),
  MESSAGE_SEND_RATE_MAX: given('limits', whole(0), 60, 'Messages and answers of an organization in 60 s; 0 is off'),
  MESSAGE_ATTACHMENT_RATE_MAX: given(
    'limits',
    whole(0),
    30,
    'Files that an organization uploads for messages in 60 s; 0 is off',
  ),
  PLUGIN_UPLOAD_RATE_MAX: given('limits', whole(0), 30, 'Plugins that an organization uploads in a window; 0 is off'),
  PLUGIN_UPLOAD_RATE_WINDOWMS: given('limits', whole(1000, MS_MAX), 3_600_000, 'Length of the window'),
  INGEST_RATE_MAX: given('limits', whole(0), 600, 'Batches of events of a credential in 60 s; 0 is off'),
  JWT_ALG: given(
    'identity',
    choice('HS256', 'EdDSA'),
    'HS256',
    'Algorithm of access tokens; with EdDSA each key of JWT_KEYS is an Ed25519 seed',
  ),
  JWT_KEYS: optional('identity', keyRing, 'Signing keys of tokens. Made in DATA_DIR in development', {
    secret: true,
    neededInProduction: true,
  }),
  JWT_ISSUER: optional('identity', text(255), 'Issuer of tokens; PUBLIC_URL when not set'),
  JWT_EXPIRES_IN: given('identity', whole(60, 86_400), 7200, 'Seconds for which an access token is good'),
  ...perTier('JWT_EXPIRES_IN_', (tier) =>
    optional('identity', whole(60, 86_400), `The same for organizations of tier ${tier}; JWT_EXPIRES_IN when not set`),
  ),
  REFRESH_TOKEN_EXPIRES_IN: given('identity', whole(60, YEAR_S), 2_592_000, 'Seconds after which a session ends'),
  REFRESH_TOKEN_IDLE: given(
    'identity',
    whole(60, YEAR_S),
    604_800,
    'Seconds without a refresh after which a session ends',
  ),
  STEP_UP_TTL_SECONDS: given('identity', whole(30, 3600), 300, 'Seconds for which a confirmation of identity is good'),
  SECRET_ENCRYPTION_KEYS: optional(
    'identity',
    keyRing,
    'Keys that encrypt secrets at rest. Made in DATA_DIR in development',
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
  REGISTRATION: given('identity', choice('open', 'invite', 'closed'), 'open', 'Who may make an account'),
  BOOTSTRAP_SUPERADMIN_EMAILS: given(
    'identity',
    list(mailbox),
    [],
    'Addresses of system administrators: whoever sets a password by a link to that mailbox becomes one',
  ),
  ADMIN_IDENTIFIER: optional(
    'identity',
    mailbox,
    'Address of the first system administrator, made on an empty store; needs ADMIN_PASSWORD',
  ),
  ADMIN_PASSWORD: optional(
    'identity',
    text(128),
    'First password of ADMIN_IDENTIFIER, to be changed at the first sign-in; in production 12 characters or more',
    {
      secret: true,
    },
  ),
  INVITATION_EXPIRATION_DAYS: given('identity', whole(1, 365), 7, 'Days for which an invitation is good'),
  ORG_DELETION_RETENTION_DAYS: given(
    'identity',
    whole(0, 3650),
    7,
    'Days between the deletion of an organization and its purge',
  ),
  ORG_SELF_DELETE: given('identity', flag, false, 'Whether an owner may delete the organization'),
  IMPERSONATION_NOTIFY: given(
    'identity',
    flag,
    true,
    'Whether a person is told that a system administrator acted as them',
  ),
  SUPPORT_ALIASES: given(
    'message',
    list(matching(/^[a-z0-9_-]{1,50}$/, 'lower-case letters, digits, `-` and `_`')),
    ['system', 'support', 'help'],
    'Names under which messages reach the system organization; the first one is shown to people',
  ),
  MESSAGE_ATTACHMENT_MAX_MB: given('message', whole(1, 1024), 10, 'Largest attachment, in MiB'),
  MESSAGE_THUMBNAIL_MAX_DIM: given('message', whole(16, 2048), 320, 'Longest side of a thumbnail, in pixels'),
  EMAIL_PROVIDER: given(
    'mail',
    choice('none', 'smtp'),
    'none',
    'How e-mail leaves; `none` shows it on the terminal in development and refuses in production',
  ),
  SMTP_HOST: optional('mail', text(255), 'Host of the SMTP server; required by EMAIL_PROVIDER=smtp'),
  SMTP_PORT: given('mail', whole(1, 65_535), 587, 'Its port'),
  SMTP_SECURE: given('mail', flag, false, 'TLS from the first byte (port 465); otherwise STARTTLS'),
  SMTP_REQUIRE_TLS: given('mail', flag, true, 'Whether a server without TLS is refused'),
  SMTP_USER: optional('mail', text(255), 'User name at the SMTP server; needs SMTP_PASSWORD'),
  SMTP_PASSWORD: optional('mail', text(), 'Its password', { secret: true }),
  MAIL_FROM: optional('mail', mailbox, 'Sender of e-mails; required by EMAIL_PROVIDER=smtp'),
  AUDIT_RETENTION_DAYS: given('audit', whole(0, 36_500), 90, 'Days after which audit events are pruned; 0 keeps them'),
  AUDIT_LOG_ORIGIN: optional('audit', text(200), 'Origin line of checkpoints; the host of PUBLIC_URL when not set'),
  AUDIT_CHECKPOINT_KEY: optional(
    'audit',
    seed,
    'Ed25519 seed that signs checkpoints. Made in DATA_DIR when not set, but in production on PostgreSQL required: replicas share it',
    {
      secret: true,
    },
  ),
  AUDIT_CHECKPOINT_INTERVAL_MS: given(
    'audit',
    whole(1000, MS_MAX),
    60_000,
    'Time between two checkpoints of a chain that moved',
  ),
  AUDIT_CHECKPOINT_EVERY: given(
    'audit',
    whole(1, 1_000_000),
    256,
    'Events after which a checkpoint is written at once',
  ),
  AUDIT_CHECKPOINT_DIR: optional('audit', text(4096), 'Folder that gets a copy of each checkpoint'),
  AUDIT_WITNESS_URL: optional('audit', address('https', 'http'), 'Witness that is asked to cosign checkpoints'),
  AUDIT_WITNESS_KEY: optional('audit', text(300), 'Verifier key of that witness; needed with AUDIT_WITNESS_URL'),
  AUDIT_FORMER_KEYS: optional(
    'audit',
    list(text(300)),
    'Verifier keys that signed checkpoints before the present one, so that those stay good',
  ),
  AUDIT_SPOOL_DIR: optional(
    'audit',
    text(4096),
    'Folder of the spool of a remote emitter of audit events, where REDIS_URL is not set; `audit-spool` in DATA_DIR when not set',
  ),
  AUDIT_SPOOL_MAX: given(
    'audit',
    whole(1, 1_000_000),
    10_000,
    'Events that the spool holds; beyond, the oldest are dropped and counted',
  ),
  AUDIT_SPOOL_DRAIN_MS: given('audit', whole(1000, MS_MAX), 30_000, 'Time between two attempts to drain the spool'),
  COMPLIANCE_SERVICE_HOST: optional(
    'compliance',
    address('http', 'https'),
    'Base of the API that checks for a process without the compliance module, such as `https://compliance.internal/api`; it signs in by PLUMBLINE_SERVICE_CLIENT_ID with the scope `compliance:check`',
  ),
  CACHE_TTL_COMPLIANCE_RULES: given(
    'compliance',
    whole(1, 86_400),
    60,
    'Seconds after which a compiled rule set is read again although nothing changed',
  ),
  COMPLIANCE_AUDIT_RETENTION_DAYS: given(
    'compliance',
    whole(1, 36_500),
    180,
    'Days after which entries of the check log are pruned',
  ),
  COMPLIANCE_SCAN_CONCURRENCY: given(
    'compliance',
    whole(1, 1000),
    10,
    'Records that a scan evaluates before other work of the process has its turn',
  ),
  COMPLIANCE_SCAN_PROGRESS_BATCH_SIZE: given(
    'compliance',
    whole(1, 1000),
    10,
    'Records of a scan whose results are committed, and shown as progress, together',
  ),
  SCAN_SCHEDULER_INTERVAL_MS: given(
    'compliance',
    whole(1000, MS_MAX),
    60_000,
    'Time between two looks for scans that are due by their schedule',
  ),
  SCAN_LOCK_TTL_MS: given(
    'compliance',
    whole(1000, MS_MAX),
    300_000,
    'Time that a look for due scans has; a scan that shows no sign of life for twice as long has failed',
  ),
  SYSTEM_ORG_SCANS_ENABLED: given(
    'compliance',
    flag,
    false,
    'Lets scans of the system organization evaluate its own rules',
  ),
  COMPLIANCE_MAX_REGEX_LENGTH: given('compliance', whole(1, 10_000), 100, 'Longest pattern of a rule'),
  COMPLIANCE_MAX_ATTRIBUTE_DEPTH: given('compliance', whole(1, 1000), 10, 'Deepest nesting of attributes'),
  COMPLIANCE_MAX_ATTRIBUTE_KEYS: given('compliance', whole(1, 100_000), 100, 'Most top-level keys of attributes'),
  COMPLIANCE_MAX_ATTRIBUTE_NODES: given('compliance', whole(1, 1_000_000), 20_000, 'Most values in attributes'),
  DIGEST_SCHEDULER_INTERVAL_MS: given(
    'compliance',
    whole(1000, MS_MAX),
    3_600_000,
    'Time between two looks for digests whose window is over',
  ),
  DIGEST_LOCK_TTL_MS: given('compliance', whole(1000, MS_MAX), 300_000, 'Time that a look for due digests has'),
  COMPLIANCE_NOTIFY_TIMEOUT_MS: given(
    'compliance',
    whole(100, 60_000),
    5000,
    'Longest attempt to deliver to a webhook, from the look-up of its name to the status of its answer',
  ),
  COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: given(
    'compliance',
    list(address('http', 'https')),
    [],
    'Origins such as `https://hooks.internal:8443` to which webhooks may go although their address is not public; every organization may then name them',
  ),
  PLUGIN_MAX_UPLOAD_MB: given('records', whole(1, 512), 512, 'Largest archive of a plugin, in MiB'),
  PLUGIN_UPLOAD_TIMEOUT_SECONDS: given(
    'records',
    whole(1, 3600),
    300,
    'Seconds in which the body of an upload has to arrive',
  ),
  PLUGIN_MAX_EXTRACT_BYTES: optional(
    'records',
    whole(1024, 2 ** 43),
    'Most bytes that an archive may unpack to; four times PLUGIN_MAX_UPLOAD_MB when not set',
  ),
  PLUGIN_BUILDER: given(
    'records',
    choice('auto', 'docker', 'buildkit', 'remote', 'none'),
    'auto',
    'What builds the images of plugins; with `none` uploads that need an image are refused',
  ),
  PLUGIN_BUILD_MAX_ATTEMPTS: given('records', whole(1, 20), 2, 'Attempts of a build in a round'),
  PLUGIN_DLQ_MAX_ATTEMPTS: given('records', whole(0, 20), 3, 'Rounds that begin by themselves after the first'),
  PLUGIN_BUILD_TIMEOUT_SECONDS: given('records', whole(10, 86_400), 900, 'Seconds after which a build is given up'),
  PLUGIN_MAX_BUILDS_PER_ORG: given('records', whole(1, 1000), 3, 'Builds of an organization that run at a time'),
  SOFT_DELETE_RETENTION_DAYS: given(
    'records',
    whole(0, 3650),
    30,
    'Days between the deletion of a record and its purge',
  ),
  BILLING_ENABLED: given(
    'money',
    flag,
    false,
    'Whether tier limits are enforced; while it is `false` every organization has tier `unlimited`',
  ),
  DEFAULT_QUOTA_TIER: given(
    'money',
    choice(...soldTiers),
    'developer',
    'Tier of a new organization while BILLING_ENABLED is `true`',
  ),
  STRICT_PLUGIN_REFS: given(
    'records',
    flag,
    false,
    'Whether a pipeline that names a plugin nobody sees is refused; otherwise it is warned about',
  ),
  QUOTA_PERIOD: given(
    'money',
    quotaPeriod,
    'monthly',
    'How long API and AI calls are counted together: a calendar month in UTC, or so many days',
  ),
  ...resetPeriods((tier) =>
    optional('money', quotaPeriod, `The same for accounts of tier ${tier}; QUOTA_PERIOD when not set`),
  ),
  PLUMBLINE_SERVICE_CLIENT_ID: optional(
    'process',
    text(100),
    'Service principal with which this process signs in elsewhere: a remote emitter of audit events (scope `audit:ingest`), a check by COMPLIANCE_SERVICE_HOST (scope `compliance:check`)',
  ),
  PLUMBLINE_SERVICE_CLIENT_SECRET: optional('process', text(200), 'Its secret', { secret: true }),
  AUDIT_SERVICE_URL: optional(
    'audit',
    address('http', 'https'),
    'Base of the API, such as `https://plumbline.example/api`, to which a program outside the database sends audit events (`createAuditEmitter`). The server reads none of it: its processes share the database, and whatever modules one mounts, its evidence goes to the outbox there',
  ),
} as const

export type SettingName = keyof typeof CATALOGUE

type ValueOf<S> = S extends { readonly type: SettingType<infer T>; readonly default: infer D }
  ? null extends D
    ? T | null
    : T
  : never

/** The parsed settings by their names. */
export type SettingValues = { readonly [K in SettingName]: ValueOf<(typeof CATALOGUE)[K]> }

/** The table without the types of single settings, for code that walks it. */
export const ENTRIES = Object.entries(CATALOGUE) as unknown as readonly (readonly [SettingName, Setting])[]
