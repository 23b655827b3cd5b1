/** Events as they came, and the facts that are folded from them. `org_id` leads every key. */
import { tableSet, tenant } from '../runtime/store/table-set.js'
import type { SourceFormat } from './formats.js'
import type { RunEvent, Status } from './ingest/event.js'
import type { Step } from './ingest/fold.js'
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
    /** Scrubbed, one row for each key. */
    const reportEvents = k.table(
      'report_events',
      {
        ...run,
        key: k.text('key').notNull(),
        hash: k.text('hash').notNull(),
        occurredMs: k.epochMs('occurred_ms').notNull(),
        receivedMs: k.epochMs('received_ms').notNull(),
        event: k.json<RunEvent>('event').notNull(),
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
    /** Runs (stage and action empty), stages and actions of each attempt, with the fold that they are. */
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
        fold: k.json<Step>('fold').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.executionId, t.attempt, t.stage, t.action] }),
        k.index('report_steps_pipeline').on(t.orgId, t.pipelineId, t.startedMs),
        k.index('report_steps_started').on(t.orgId, t.startedMs),
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
        k.index('report_deployments_started').on(t.orgId, t.startedMs),
        k.index('report_deployments_sha').on(t.orgId, t.pipelineId, t.environment, t.sha),
      ],
    )
    /** When a commit was made, as far as anybody said. */
    const reportCommits = k.table(
      'report_commits',
      { orgId: run.orgId, sha: k.text('sha').notNull(), committedMs: k.epochMs('committed_ms').notNull() },
      (t) => [k.primaryKey({ columns: [t.orgId, t.sha] })],
    )
    /** Events of pipelines that nobody registered yet. */
    const reportParked = k.table(
      'report_parked',
      {
        orgId: run.orgId,
        /** The id of the pipeline, or the repository that it builds from. */
        pipelineRef: k.text('pipeline_ref').notNull(),
        key: k.text('key').notNull(),
        hash: k.text('hash').notNull(),
        receivedMs: k.epochMs('received_ms').notNull(),
        event: k.json<RunEvent>('event').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineRef, t.key, t.hash] }),
        k.index('report_parked_received').on(t.orgId, t.receivedMs),
        k.index('report_parked_old').on(t.receivedMs),
      ],
    )
    /** How many items were not taken, by reason and day. */
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
    /** What forwarders say of themselves. */
    const reportHealth = k.table(
      'report_health',
      {
        orgId: run.orgId,
        client: k.text('client').notNull(),
        /** Of several processes of one client; empty for the only one. */
        instance: k.text('instance').notNull(),
        /** As it was told last, since the start of the process. */
        forwarded: k.large('forwarded').notNull(),
        dropped: k.large('dropped').notNull(),
        /** Of the processes before. */
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
    /** What people said of a deployment afterwards. */
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
        severity: k.text('severity').notNull(),
        title: k.text('title'),
        url: k.text('url'),
        /** Narrow which deployment caused it. */
        pipelineId: k.text('pipeline_id'),
        sha: k.text('sha'),
        updatedMs: k.epochMs('updated_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.incidentId] }),
        k.index('report_incidents_opened').on(t.orgId, t.environment, t.openedMs),
      ],
    )
    /** Links that people set; all others follow from the facts whenever they are read. */
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
    /** Builds of plugins that are over; a build that was tried again is one. The queue forgets its own rows after 30 days. */
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
        /** Of the last attempt; null where none began. */
        durationMs: k.large('duration_ms'),
        finishedMs: k.epochMs('finished_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.jobId] }),
        k.index('report_builds_finished').on(t.orgId, t.finishedMs),
        k.index('report_builds_old').on(t.finishedMs),
      ],
    )
    /** Forges and engines that tell of their runs by signed deliveries. */
    const reportSources = k.table(
      'report_sources',
      {
        orgId: run.orgId,
        id: k.text('id').notNull(),
        name: k.text('name').notNull(),
        format: k.text('format').$type<SourceFormat>().notNull(),
        sealedSecret: k.text('sealed_secret').notNull(),
        /** The secret before the last rotation, good until then. */
        sealedPrevious: k.text('sealed_previous'),
        previousUntilMs: k.epochMs('previous_until_ms'),
        hint: k.text('hint').notNull(),
        /** What a pipeline is known by there, in lower case, and its id here; `*` is everything else. */
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
    /** What came of each delivery with a good signature; kept for a week. */
    const reportDeliveries = k.table(
      'report_deliveries',
      {
        orgId: run.orgId,
        sourceId: k.text('source_id').notNull(),
        id: k.text('id').notNull(),
        /** As the sender calls it. */
        type: k.text('type').notNull(),
        senderId: k.text('sender_id'),
        receivedMs: k.epochMs('received_ms').notNull(),
        inserted: k.count('inserted').notNull(),
        duplicates: k.count('duplicates').notNull(),
        skipped: k.count('skipped').notNull(),
        parked: k.count('parked').notNull(),
        commits: k.count('commits').notNull(),
        incidents: k.count('incidents').notNull(),
        /** What waits for a pipeline. */
        parkedRefs: k.json<readonly string[]>('parked_refs').notNull(),
        note: k.text('note'),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.sourceId, t.id] }),
        k.index('report_deliveries_received').on(t.orgId, t.sourceId, t.receivedMs, t.id),
        k.index('report_deliveries_old').on(t.receivedMs),
      ],
    )
    /** How long an account keeps events and facts, for its root and for each of its teams. */
    const reportRetention = k.table('report_retention', {
      orgId: k.text('org_id').primaryKey(),
      rootOrgId: k.text('root_org_id').notNull(),
      /** −1 keeps them. */
      eventDays: k.count('event_days').notNull(),
      factDays: k.count('fact_days').notNull(),
      /** What holds from then on: shrinking waits. */
      laterEventDays: k.count('later_event_days'),
      laterFactDays: k.count('later_fact_days'),
      laterFromMs: k.epochMs('later_from_ms'),
      /** Of the newest word that was taken. */
      watermarkMs: k.epochMs('watermark_ms').notNull(),
      updatedMs: k.epochMs('updated_ms').notNull(),
    })
    /**
     * What the runs of a pipeline came to, in sums. `day`: of the facts of a day. `swept`: of facts of that day that were removed. `month`:
     * of both together, over a month; good where no day of it is marked.
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
        /** Runs that succeeded or failed and whose duration is known; `sum` to `bins` are of their durations. */
        timed: k.count('timed').notNull(),
        sumMs: k.large('sum_ms').notNull(),
        minMs: k.large('min_ms'),
        maxMs: k.large('max_ms'),
        /** Bin and count, one after another. */
        bins: k.json<readonly number[]>('bins').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.part, t.dayMs] }),
        k.index('report_daily_runs_day').on(t.orgId, t.part, t.dayMs),
      ],
    )
    /** Days of pipelines whose sums are behind their facts. */
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
      reportDirty,
      reportEvents,
      reportExecutions,
      reportSteps,
      reportDeployments,
      reportCommits,
      reportParked,
      reportSkips,
      reportHealth,
    }
  },
  {
    reportRetention: tenant(),
    reportSources: tenant(),
    reportDeliveries: tenant(),
    reportBuilds: tenant(),
    reportOutcomes: tenant(),
    reportIncidents: tenant(),
    reportLinks: tenant(),
    reportSettings: tenant(),
    reportDailyRuns: tenant(),
    reportDirty: tenant(),
    reportEvents: tenant(),
    reportExecutions: tenant(),
    reportSteps: tenant(),
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
export type BuildRow = ReportingTables['reportBuilds']['$inferSelect']
export type SourceRow = ReportingTables['reportSources']['$inferSelect']
