/**
 * Rules with their versions and history, the check log, and what re-checks remember of an entity.
 *
 * INVARIANT: rows of `compliance_rule_versions` keep their body; only the end of their validity is ever written.
 */
import type { Condition, JsonValue } from '@plumbline/engine'
import { tableSet, tenant } from '../runtime/store/table-set.js'

/** What a rule checks, as it is stored. `value` is absent where the author gave none: null is a value. */
export interface StoredCheck {
  readonly field: string | null
  readonly operator: string | null
  readonly value?: JsonValue
  readonly conditions: readonly Condition[] | null
  readonly conditionMode: string
}

/** Rows that everybody may read who can be held to them: published rules, templates, and what a parent hands down. */
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
        /** The name while the rule lives, so that a deleted rule does not hold on to it. */
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
        deletedAtMs: k.epochMs('deleted_at_ms'),
        deletedBy: k.text('deleted_by'),
        purgeAfterMs: k.epochMs('purge_after_ms'),
      },
      (t) => [
        k.uniqueIndex('compliance_rules_name').on(t.orgId, t.liveName),
        k.index('compliance_rules_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_rules_scope').on(t.orgId, t.scope, t.priority),
        k.index('compliance_rules_purge').on(t.purgeAfterMs),
      ],
    )
    /** Each version of a rule with the time in which it held. */
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
        /** Null for the version that holds. */
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
        /** created, updated, deleted, restored */
        changeType: k.text('change_type').notNull(),
        /** The rule before the change; null for a created one. */
        previousState: k.json<unknown>('previous_state'),
        changedBy: k.text('changed_by'),
        changedAtMs: k.epochMs('changed_at_ms').notNull(),
      },
      (t) => [k.index('compliance_rule_history_rule').on(t.orgId, t.ruleId, t.changedAtMs)],
    )
    /** What an organization has subscribed to; one row for each rule that it ever did. */
    const subscriptions = k.table(
      'compliance_subscriptions',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** Rollout, as of a rule. */
        mode: k.text('mode').notNull(),
        /** Null while the newest version is followed. */
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
        version: k.text('version').notNull(),
        /** Name and version while the policy lives. */
        liveKey: k.text('live_key'),
        description: k.text('description'),
        tags: k.json<readonly string[]>('tags').notNull(),
        tagText: k.text('tag_text').notNull(),
        isTemplate: k.bool('is_template').notNull(),
        isActive: k.bool('is_active').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        createdBy: k.text('created_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        updatedBy: k.text('updated_by'),
        deletedAtMs: k.epochMs('deleted_at_ms'),
        deletedBy: k.text('deleted_by'),
        purgeAfterMs: k.epochMs('purge_after_ms'),
      },
      (t) => [
        k.uniqueIndex('compliance_policies_name').on(t.orgId, t.liveKey),
        k.index('compliance_policies_created').on(t.orgId, t.createdAtMs),
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
        /** Of the policy: active, inactive, deleted. */
        state: k.text('state').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_policy_rules_member').on(t.policyId, t.ruleId),
        k.index('compliance_policy_rules_org').on(t.orgId, t.ruleId),
      ],
    )
    /** Waivers of one rule for one entity. */
    const exemptions = k.table(
      'compliance_exemptions',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** Who decides: the organization itself, or the parent whose rule it is. */
        reviewOrgId: k.text('review_org_id').notNull(),
        ruleId: k.text('rule_id').notNull(),
        entityType: k.text('entity_type').notNull(),
        entityId: k.text('entity_id').notNull(),
        entityName: k.text('entity_name'),
        reason: k.text('reason').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms'),
        /** pending, approved, rejected, expired, revoked; what is over by the clock reads as expired. */
        status: k.text('status').notNull(),
        /** Rule and entity while it is pending or in force: one at a time. */
        openKey: k.text('open_key'),
        reviewedBy: k.text('reviewed_by'),
        reviewedAtMs: k.epochMs('reviewed_at_ms'),
        approvedBy: k.text('approved_by'),
        rejectionReason: k.text('rejection_reason'),
        revision: k.count('revision').notNull(),
        createdBy: k.text('created_by'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedBy: k.text('updated_by'),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('compliance_exemptions_open').on(t.orgId, t.openKey),
        k.index('compliance_exemptions_created').on(t.orgId, t.createdAtMs),
        k.index('compliance_exemptions_entity').on(t.orgId, t.entityId),
        k.index('compliance_exemptions_review').on(t.reviewOrgId, t.orgId),
        k.index('compliance_exemptions_rule').on(t.ruleId),
        k.index('compliance_exemptions_end').on(t.expiresAtMs),
      ],
    )
    /** The sets that billing last said an organization has, and when that was. */
    const entitlements = k.table('compliance_entitlements', {
      orgId: k.text('org_id').primaryKey(),
      sets: k.json<readonly string[]>('sets').notNull(),
      watermarkMs: k.epochMs('watermark_ms'),
      updatedAtMs: k.epochMs('updated_at_ms').notNull(),
    })
    /** Grows with every change of what an organization or its teams and subscribers are held to. */
    const ruleSetStamps = k.table('compliance_rule_set_stamps', {
      orgId: k.text('org_id').primaryKey(),
      stamp: k.large('stamp').notNull(),
    })
    /** One row for each check that counts: the record of every verdict. */
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
        /** Violations of rules that are only observed. */
        observed: k.json<readonly unknown[]>('observed').notNull(),
        /** The ids of the violated rules with a line feed around each, for the filter. */
        ruleText: k.text('rule_text').notNull(),
        ruleCount: k.count('rule_count').notNull(),
        rulesSkipped: k.count('rules_skipped').notNull(),
        exemptionsApplied: k.json<readonly string[]>('exemptions_applied').notNull(),
        attributesHash: k.text('attributes_hash').notNull(),
        scanId: k.text('scan_id'),
        /** Of a re-check: the event that asked for it, so that it is counted once. */
        eventId: k.text('event_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.index('compliance_checks_created').on(t.orgId, t.createdAtMs, t.id),
        k.index('compliance_checks_entity').on(t.orgId, t.entityId, t.createdAtMs),
        k.index('compliance_checks_scan').on(t.orgId, t.scanId),
        k.uniqueIndex('compliance_checks_event').on(t.orgId, t.eventId),
        k.index('compliance_checks_age').on(t.createdAtMs),
      ],
    )
    /** The last event that was worked off for an entity, and what came of it. */
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
        /** The violated rules, sorted, so that the same finding is told once. */
        violatedRuleIds: k.json<readonly string[]>('violated_rule_ids').notNull(),
      },
      (t) => [k.uniqueIndex('compliance_entity_states_entity').on(t.orgId, t.target, t.entityId)],
    )
    return {
      rules,
      ruleVersions,
      ruleHistory,
      subscriptions,
      policies,
      policyRules,
      exemptions,
      entitlements,
      ruleSetStamps,
      checks,
      entityStates,
    }
  },
  {
    rules: tenant('org_id', { sharedWhen: SHARED }),
    ruleVersions: tenant('org_id', { sharedWhen: SHARED }),
    ruleHistory: tenant(),
    subscriptions: tenant(),
    policies: tenant('org_id', { sharedWhen: 'is_template' }),
    // Ids alone: a team needs its parent's to know what holds, a copy the template's.
    policyRules: tenant('org_id', { sharedWhen: 'true' }),
    entitlements: tenant(),
    exemptions: tenant('org_id', { alsoReadableBy: 'review_org_id' }),
    ruleSetStamps: tenant('org_id', { sharedWhen: 'true' }),
    checks: tenant(),
    entityStates: tenant(),
  },
)

type Tables = ReturnType<typeof complianceTables>
export type RuleRow = Tables['rules']['$inferSelect']
export type SubscriptionRow = Tables['subscriptions']['$inferSelect']
export type PolicyRow = Tables['policies']['$inferSelect']
export type ExemptionRow = Tables['exemptions']['$inferSelect']
export type CheckRow = Tables['checks']['$inferSelect']
