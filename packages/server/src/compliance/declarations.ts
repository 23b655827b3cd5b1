/** What this domain declares about rules and what they find: permissions, settings, rate limits. */
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import { address, flag, whole } from '../runtime/setting/types.js'

export const complianceDeclarations = declare({
  name: 'compliance',
  sections: { compliance: 'Compliance' },
  permissions: {
    'compliance:read': adminsAndMembers('read rules, policies, scans and reports of compliance'),
    'compliance:write': adminsOnly('change rules, policies, exemptions and schedules'),
  },
  settings: {
    COMPLIANCE_SERVICE_HOST: optional(
      'compliance',
      address('http', 'https'),
      'Base of the API that checks for a process without the compliance module, such as `https://compliance.internal/api`; it signs in by PLUMBLINE_SERVICE_CLIENT_ID with the scope `compliance:check`',
    ),
    COMPLIANCE_SERVICE_PORT: optional(
      'compliance',
      whole(0, 65_535),
      'Port to listen on for a process that mounts the compliance module, where PORT is not set',
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
      'Records that a scan evaluates before it lets other work of the process run',
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
      'Time between two checks for scans that are due by their schedule',
    ),
    SCAN_LOCK_TTL_MS: given(
      'compliance',
      whole(1000, MS_MAX),
      300_000,
      'Time limit of the check for due scans; a scan that was silent for twice as long counts as failed',
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
  },
  buckets: {},
})
