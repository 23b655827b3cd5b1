/** What the process itself declares, and the permissions of domains that do not exist yet. */
import { adminsAndMembers, adminsOnly, declare, systemOnly } from './declare.js'
import { given, MS_MAX, optional, perTier } from './setting/setting.js'
import { address, choice, flag, list, mailbox, matching, type SettingType, text, whole } from './setting/types.js'

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

export const processDeclarations = declare({
  name: 'process',
  sections: {
    process: 'Process',
    store: 'Store',
    http: 'HTTP',
    limits: 'Rate limits',
    mail: 'E-mail',
    records: 'Records',
  },
  permissions: {
    'dashboards:read': adminsAndMembers('read dashboards'),
    'dashboards:write': adminsOnly('change dashboards'),
    'observability:read': adminsAndMembers('read alert rules and destinations'),
    'observability:write': adminsOnly('change alert rules and destinations'),
    'registry:read': systemOnly('read the image registry'),
    'registry:write': systemOnly('delete from the image registry'),
  },
  settings: {
    NODE_ENV: given(
      'process',
      choice('development', 'test', 'production'),
      'development',
      'In `production` the server does not start with missing, default or weak secrets',
    ),
    HOST: given('process', text(255), '127.0.0.1', 'Address to listen on; the image sets `0.0.0.0`'),
    PORT: given('process', whole(0, 65_535), 3000, 'Port to listen on; 0 takes a free one'),
    TLS_CERT: optional(
      'process',
      text(4096),
      'File with the certificate chain (PEM); needs TLS_KEY. Without both, HTTP',
    ),
    TLS_KEY: optional('process', text(4096), 'File with the private key of TLS_CERT (PEM)'),
    PUBLIC_URL: optional(
      'process',
      address('http', 'https'),
      'Address under which callers reach the server, and issuer of its tokens. The listening address when not set',
      { neededInProduction: true },
    ),
    APP_URL: optional('process', address('http', 'https'), 'Base address of links in e-mails; PUBLIC_URL when not set'),
    DATA_DIR: given('process', text(4096), './data', 'Folder of the database file, keys, blobs and spools'),
    PLUMBLINE_DEMO: optional(
      'process',
      flag,
      'Whether an empty store gets a demo organization; `true` in development, `false` in production when not set',
    ),
    PLUMBLINE_DEMO_HISTORY: optional(
      'process',
      flag,
      'Whether the demo has checks of the last month; `true` in development, `false` otherwise when not set',
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
      'How long a shutdown waits for requests and jobs before it aborts them',
    ),
    SHUTDOWN_DELAY_MS: given(
      'process',
      whole(0, MS_MAX),
      1000,
      'How long a process that is shutting down still accepts connections, so that load balancers notice that it is not ready',
    ),
    LOG_LEVEL: given(
      'process',
      choice('trace', 'debug', 'info', 'warn', 'error', 'silent'),
      'info',
      'Lowest level that is logged',
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
      'Without METRICS_TOKEN, `/metrics` answers connections from this machine. Do not use it behind a proxy on the same machine: all its callers would come from there',
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
      'Prefix of every key and channel in Redis; servers that share a Redis but not a database need different prefixes',
    ),
    DATABASE_URL: optional(
      'store',
      address('sqlite', 'postgres', 'postgresql'),
      '`sqlite:<file>` or `postgres://…`; `plumbline.db` in DATA_DIR when not set',
    ),
    DATABASE_TENANT_URL: optional(
      'store',
      address('postgres', 'postgresql'),
      'The same PostgreSQL database for a login that can become only `plumbline_tenant`: statements of tenants run as it; DATABASE_URL when not set',
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
      'Where archives and attachments are stored: `blobs` in DATA_DIR, or a bucket of an S3-compatible store',
    ),
    BLOB_S3_ENDPOINT: optional(
      'store',
      address('http', 'https'),
      'Address of the S3-compatible store; that of AWS in BLOB_S3_REGION when not set',
    ),
    BLOB_S3_BUCKET: optional('store', matching(BUCKET, 'name of a bucket'), 'Bucket; required by BLOB_STORE=s3'),
    BLOB_S3_REGION: given(
      'store',
      matching(/^[a-z0-9-]{1,50}$/, 'name of a region'),
      'us-east-1',
      'Region of the bucket',
    ),
    BLOB_S3_ACCESS_KEY_ID: optional('store', text(200), 'Access key; required by BLOB_STORE=s3'),
    BLOB_S3_SECRET_ACCESS_KEY: optional('store', text(), 'Secret of BLOB_S3_ACCESS_KEY_ID; required by BLOB_STORE=s3', {
      secret: true,
    }),
    BLOB_S3_SESSION_TOKEN: optional('store', text(4096), 'Session token of temporary keys', { secret: true }),
    BLOB_S3_PREFIX: given(
      'store',
      matching(/^([A-Za-z0-9][A-Za-z0-9._-]{0,50}\/){0,5}$/, 'folders that end with `/`, such as `plumbline/`'),
      '',
      'Prefix of each name in the bucket. The server deletes unknown objects under it: nothing else, and no second server, may use it',
    ),
    BLOB_S3_PATH_STYLE: given(
      'store',
      flag,
      true,
      'Whether the bucket is in the path; `false` puts it in the host name',
    ),
    BASE_PATH: given(
      'http',
      basePath,
      '/api',
      'Path under which the API is mounted; unless it is `/api`, the command line needs it in the address of the server, as in `--url https://plumbline.example.com/base`',
    ),
    TRUST_PROXY: given('http', whole(0, 32), 0, 'Proxies in front whose `x-forwarded-for` entries are trusted'),
    CORS_ORIGIN: given('http', list(address('http', 'https')), [], 'Origins that browsers may call from'),
    MAX_PAGE_LIMIT: given('http', whole(1, 1000), 1000, 'Largest `limit` of a list; a larger one is reduced to it'),
    BODY_LIMIT_BYTES: given(
      'http',
      whole(1024, 1 << 28),
      1 << 20,
      'Largest JSON body. It may contain at most one JSON value per 16 bytes of this limit',
    ),
    LIMITER_MAX: given(
      'limits',
      whole(0),
      100,
      'Anonymous requests of an address in a window, and the base of LIMITER_MULT_*; 0 is off',
    ),
    LIMITER_WINDOWMS: given('limits', whole(1000, MS_MAX), 900_000, 'Window of LIMITER_MAX, in ms'),
    ...perTier('LIMITER_MULT_', (tier) =>
      given(
        'limits',
        whole(1, 100_000),
        LIMITER_MULTIPLIERS[tier],
        `Requests of a person in an organization of tier ${tier}, as a multiple of LIMITER_MAX`,
      ),
    ),
    EMAIL_PROVIDER: given(
      'mail',
      choice('none', 'smtp'),
      'none',
      'How e-mail is sent. With `none`, a development server shows e-mails on the terminal, and a production server refuses what needs an e-mail',
    ),
    SMTP_HOST: optional('mail', text(255), 'Host of the SMTP server; required by EMAIL_PROVIDER=smtp'),
    SMTP_PORT: given('mail', whole(1, 65_535), 587, 'Port of the SMTP server'),
    SMTP_SECURE: given('mail', flag, false, 'TLS from the first byte (port 465); otherwise STARTTLS'),
    SMTP_REQUIRE_TLS: given('mail', flag, true, 'Whether a server without TLS is refused'),
    SMTP_USER: optional('mail', text(255), 'User name at the SMTP server; needs SMTP_PASSWORD'),
    SMTP_PASSWORD: optional('mail', text(), 'Password of SMTP_USER', { secret: true }),
    MAIL_FROM: optional('mail', mailbox, 'Sender of e-mails; required by EMAIL_PROVIDER=smtp'),
    SOFT_DELETE_RETENTION_DAYS: given(
      'records',
      whole(0, 3650),
      30,
      'Days between the deletion of a record and its purge',
    ),
    PLUMBLINE_SERVICE_CLIENT_ID: optional(
      'process',
      text(100),
      'Service principal with which this process signs in to other services: a remote emitter of audit events (scope `audit:ingest`), a check by COMPLIANCE_SERVICE_HOST (scope `compliance:check`)',
    ),
    PLUMBLINE_SERVICE_CLIENT_SECRET: optional('process', text(200), 'Secret of PLUMBLINE_SERVICE_CLIENT_ID', {
      secret: true,
    }),
  },
  buckets: {
    anonymous: { per: 'ip', max: 'LIMITER_MAX', windowMs: 'LIMITER_WINDOWMS' },
    authenticated: { per: 'user+org', max: 'LIMITER_MAX', windowMs: 'LIMITER_WINDOWMS', byTier: true },
    /** Signed deliveries of other services that were refused. */
    'raw-refused': { per: 'ip', max: 60, windowMs: 60_000 },
  },
})
