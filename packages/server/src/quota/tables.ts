/** Stored limits, the use of metered types, and the notifications that were sent. Live counts have no table. */
import { tableSet, tenant } from '../runtime/store/table-set.js'

export const quotaTables = tableSet(
  'quota',
  (k) => {
    const quotaLimits = k.table(
      'quota_limits',
      {
        orgId: k.text('org_id').notNull(),
        type: k.text('type').notNull(),
        /**
         * For a root: replaces the limit of the account. For a team: its own limit within the account's. −1 is
         * unlimited.
         */
        override: k.large('override'),
        /** For a root: what its add-ons grant. */
        granted: k.large('granted').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.type] })],
    )
    /**
     * The use of one type by one organization in the period that began at `periodStartMs`; 0 for stored bytes, which
     * have no period.
     */
    const quotaCounters = k.table(
      'quota_counters',
      {
        orgId: k.text('org_id').notNull(),
        type: k.text('type').notNull(),
        periodStartMs: k.epochMs('period_start_ms').notNull(),
        used: k.large('used').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.type, t.periodStartMs] })],
    )
    /** The use of a whole account, stored at its root: the row on which the limit is decided. */
    const quotaPools = k.table(
      'quota_pools',
      {
        orgId: k.text('org_id').notNull(),
        type: k.text('type').notNull(),
        periodStartMs: k.epochMs('period_start_ms').notNull(),
        used: k.large('used').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.type, t.periodStartMs] }),
        k.index('quota_pools_period').on(t.type, t.periodStartMs),
      ],
    )
    /** Thresholds that were notified, so that each is notified once per period. */
    const quotaNotices = k.table(
      'quota_notices',
      {
        orgId: k.text('org_id').notNull(),
        type: k.text('type').notNull(),
        periodStartMs: k.epochMs('period_start_ms').notNull(),
        /** Percent of the limit. */
        threshold: k.count('threshold').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.type, t.periodStartMs, t.threshold] }),
        k.index('quota_notices_created').on(t.createdAtMs),
      ],
    )
    /** Idempotency keys of increments, so that a repeated increment counts once. */
    const quotaIncrements = k.table(
      'quota_increments',
      {
        orgId: k.text('org_id').notNull(),
        key: k.text('key').notNull(),
        type: k.text('type').notNull(),
        amount: k.count('amount').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.key] }), k.index('quota_increments_created').on(t.createdAtMs)],
    )
    return { quotaLimits, quotaCounters, quotaPools, quotaNotices, quotaIncrements }
  },
  {
    quotaLimits: tenant(),
    quotaCounters: tenant(),
    quotaPools: tenant(),
    quotaNotices: tenant(),
    quotaIncrements: tenant(),
  },
)
