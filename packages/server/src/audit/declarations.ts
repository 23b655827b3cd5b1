/** What this domain declares about the audit trail: permissions, settings, rate limits. */
import { adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import { address, list, seed, text, whole } from '../runtime/setting/types.js'

export const auditDeclarations = declare({
  name: 'audit',
  sections: { audit: 'Audit' },
  permissions: {
    'audit:read': adminsOnly('read and verify the audit trail'),
  },
  settings: {
    AUDIT_EXPORT_LIMITER_MAX: given(
      'limits',
      whole(0),
      20,
      'Exports of the audit trail of an organization in an hour; 0 is off',
    ),
    INGEST_RATE_MAX: given('limits', whole(0), 600, 'Batches of events of a credential in 60 s; 0 is off'),
    AUDIT_RETENTION_DAYS: given(
      'audit',
      whole(0, 36_500),
      90,
      'Days after which audit events are pruned; 0 keeps them',
    ),
    AUDIT_LOG_ORIGIN: optional('audit', text(200), 'Origin line of checkpoints; the host of PUBLIC_URL when not set'),
    AUDIT_CHECKPOINT_KEY: optional(
      'audit',
      seed,
      'Ed25519 seed that signs checkpoints. Created in DATA_DIR when not set; required in production on PostgreSQL, where replicas share it',
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
    AUDIT_WITNESS_URL: optional('audit', address('https', 'http'), 'Witness that cosigns checkpoints'),
    AUDIT_WITNESS_KEY: optional('audit', text(300), 'Verifier key of that witness; needed with AUDIT_WITNESS_URL'),
    AUDIT_FORMER_KEYS: optional(
      'audit',
      list(text(300)),
      'Verifier keys that signed earlier checkpoints, so that these still verify',
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
    AUDIT_SERVICE_URL: optional(
      'audit',
      address('http', 'https'),
      'Base of the API, such as `https://plumbline.example/api`, to which a program outside the server sends audit events (`createAuditEmitter`). The server does not read this setting: its processes write events to the outbox of their shared database',
    ),
  },
  buckets: {
    ingest: { per: 'credential', max: 'INGEST_RATE_MAX', windowMs: 60_000 },
    /** An export is for verification, which anyone who doubts the trail may repeat. */
    'audit-export': { per: 'org', max: 'AUDIT_EXPORT_LIMITER_MAX', windowMs: 3_600_000 },
  },
})
