/**
 * Rules with their versions and history, the check log, the state of entities after re-checks, scans and their
 * schedules.
 *
 * INVARIANT: rows of `compliance_rule_versions` keep their body; only the end of their validity is ever written.
 */

import type { Condition, EntityKey, JsonValue } from '@plumbline/engine'
import { desc } from 'drizzle-orm'
import type { EntityFilter } from '../runtime/inventory.js'
import { softDeleteColumns } from '../runtime/records/soft-delete.js'
import { tableSet, tenant } from '../runtime/store/table-set.js'

/** The check of a rule, as stored. `value` is absent where the author gave none, because null is a valid value. */
export interface StoredCheck {
  readonly field: string | null
  readonly operator: string | null
  readonly value?: JsonValue
  readonly conditions: readonly Condition[] | null
  readonly conditionMode: string
}

/** The filter of a scan, with the organization of the caller. */
export interface StoredScanFilter extends EntityFilter {
  readonly orgId: string
}

/**
 * Rows that every organization may read that they can apply to: published rules, templates, and rules that teams
 * inherit.
 */
const SHARED = `scope = 'published' OR is_template OR propagate_to_children`

export const complianceTables = tableSet(
  'compliance',
  (k) => {
    const rules = k.table(
      'compliance_rules',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        /** Sort key of the name, case-insensitive. */
        nameKey: k.text('name_key').notNull(),
        /** The name while the rule is live; null after deletion, so that another rule can use the name. */
        liveName: k.text('live_name'),
        description: k.text('description'),
        target: k.text('target').notNull(),
        severity: k.text('severity').notNull(),
        /** 1 to 3, for the order of lists. */
        severityRank: k.count('severity_rank').notNull(),
        priority: k.count('priority').notNull(),
        scope: k.text('scope').notNull(),
        check: k.json<StoredCheck>('check_body').notNull(),
        tags: k.json<readonly string[]>('tags').notNull(),
        /** The tags with a line feed around each, for the exact filter. */
        tagText: k.text('tag_text').notNull(),
        propagateToChildren: k.bool('propagate_to_children').notNull(),
        isTemplate: k.bool('is_template').notNull(),
        isActive: k.bool('is_active').notNull(),
        suppressNotification: k.bool('suppress_notification').notNull(),
        /** Rollout: enforce, warn, observe. */
        mode: k.text('mode').notNull(),
        effectiveFromMs: k.epochMs('effective_from_ms'),
        effectiveUntilMs: k.epochMs('effective_until_ms'),
        forkedFromRuleId: k.text('forked_from_rule_id'),
        version: k.count('version').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        createdBy: k.text('created_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        updatedBy: k.text('updated_by'),
        ...softDeleteColumns(k),
      },
      (t) => [
        k.uniqueIndex('compliance_rules_name').on(t.orgId, t.liveName),
        k.index('compliance_rules_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_rules_by_name').on(t.orgId, t.nameKey, t.id),
        // The catalogue in its order, with every filter except tags: pages and totals read only this index.
        k
          .index('compliance_rules_scope')
          .on(
            t.orgId,
            t.scope,
            t.isActive,
            t.deletedAtMs,
            desc(t.priority),
            t.nameKey,
            desc(t.id),
            t.target,
            t.severity,
          ),
        k.index('compliance_rules_purge').on(t.purgeAfterMs),
      ],
    )
    /** Each version of a rule with its validity interval. */
    const ruleVersions = k.table(
      'compliance_rule_versions',
      {
        id: k.text('id').primaryKey(),
        ruleId: k.text('rule_id').notNull(),
        version: k.count('version').notNull(),
        orgId: k.text('org_id').notNull(),
        scope: k.text('scope').notNull(),
        isTemplate: k.bool('is_template').notNull(),
        propagateToChildren: k.bool('propagate_to_children').notNull(),
        mode: k.text('mode').notNull(),
        /** The rule as the engine reads it. */
        body: k.json<unknown>('body').notNull(),
        validFromMs: k.epochMs('valid_from_ms').notNull(),
        /** Null for the version in force. */
        validToMs: k.epochMs('valid_to_ms'),
      },
      (t) => [
        k.uniqueIndex('compliance_rule_versions_rule').on(t.ruleId, t.version),
        k.index('compliance_rule_versions_org').on(t.orgId, t.validFromMs),
      ],
    )
    const ruleHistory = k.table(
      'compliance_rule_history',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        version: k.count('version').notNull(),
        /** Copied from the rule: an organization that may subscribe to a published rule may also read its history. */
        scope: k.text('scope').notNull(),
        /** created, updated, deleted, restored */
        changeType: k.text('change_type').notNull(),
        /** The rule before the change; null for a created one. */
        previousState: k.json<unknown>('previous_state'),
        changedBy: k.text('changed_by'),
        changedAtMs: k.epochMs('changed_at_ms').notNull(),
      },
      (t) => [k.index('compliance_rule_history_rule').on(t.orgId, t.ruleId, t.changedAtMs)],
    )
    /** The rules that an organization subscribes to; one row for each rule, which stays after the subscription ends. */
    const subscriptions = k.table(
      'compliance_subscriptions',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** Rollout, as for a rule. */
        mode: k.text('mode').notNull(),
        /** Null while the subscription follows the newest version. */
        pinnedVersion: k.count('pinned_version'),
        pinnedAtMs: k.epochMs('pinned_at_ms'),
        pinnedBy: k.text('pinned_by'),
        /** manual, auto, entitlement */
        source: k.text('source').notNull(),
        optedOut: k.bool('opted_out').notNull(),
        subscribedAtMs: k.epochMs('subscribed_at_ms').notNull(),
        subscribedBy: k.text('subscribed_by'),
        unsubscribedAtMs: k.epochMs('unsubscribed_at_ms'),
        unsubscribedBy: k.text('unsubscribed_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_subscriptions_rule').on(t.orgId, t.ruleId),
        k.index('compliance_subscriptions_active').on(t.orgId, t.isActive),
        k.index('compliance_subscriptions_of_rule').on(t.ruleId),
      ],
    )
    const policies = k.table(
      'compliance_policies',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        /** Sort key of the name, case-insensitive. */
        nameKey: k.text('name_key').notNull(),
        version: k.text('version').notNull(),
        /** Name and version while the policy is live. */
        liveKey: k.text('live_key'),
        description: k.text('description'),
        tags: k.json<readonly string[]>('tags').notNull(),
        tagText: k.text('tag_text').notNull(),
        isTemplate: k.bool('is_template').notNull(),
        /** A policy of a library that is sold: every organization sees it, and its rules need a feature. */
        isPublished: k.bool('is_published').notNull(),
        isActive: k.bool('is_active').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        createdBy: k.text('created_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        updatedBy: k.text('updated_by'),
        ...softDeleteColumns(k),
      },
      (t) => [
        k.uniqueIndex('compliance_policies_name').on(t.orgId, t.liveKey),
        k.index('compliance_policies_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_policies_by_name').on(t.orgId, t.nameKey, t.id),
        k.index('compliance_policies_purge').on(t.purgeAfterMs),
      ],
    )
    /** Which rules a policy lists. */
    const policyRules = k.table(
      'compliance_policy_rules',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        policyId: k.text('policy_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        /** State of the policy: active, inactive, deleted. */
        state: k.text('state').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_policy_rules_member').on(t.policyId, t.ruleId),
        k.index('compliance_policy_rules_org').on(t.orgId, t.ruleId),
      ],
    )
    /** When a subscription was in force, with which mode and version (ADR 78); append-only except for the end. */
    const subscriptionIntervals = k.table(
      'compliance_subscription_intervals',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        mode: k.text('mode').notNull(),
        pinnedVersion: k.count('pinned_version'),
        validFromMs: k.epochMs('valid_from_ms').notNull(),
        validToMs: k.epochMs('valid_to_ms'),
      },
      (t) => [
        k.index('compliance_subscription_intervals_org').on(t.orgId, t.validFromMs),
        k.index('compliance_subscription_intervals_rule').on(t.ruleId, t.orgId, t.validToMs),
      ],
    )
    /** When a policy that was not deleted listed a rule, and whether the policy was active. */
    const policyRuleIntervals = k.table(
      'compliance_policy_rule_intervals',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        policyId: k.text('policy_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        isActive: k.bool('is_active').notNull(),
        validFromMs: k.epochMs('valid_from_ms').notNull(),
        validToMs: k.epochMs('valid_to_ms'),
      },
      (t) => [
        k.index('compliance_policy_rule_intervals_org').on(t.orgId, t.validFromMs),
        k.index('compliance_policy_rule_intervals_policy').on(t.policyId, t.validToMs),
        k.index('compliance_policy_rule_intervals_rule').on(t.ruleId, t.validToMs),
      ],
    )
    /** The history horizon of an organization whose earlier history a purge deleted; without a row, its creation. */
    const pastStarts = k.table('compliance_past_starts', {
      orgId: k.text('org_id').primaryKey(),
      fromMs: k.epochMs('from_ms').notNull(),
    })
    /** Exemptions: waivers of one rule for one entity. */
    const exemptions = k.table(
      'compliance_exemptions',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** Who decides: the organization itself, or the parent whose rule it is. */
        reviewOrgId: k.text('review_org_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        entityType: k.text('entity_type').notNull(),
        /** The id of the record; null when the exemption names it by key. */
        entityId: k.text('entity_id'),
        /** The key as requested, and its text for comparison. */
        entityKey: k.json<EntityKey>('entity_key'),
        entityKeyText: k.text('entity_key_text'),
        entityName: k.text('entity_name'),
        reason: k.text('reason').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms'),
        /** pending, approved, rejected, expired, revoked; past its expiry, a row reads as expired. */
        status: k.text('status').notNull(),
        /** Rule and entity while the exemption is pending or in force: at most one at a time. */
        openKey: k.text('open_key'),
        reviewedBy: k.text('reviewed_by'),
        reviewedAtMs: k.epochMs('reviewed_at_ms'),
        approvedBy: k.text('approved_by'),
        rejectionReason: k.text('rejection_reason'),
        revision: k.count('revision').notNull(),
        createdBy: k.text('created_by'),
        /** The user who requested it while impersonating `createdBy`. */
        impersonatorId: k.text('impersonator_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedBy: k.text('updated_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_exemptions_open').on(t.orgId, t.openKey),
        k.index('compliance_exemptions_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_exemptions_entity').on(t.orgId, t.entityId),
        k.index('compliance_exemptions_key').on(t.orgId, t.entityKeyText),
        k.index('compliance_exemptions_review').on(t.reviewOrgId, t.orgId),
        k.index('compliance_exemptions_rule').on(t.ruleId),
        k.index('compliance_exemptions_end').on(t.expiresAtMs),
      ],
    )
    /** The sets that billing last reported for an organization, and when. */
    const entitlements = k.table('compliance_entitlements', {
      orgId: k.text('org_id').primaryKey(),
      sets: k.json<readonly string[]>('sets').notNull(),
      watermarkMs: k.epochMs('watermark_ms'),
      updatedAtMs: k.epochMs('updated_at_ms').notNull(),
    })
    /** Increases with every change of the rules that apply to an organization, its teams or its subscribers. */
    const ruleSetStamps = k.table('compliance_rule_set_stamps', {
      orgId: k.text('org_id').primaryKey(),
      stamp: k.large('stamp').notNull(),
    })
    /** One row for each check that counts, with its verdict. */
    const checks = k.table(
      'compliance_checks',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        userId: k.text('user_id'),
        target: k.text('target').notNull(),
        action: k.text('action').notNull(),
        entityId: k.text('entity_id'),
        entityName: k.text('entity_name'),
        /** pass, warn, block */
        result: k.text('result').notNull(),
        violations: k.json<readonly unknown[]>('violations').notNull(),
        /** Violations of rules in mode `observe`. */
        observed: k.json<readonly unknown[]>('observed').notNull(),
        /** Violations that exemptions covered; null where there was none. */
        exempted: k.json<readonly unknown[]>('exempted'),
        /** Rules that read a token without a value; null where none did. */
        unresolved: k.json<readonly unknown[]>('unresolved'),
        /**
         * The ids of the violated, observed and waived rules, with a line feed before and after each, for the filter.
         */
        ruleText: k.text('rule_text').notNull(),
        ruleCount: k.count('rule_count').notNull(),
        rulesSkipped: k.count('rules_skipped').notNull(),
        exemptionsApplied: k.json<readonly string[]>('exemptions_applied').notNull(),
        attributesHash: k.text('attributes_hash').notNull(),
        scanId: k.text('scan_id'),
        /** For a re-check, the event that requested it, so that it is counted once. */
        eventId: k.text('event_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.index('compliance_checks_created').on(t.orgId, t.createdAtMs, t.id),
        k.index('compliance_checks_entity').on(t.orgId, t.entityId, t.createdAtMs, t.id),
        // A scan has one row for each entity, whichever worker writes it. The two unique indexes leave out rows without
        // a scan or an event: each index entry costs another page in the commit.
        k
          .uniqueIndex('compliance_checks_scan')
          .on(t.orgId, t.scanId, t.target, t.entityId)
          .where(k.sql`scan_id IS NOT NULL`),
        k.uniqueIndex('compliance_checks_event').on(t.orgId, t.eventId).where(k.sql`event_id IS NOT NULL`),
        k.index('compliance_checks_age').on(t.createdAtMs),
      ],
    )
    /**
     * What is wrong with a record: one row for each rule that it ever violated, as of the last check of the stored
     * record (ADR 128).
     */
    const findings = k.table(
      'compliance_findings',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        target: k.text('target').notNull(),
        entityId: k.text('entity_id').notNull(),
        entityName: k.text('entity_name').notNull(),
        entityNameKey: k.text('entity_name_key').notNull(),
        /** The keys by which exemptions name the record: its own key, and the key for all its versions. */
        keyText: k.text('key_text'),
        anyKeyText: k.text('any_key_text'),
        /** The user or team that owns the record. */
        ownerId: k.text('owner_id'),
        ruleId: k.text('rule_id').notNull(),
        ruleName: k.text('rule_name').notNull(),
        ruleNameKey: k.text('rule_name_key').notNull(),
        severity: k.text('severity').notNull(),
        severityRank: k.count('severity_rank').notNull(),
        source: k.text('source').notNull(),
        /** The violation as in the check log. */
        violation: k.json<unknown>('violation').notNull(),
        /** The last check that found it, and its action. */
        checkId: k.text('check_id').notNull(),
        action: k.text('action').notNull(),
        scanId: k.text('scan_id'),
        firstSeenAtMs: k.epochMs('first_seen_at_ms').notNull(),
        /** Start of the current uninterrupted violation. */
        sinceMs: k.epochMs('since_ms').notNull(),
        lastSeenAtMs: k.epochMs('last_seen_at_ms').notNull(),
        /** The last check of the record. */
        checkedAtMs: k.epochMs('checked_at_ms').notNull(),
        /** Null while the record violates the rule. */
        fixedAtMs: k.epochMs('fixed_at_ms'),
      },
      (t) => [
        k.uniqueIndex('compliance_findings_entity').on(t.orgId, t.target, t.entityId, t.ruleId),
        k.index('compliance_findings_seen').on(t.orgId, t.lastSeenAtMs, t.id),
        k.index('compliance_findings_severity').on(t.orgId, t.severityRank, t.id),
        // The findings of each rule are counted from this index alone.
        k.index('compliance_findings_rule').on(t.orgId, t.ruleId, t.fixedAtMs, t.id),
        k.index('compliance_findings_all').on(t.orgId, t.id),
        // A search for names reads only this index.
        k.index('compliance_findings_names').on(t.orgId, t.entityNameKey, t.target, t.entityId),
      ],
    )
    /** Counts of checks by day and result, in several rows for each count, so that concurrent checks rarely wait. */
    const checkDays = k.table(
      'compliance_check_days',
      {
        /** Organization, day, share, kind and name. */
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** Midnight in UTC. */
        dayMs: k.epochMs('day_ms').notNull(),
        /** result, severity, rule */
        kind: k.text('kind').notNull(),
        name: k.text('name').notNull(),
        /** For a rule, its name when it was last counted. */
        label: k.text('label'),
        checks: k.large('checks').notNull(),
      },
      (t) => [
        k.index('compliance_check_days_org').on(t.orgId, t.dayMs),
        k.index('compliance_check_days_all').on(t.orgId, t.id),
      ],
    )
    /** The seal of each hour of the check log; its checksum is in the organization's chain (ADR 35). */
    const checkSeals = k.table(
      'compliance_check_seals',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** 1, 2, 3 … of the organization; unique, so that of two concurrent seals one fails. */
        ordinal: k.large('ordinal').notNull(),
        fromMs: k.epochMs('from_ms').notNull(),
        throughMs: k.epochMs('through_ms').notNull(),
        /** One line for each row, as `@plumbline/audit-chain` writes them. */
        manifest: k.text('manifest').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_check_seals_ordinal').on(t.orgId, t.ordinal),
        k.index('compliance_check_seals_through').on(t.orgId, t.throughMs),
      ],
    )
    /** The last recorded event of an entity, with its result. */
    const entityStates = k.table(
      'compliance_entity_states',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        target: k.text('target').notNull(),
        entityId: k.text('entity_id').notNull(),
        eventAtMs: k.epochMs('event_at_ms').notNull(),
        eventId: k.text('event_id').notNull(),
        /** pass, warn, block; null once the entity is deleted. */
        result: k.text('result'),
        /** The violated rules, sorted, so that the same finding is notified once. */
        violatedRuleIds: k.json<readonly string[]>('violated_rule_ids').notNull(),
      },
      (t) => [k.uniqueIndex('compliance_entity_states_entity').on(t.orgId, t.target, t.entityId)],
    )
    /** Sweeps of the inventory. */
    const scans = k.table(
      'compliance_scans',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** The user who started the scan; null for the server itself. */
        userId: k.text('user_id'),
        /** plugin, pipeline, all */
        target: k.text('target').notNull(),
        filter: k.json<StoredScanFilter>('filter'),
        dryRun: k.bool('dry_run').notNull(),
        /** manual, scheduled, rule-change, rule-dry-run */
        triggeredBy: k.text('triggered_by').notNull(),
        /** The schedule and its time slot: one scan for each. */
        slotKey: k.text('slot_key'),
        /** pending, running, completed, failed, cancelled */
        status: k.text('status').notNull(),
        /** `open` while the scan is pending or running and covers the target: one at a time. */
        pluginSlot: k.text('plugin_slot'),
        pipelineSlot: k.text('pipeline_slot'),
        totalEntities: k.count('total_entities').notNull(),
        processedEntities: k.count('processed_entities').notNull(),
        passCount: k.count('pass_count').notNull(),
        warnCount: k.count('warn_count').notNull(),
        blockCount: k.count('block_count').notNull(),
        /** Entities with findings of at least one rule that does not suppress notifications. */
        toldCount: k.count('told_count').notNull(),
        /** The scan continues after this entity: its target and id. */
        cursorTarget: k.text('cursor_target'),
        cursorId: k.text('cursor_id'),
        errorMessage: k.text('error_message'),
        /** The last heartbeat of the worker that runs it. */
        heartbeatAtMs: k.epochMs('heartbeat_at_ms'),
        startedAtMs: k.epochMs('started_at_ms'),
        completedAtMs: k.epochMs('completed_at_ms'),
        cancelledAtMs: k.epochMs('cancelled_at_ms'),
        cancelledBy: k.text('cancelled_by'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_scans_plugin').on(t.orgId, t.pluginSlot),
        k.uniqueIndex('compliance_scans_pipeline').on(t.orgId, t.pipelineSlot),
        k.uniqueIndex('compliance_scans_slot').on(t.orgId, t.slotKey),
        k.index('compliance_scans_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_scans_state').on(t.status, t.heartbeatAtMs),
        k.index('compliance_scans_age').on(t.createdAtMs),
      ],
    )
    /** When scans begin by themselves. */
    const scanSchedules = k.table(
      'compliance_scan_schedules',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        target: k.text('target').notNull(),
        cronExpression: k.text('cron_expression').notNull(),
        isActive: k.bool('is_active').notNull(),
        lastRunAtMs: k.epochMs('last_run_at_ms'),
        /** Null while it is inactive. */
        nextRunAtMs: k.epochMs('next_run_at_ms'),
        revision: k.count('revision').notNull(),
        createdBy: k.text('created_by'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedBy: k.text('updated_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.index('compliance_scan_schedules_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_scan_schedules_due').on(t.nextRunAtMs),
      ],
    )
    return {
      scans,
      scanSchedules,
      rules,
      ruleVersions,
      ruleHistory,
      subscriptions,
      policies,
      policyRules,
      subscriptionIntervals,
      policyRuleIntervals,
      pastStarts,
      exemptions,
      entitlements,
      ruleSetStamps,
      checks,
      checkSeals,
      entityStates,
      findings,
      checkDays,
    }
  },
  {
    rules: tenant('org_id', { sharedWhen: SHARED }),
    ruleVersions: tenant('org_id', { sharedWhen: SHARED }),
    ruleHistory: tenant('org_id', { sharedWhen: "scope = 'published'" }),
    subscriptions: tenant(),
    policies: tenant('org_id', { sharedWhen: 'is_template OR is_published' }),
    // Ids only: a team needs those of its parent to know which rules apply, a copy those of the template.
    policyRules: tenant('org_id', { sharedWhen: 'true' }),
    subscriptionIntervals: tenant(),
    policyRuleIntervals: tenant('org_id', { sharedWhen: 'true' }),
    // A team's history horizon is never earlier than its parent's.
    pastStarts: tenant('org_id', { sharedWhen: 'true' }),
    entitlements: tenant(),
    exemptions: tenant('org_id', { alsoReadableBy: 'review_org_id' }),
    ruleSetStamps: tenant('org_id', { sharedWhen: 'true' }),
    checks: tenant(),
    checkSeals: tenant(),
    entityStates: tenant(),
    findings: tenant(),
    checkDays: tenant(),
    scans: tenant(),
    scanSchedules: tenant(),
  },
)

type Tables = ReturnType<typeof complianceTables>
export type RuleRow = Tables['rules']['$inferSelect']
export type SubscriptionRow = Tables['subscriptions']['$inferSelect']
export type PolicyRow = Tables['policies']['$inferSelect']
export type ExemptionRow = Tables['exemptions']['$inferSelect']
export type CheckSealRow = Tables['checkSeals']['$inferSelect']
export type CheckRow = Tables['checks']['$inferSelect']
export type FindingRow = Tables['findings']['$inferSelect']
export type ScanRow = Tables['scans']['$inferSelect']
export type ScheduleRow = Tables['scanSchedules']['$inferSelect']
