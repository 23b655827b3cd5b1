/** What this domain declares about reports: permissions, settings, rate limits. */
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given } from '../runtime/setting/setting.js'
import { whole } from '../runtime/setting/types.js'

export const reportingDeclarations = declare({
  name: 'reporting',
  sections: { reporting: 'Reports' },
  permissions: {
    'reports:read': adminsAndMembers('read reports'),
    'reports:rollup': adminsOnly('read reports over all teams of an organization'),
    'reports:write': adminsAndMembers('mark the outcome of a deployment, correct the link of an incident'),
  },
  settings: {
    REPORT_INGEST_RATE_MAX: given(
      'limits',
      whole(0),
      600,
      'Batches of events that a credential sends in 60 s; 0 is off',
    ),
    REPORT_EVENT_RETENTION_DAYS: given(
      'reporting',
      whole(1, 730),
      30,
      'Days for which single events are kept, unless the account has its own value',
    ),
    REPORT_RETENTION_DAYS: given(
      'reporting',
      whole(1, 730),
      180,
      'Days for which executions and deployments are kept, unless the account has its own value; reports go back this far',
    ),
  },
  buckets: {
    'report-ingest': { per: 'credential', max: 'REPORT_INGEST_RATE_MAX', windowMs: 60_000 },
  },
})
