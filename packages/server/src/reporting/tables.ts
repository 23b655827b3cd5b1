/** Events as received, and the facts that are folded from them. `org_id` leads every key. */
import { tableSet, tenant } from '../runtime/store/table-set.js'
import type { SourceFormat } from './formats.js'
import type { RunEvent, Status } from './ingest/event.js'
import type { KeptEvent, KeptFold, KeptStep } from './ingest/stored-form.js'
import type { DoraSettings } from './model.js'

export type RollupPart = 'day' | 'swept' | 'month'

export const reportingTables = tableSet(
  'reporting',
  (k) => {
    const run = {
      orgId: k.text('org_id').notNull(),
      pipelineId: k.text('pipeline_id').notNull(),
      executionId: k.text('execution_id').notNull(),
    }
    /** Scrubbed events, one row per key. */
    const reportEvents = k.table(
      'report_events',
      {
        ...run,
        key: k.text('key').notNull(),
        hash: k.text('hash').notNull(),
        occurredMs: k.epochMs('occurred_ms').notNull(),
        receivedMs: k.epochMs('received_ms').notNull(),
        event: k.json<KeptEvent>('event').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.key] }),
        k.index('report_events_occurred').on(t.orgId, t.occurredMs),
        k.index('report_events_received').on(t.orgId, t.receivedMs),
        k.index('report_events_execution').on(t.orgId, t.pipelineId, t.executionId),
      ],
    )
    const reportExecutions = k.table(
      'report_executions',
      {
        ...run,
        attempt: k.count('attempt').notNull(),
        status: k.text('status').$type<Status>().notNull(),
        startedMs: k.epochMs('started_ms').notNull(),
        completedMs: k.epochMs('completed_ms'),
        durationMs: k.large('duration_ms'),
        sha: k.text('sha'),
        ref: k.text('ref'),
        committedMs: k.epochMs('committed_ms'),
        error: k.text('error'),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.executionId] }),
        k.index('report_executions_started').on(t.orgId, t.startedMs, t.pipelineId, t.status, t.durationMs),
        k.index('report_executions_pipeline').on(t.orgId, t.pipelineId, t.startedMs),
      ],
    )
    /** Runs (stage and action empty), stages and actions of each attempt, with their fold. */
    const reportSteps = k.table(
      'report_steps',
      {
        ...run,
        attempt: k.count('attempt').notNull(),
        stage: k.text('stage').notNull(),
        action: k.text('action').notNull(),
        status: k.text('status').$type<Status>().notNull(),
        startedMs: k.epochMs('started_ms').notNull(),
        durationMs: k.large('duration_ms'),
        error: k.text('error'),
        fold: k.json<KeptFold>('fold').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.executionId, t.attempt, t.stage, t.action] }),
        k.index('report_steps_pipeline').on(t.orgId, t.pipelineId, t.startedMs),
        k.index('report_steps_started').on(t.orgId, t.startedMs),
      ],
    )
    /** What is left of deleted runs for a while: a late event moves such a run, where it would count once more. */
    const reportSweptRuns = k.table(
      'report_swept_runs',
      {
        ...run,
        status: k.text('status').$type<Status>().notNull(),
        startedMs: k.epochMs('started_ms').notNull(),
        durationMs: k.large('duration_ms'),
        /** The times and the status of each attempt, and of stages that were open. */
        steps: k.json<readonly KeptStep[]>('steps').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.executionId] }),
        k.index('report_swept_runs_pipeline').on(t.orgId, t.pipelineId, t.startedMs),
        k.index('report_swept_runs_started').on(t.orgId, t.startedMs),
      ],
    )
    const reportDeployments = k.table(
      'report_deployments',
      {
        ...run,
        attempt: k.count('attempt').notNull(),
        environment: k.text('environment').notNull(),
        tier: k.text('tier'),
        status: k.text('status').$type<Status>().notNull(),
        startedMs: k.epochMs('started_ms').notNull(),
        /** Null while it runs. */
        completedMs: k.epochMs('completed_ms'),
        sha: k.text('sha'),
        ref: k.text('ref'),
        committedMs: k.epochMs('committed_ms'),
        isRollback: k.bool('is_rollback').notNull(),
        isRework: k.bool('is_rework').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.executionId, t.attempt, t.environment] }),
        k.index('report_deployments_completed').on(t.orgId, t.environment, t.completedMs),
        k.index('report_deployments_ended').on(t.orgId, t.completedMs),
        k.index('report_deployments_lane').on(t.orgId, t.pipelineId, t.environment, t.completedMs, t.status),
        k.index('report_deployments_started').on(t.orgId, t.startedMs),
        k.index('report_deployments_sha').on(t.orgId, t.sha, t.pipelineId, t.environment),
      ],
    )
    /** The time of each commit, if a source reported it. */
    const reportCommits = k.table(
      'report_commits',
      { orgId: run.orgId, sha: k.text('sha').notNull(), committedMs: k.epochMs('committed_ms').notNull() },
      (t) => [k.primaryKey({ columns: [t.orgId, t.sha] })],
    )
    /** Events of unregistered pipelines. */
    const reportParked = k.table(
      'report_parked',
      {
        orgId: run.orgId,
        /** The id of the pipeline, or the repository that it builds from. */
        pipelineRef: k.text('pipeline_ref').notNull(),
        /** The source whose mapping decides about it; empty for events of forwarders, which name the pipeline. */
        sourceId: k.text('source_id').notNull(),
        key: k.text('key').notNull(),
        hash: k.text('hash').notNull(),
        receivedMs: k.epochMs('received_ms').notNull(),
        event: k.json<RunEvent>('event').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineRef, t.sourceId, t.key, t.hash] }),
        k.index('report_parked_received').on(t.orgId, t.receivedMs),
        k.index('report_parked_old').on(t.receivedMs),
      ],
    )
    /** The number of skipped items, by reason and day. */
    const reportSkips = k.table(
      'report_skips',
      {
        orgId: run.orgId,
        dayMs: k.epochMs('day_ms').notNull(),
        reason: k.text('reason').notNull(),
        items: k.large('items').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.dayMs, t.reason] })],
    )
    /** The self-reported health of forwarders. */
    const reportHealth = k.table(
      'report_health',
      {
        orgId: run.orgId,
        client: k.text('client').notNull(),
        /** Distinguishes several processes of one client; empty for a single one. */
        instance: k.text('instance').notNull(),
        /** The last report, counted since the start of the process. */
        forwarded: k.large('forwarded').notNull(),
        dropped: k.large('dropped').notNull(),
        /** The totals of earlier processes. */
        forwardedBefore: k.large('forwarded_before').notNull(),
        droppedBefore: k.large('dropped_before').notNull(),
        restarts: k.count('restarts').notNull(),
        lastEventMs: k.epochMs('last_event_ms'),
        /** When `dropped` last grew. */
        lastDroppedMs: k.epochMs('last_dropped_ms'),
        updatedMs: k.epochMs('updated_ms').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.client, t.instance] })],
    )
    /** Later marks that people set on a deployment. */
    const reportOutcomes = k.table(
      'report_outcomes',
      {
        ...run,
        environment: k.text('environment').notNull(),
        /** failed, restored */
        outcome: k.text('outcome').$type<'failed' | 'restored'>().notNull(),
        atMs: k.epochMs('at_ms').notNull(),
        note: k.text('note'),
        markedBy: k.text('marked_by'),
        createdMs: k.epochMs('created_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.executionId, t.environment, t.outcome] }),
        k.index('report_outcomes_execution').on(t.orgId, t.executionId),
      ],
    )
    const reportIncidents = k.table(
      'report_incidents',
      {
        orgId: run.orgId,
        incidentId: k.text('incident_id').notNull(),
        environment: k.text('environment').notNull(),
        openedMs: k.epochMs('opened_ms').notNull(),
        resolvedMs: k.epochMs('resolved_ms'),
        /** When it was last opened again, where its sender said so. */
        reopenedMs: k.epochMs('reopened_ms'),
        severity: k.text('severity').notNull(),
        title: k.text('title'),
        url: k.text('url'),
        /** These fields narrow which deployment caused the incident. */
        pipelineId: k.text('pipeline_id'),
        sha: k.text('sha'),
        updatedMs: k.epochMs('updated_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.incidentId] }),
        k.index('report_incidents_opened').on(t.orgId, t.environment, t.openedMs),
      ],
    )
    /** Links that people set. All other links are derived from the facts at each read. */
    const reportLinks = k.table(
      'report_links',
      {
        orgId: run.orgId,
        incidentId: k.text('incident_id').notNull(),
        pipelineId: run.pipelineId,
        executionId: run.executionId,
        linkedBy: k.text('linked_by'),
        linkedMs: k.epochMs('linked_ms').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.incidentId] })],
    )
    /** Finished plugin builds; a retried build is one row. The queue deletes its own rows after 30 days. */
    const reportBuilds = k.table(
      'report_builds',
      {
        orgId: run.orgId,
        jobId: k.text('job_id').notNull(),
        pluginId: k.text('plugin_id').notNull(),
        pluginName: k.text('plugin_name').notNull(),
        version: k.text('version').notNull(),
        buildType: k.text('build_type').notNull(),
        isSucceeded: k.bool('is_succeeded').notNull(),
        category: k.text('category'),
        error: k.text('error'),
        attempts: k.count('attempts').notNull(),
        /** The duration of the last attempt; null when none started. */
        durationMs: k.large('duration_ms'),
        finishedMs: k.epochMs('finished_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.jobId] }),
        k.index('report_builds_finished').on(t.orgId, t.finishedMs),
        k.index('report_builds_old').on(t.finishedMs),
      ],
    )
    /** Forges and engines that report their runs by signed deliveries. */
    const reportSources = k.table(
      'report_sources',
      {
        orgId: run.orgId,
        id: k.text('id').notNull(),
        name: k.text('name').notNull(),
        format: k.text('format').$type<SourceFormat>().notNull(),
        sealedSecret: k.text('sealed_secret').notNull(),
        /** The previous secret, valid until `previousUntilMs`. */
        sealedPrevious: k.text('sealed_previous'),
        previousUntilMs: k.epochMs('previous_until_ms'),
        hint: k.text('hint').notNull(),
        /** From the sender's name of a pipeline, in lower case, to its id here; `*` matches every other name. */
        mapping: k.json<Readonly<Record<string, string>>>('mapping').notNull(),
        isEnabled: k.bool('is_enabled').notNull(),
        createdMs: k.epochMs('created_ms').notNull(),
        updatedMs: k.epochMs('updated_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.id] }),
        k.uniqueIndex('report_sources_id').on(t.id),
        k.uniqueIndex('report_sources_name').on(t.orgId, t.name),
      ],
    )
    /** The result of each delivery with a valid signature; kept for a week. */
    const reportDeliveries = k.table(
      'report_deliveries',
      {
        orgId: run.orgId,
        sourceId: k.text('source_id').notNull(),
        id: k.text('id').notNull(),
        /** The type in the sender's words. */
        type: k.text('type').notNull(),
        senderId: k.text('sender_id'),
        receivedMs: k.epochMs('received_ms').notNull(),
        inserted: k.count('inserted').notNull(),
        duplicates: k.count('duplicates').notNull(),
        skipped: k.count('skipped').notNull(),
        parked: k.count('parked').notNull(),
        commits: k.count('commits').notNull(),
        incidents: k.count('incidents').notNull(),
        /** The names of unknown pipelines whose events are parked. */
        parkedRefs: k.json<readonly string[]>('parked_refs').notNull(),
        note: k.text('note'),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.sourceId, t.id] }),
        k.index('report_deliveries_received').on(t.orgId, t.sourceId, t.receivedMs, t.id),
        k.index('report_deliveries_old').on(t.receivedMs),
      ],
    )
    /** The retention of an account's events and facts, for its root and each of its teams. */
    const reportRetention = k.table('report_retention', {
      orgId: k.text('org_id').primaryKey(),
      rootOrgId: k.text('root_org_id').notNull(),
      /** −1 keeps them forever. */
      eventDays: k.count('event_days').notNull(),
      factDays: k.count('fact_days').notNull(),
      /** A pending shorter retention, and when it takes effect. */
      laterEventDays: k.count('later_event_days'),
      laterFactDays: k.count('later_fact_days'),
      laterFromMs: k.epochMs('later_from_ms'),
      /** The time of the newest applied setting; an older request is refused. */
      watermarkMs: k.epochMs('watermark_ms').notNull(),
      updatedMs: k.epochMs('updated_ms').notNull(),
    })
    /**
     * Sums of a pipeline's runs. Where `pipeline_id` is empty, they are sums of all pipelines, without bins and months;
     * such a row is valid while no pipeline's day is marked. `day`: the facts of a day. `swept`: facts of that day that
     * were deleted. `month`: both together, over a month; valid while none of its days is marked.
     */
    const reportDailyRuns = k.table(
      'report_daily_runs',
      {
        orgId: run.orgId,
        pipelineId: run.pipelineId,
        part: k.text('part').$type<RollupPart>().notNull(),
        /** The day, or the first day of the month. */
        dayMs: k.epochMs('day_ms').notNull(),
        succeeded: k.count('succeeded').notNull(),
        failed: k.count('failed').notNull(),
        canceled: k.count('canceled').notNull(),
        open: k.count('open').notNull(),
        firstMs: k.epochMs('first_ms').notNull(),
        lastMs: k.epochMs('last_ms').notNull(),
        /** Runs that succeeded or failed and have a known duration; `sum` to `bins` are about these durations. */
        timed: k.count('timed').notNull(),
        sumMs: k.large('sum_ms').notNull(),
        minMs: k.large('min_ms'),
        maxMs: k.large('max_ms'),
        /** Alternating bin and count. */
        bins: k.json<readonly number[]>('bins').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.part, t.dayMs] }),
        k.index('report_daily_runs_day').on(t.orgId, t.part, t.dayMs),
      ],
    )
    /**
     * Sums of the deployments that ended on a day, by pipeline. Where `pipeline_id` is empty, they are sums of all
     * pipelines; such a row is valid while no pipeline's day is marked.
     */
    const reportDailyDeployments = k.table(
      'report_daily_deployments',
      {
        orgId: run.orgId,
        pipelineId: run.pipelineId,
        dayMs: k.epochMs('day_ms').notNull(),
        environment: k.text('environment').notNull(),
        succeeded: k.count('succeeded').notNull(),
        failed: k.count('failed').notNull(),
        canceled: k.count('canceled').notNull(),
        rework: k.count('rework').notNull(),
        /** Successes whose commit time is unknown, except rollbacks and redeploys. */
        undated: k.count('undated').notNull(),
        /** Deployments of a tier that a forge calls production. */
        production: k.count('production').notNull(),
        firstMs: k.epochMs('first_ms').notNull(),
        /** From commit to deployment. */
        leads: k.count('leads').notNull(),
        leadSumMs: k.large('lead_sum_ms').notNull(),
        /** From a failed deployment to the success that ended the failure, counted on the day of the success. */
        repairs: k.count('repairs').notNull(),
        repairSumMs: k.large('repair_sum_ms').notNull(),
        /** Only for all pipelines together: alternating bin and count. */
        leadBins: k.json<readonly number[]>('lead_bins'),
        repairBins: k.json<readonly number[]>('repair_bins'),
        /**
         * The single values, ascending. Null when there are so many that bins suffice. The last columns, because a
         * database skips trailing columns that a query does not read.
         */
        repairValues: k.json<readonly number[]>('repair_values'),
        leadValues: k.json<readonly number[]>('lead_values'),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.dayMs, t.environment] }),
        k.index('report_daily_deployments_day').on(t.orgId, t.dayMs),
        // Covers the query for known environments.
        k
          .index('report_daily_deployments_known')
          .on(t.orgId, t.pipelineId, t.environment, t.dayMs, t.production, t.firstMs),
      ],
    )
    /** The days of pipelines whose sums are outdated. */
    const reportDirty = k.table(
      'report_dirty',
      { orgId: run.orgId, dayMs: k.epochMs('day_ms').notNull(), pipelineId: run.pipelineId },
      (t) => [k.primaryKey({ columns: [t.orgId, t.dayMs, t.pipelineId] })],
    )
    const reportSettings = k.table('report_settings', {
      orgId: k.text('org_id').primaryKey(),
      settings: k.json<Partial<DoraSettings>>('settings').notNull(),
      updatedMs: k.epochMs('updated_ms').notNull(),
    })
    return {
      reportRetention,
      reportSources,
      reportDeliveries,
      reportBuilds,
      reportOutcomes,
      reportIncidents,
      reportLinks,
      reportSettings,
      reportDailyRuns,
      reportDailyDeployments,
      reportDirty,
      reportEvents,
      reportExecutions,
      reportSteps,
      reportSweptRuns,
      reportDeployments,
      reportCommits,
      reportParked,
      reportSkips,
      reportHealth,
    }
  },
  {
    // Teams have the retention of their root.
    reportRetention: tenant('org_id', { sharedWhen: 'true' }),
    reportSources: tenant(),
    reportDeliveries: tenant(),
    reportBuilds: tenant(),
    reportOutcomes: tenant(),
    reportIncidents: tenant(),
    reportLinks: tenant(),
    reportSettings: tenant(),
    reportDailyRuns: tenant(),
    reportDailyDeployments: tenant(),
    reportDirty: tenant(),
    reportEvents: tenant(),
    reportExecutions: tenant(),
    reportSteps: tenant(),
    reportSweptRuns: tenant(),
    reportDeployments: tenant(),
    reportCommits: tenant(),
    reportParked: tenant(),
    reportSkips: tenant(),
    reportHealth: tenant(),
  },
)

export type ReportingTables = ReturnType<typeof reportingTables>
export type ExecutionRow = ReportingTables['reportExecutions']['$inferSelect']
export type DeploymentRow = ReportingTables['reportDeployments']['$inferSelect']
export type DailyRunsRow = ReportingTables['reportDailyRuns']['$inferSelect']
export type DailyDeploymentsRow = ReportingTables['reportDailyDeployments']['$inferSelect']
export type BuildRow = ReportingTables['reportBuilds']['$inferSelect']
export type SourceRow = ReportingTables['reportSources']['$inferSelect']
