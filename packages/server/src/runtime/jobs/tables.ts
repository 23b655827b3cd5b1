/**
 * The queue of jobs and the evidence outbox: rows that a business transaction writes, and that workers process after
 * its commit.
 */
import { global, tableSet, tenant } from '../store/table-set.js'

export const jobTables = tableSet(
  'jobs',
  (k) => {
    const jobs = k.table(
      'jobs',
      {
        id: k.text('id').primaryKey(),
        kind: k.text('kind').notNull(),
        orgId: k.text('org_id'),
        /** The organization, or an empty text. Lanes take turns. */
        lane: k.text('lane').notNull(),
        payload: k.json<unknown>('payload').notNull(),
        /** The trace context of the work that queued the job (W3C Trace Context). */
        traceparent: k.text('traceparent'),
        /** waiting, running, done, dead */
        state: k.text('state').notNull(),
        attempts: k.count('attempts').notNull(),
        runAtMs: k.epochMs('run_at_ms').notNull(),
        leaseUntilMs: k.epochMs('lease_until_ms'),
        /** Increases with every claim; compared in the transaction that writes the effect. */
        fence: k.large('fence').notNull(),
        uniqueKey: k.text('unique_key'),
        lastError: k.text('last_error'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        finishedAtMs: k.epochMs('finished_at_ms'),
      },
      (t) => [
        k.index('jobs_due').on(t.state, t.runAtMs),
        k.index('jobs_turn').on(t.state, t.kind, t.lane, t.runAtMs),
        k.uniqueIndex('jobs_unique_key').on(t.kind, t.uniqueKey),
      ],
    )
    const leases = k.table('leases', {
      name: k.text('name').primaryKey(),
      holder: k.text('holder').notNull(),
      /** Increases with every new holder; compared in the statement that writes the holder's decision. */
      fence: k.large('fence').notNull(),
      untilMs: k.epochMs('until_ms').notNull(),
    })
    const scheduleTicks = k.table('schedule_ticks', {
      name: k.text('name').primaryKey(),
      /** The newest tick that was queued. */
      tick: k.large('tick').notNull(),
    })
    const auditOutbox = k.table(
      'audit_outbox',
      {
        /** The order in which rows were inserted. On PostgreSQL this is not the order of commits. */
        position: k.position('position'),
        /** `evt_` and a UUIDv7. */
        id: k.text('id').notNull(),
        chain: k.text('chain').notNull(),
        orgId: k.text('org_id'),
        affectedOrgId: k.text('affected_org_id'),
        /** The event as `sealEvent` takes it, without its details. */
        event: k.json<Record<string, unknown>>('event').notNull(),
        /** Scrubbed canonical text, or null. */
        details: k.text('details'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('audit_outbox_id').on(t.id)],
    )
    return { jobs, leases, scheduleTicks, auditOutbox }
  },
  {
    jobs: tenant(),
    leases: global('one holder for all organizations'),
    scheduleTicks: global('one schedule for all organizations'),
    auditOutbox: tenant('org_id', { alsoReadableBy: 'affected_org_id', insertedByEither: true }),
  },
  {
    pg: [
      // A tenant's command may queue a job of the system, such as an e-mail. It cannot read that job afterwards.
      'CREATE POLICY "jobs_insert_system" ON "jobs" FOR INSERT TO plumbline_tenant WITH CHECK ("org_id" IS NULL);',
      // PostgreSQL numbers rows when they are inserted. To read them in the order of commits, a reader must know which
      // transactions have ended.
      'ALTER TABLE audit_outbox ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();',
      // Sealing deletes rows. A tenant's transaction only inserts them.
      'REVOKE UPDATE, DELETE ON audit_outbox FROM plumbline_tenant;',
    ],
  },
)
