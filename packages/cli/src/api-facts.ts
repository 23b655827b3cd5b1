/** What the API says of the requests of the command line. Generated from its description: do not edit, run `npm run generate`. */

export interface ApiFacts {
  /** The values that a parameter or a field takes. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  readonly isIdempotent?: boolean
}

/** Words of commands that have no request of their own. */
export const VOCABULARY = {
  target: ['plugin', 'pipeline'],
  severity: ['warning', 'error', 'critical'],
  result: ['pass', 'warn', 'block'],
  occasion: ['upload', 'create', 'update', 'deploy', 'restore', 'recheck', 'scan'],
  access: ['public', 'private'],
  lifecycle: ['experimental', 'production', 'deprecated'],
  criticality: ['low', 'medium', 'high', 'critical'],
  tier: ['developer', 'pro', 'team', 'enterprise', 'unlimited'],
  plan: ['developer', 'pro', 'team', 'enterprise'],
  interval: ['monthly', 'annual'],
} as const

export const API_FACTS: Readonly<Record<string, ApiFacts>> = {
  'DELETE /billing/subscriptions/{id}/addons/{bundleId}': { choices: { when: ['now', 'period_end'] } },
  'GET /ai/generations': {
    choices: { state: ['reserved', 'streaming', 'done', 'failed', 'cancelled', 'released'], sortBy: ['createdAt'] },
  },
  'GET /billing/admin/calls': {
    choices: { state: ['queued', 'sent', 'unknown', 'done', 'refused'], sortBy: ['createdAt'] },
  },
  'GET /billing/admin/discounts': { choices: { active: ['true', 'false'], sortBy: ['createdAt'] } },
  'GET /billing/admin/events': {
    choices: {
      type: [
        'subscription_created',
        'subscription_updated',
        'subscription_canceled',
        'subscription_reactivated',
        'plan_changed',
        'interval_changed',
        'payment_succeeded',
        'payment_failed',
        'discount_generated',
        'discount_issued',
        'discount_applied',
        'discount_removed',
        'discount_expired',
        'discount_revoked',
        'credit_applied',
        'credit_consumed',
        'credit_exhausted',
        'combo_expired',
        'promotion_granted',
        'promotion_clawback',
      ],
      sortBy: ['createdAt'],
    },
  },
  'GET /billing/admin/kept-invoices': { choices: { sortBy: ['createdAt'] } },
  'GET /billing/admin/promotions': { choices: { sortBy: ['createdAt'] } },
  'GET /billing/admin/subscriptions': {
    choices: { status: ['active', 'trialing', 'past_due', 'canceled', 'incomplete'], sortBy: ['createdAt'] },
  },
  'GET /billing/admin/webhook-events': {
    choices: { state: ['in_progress', 'failed', 'dead', 'done', 'ignored'], sortBy: ['createdAt'] },
  },
  'GET /billing/alerts': { choices: { sortBy: ['createdAt'] } },
  'GET /billing/events': {
    choices: {
      type: [
        'subscription_created',
        'subscription_updated',
        'subscription_canceled',
        'subscription_reactivated',
        'plan_changed',
        'interval_changed',
        'payment_succeeded',
        'payment_failed',
        'discount_generated',
        'discount_issued',
        'discount_applied',
        'discount_removed',
        'discount_expired',
        'discount_revoked',
        'credit_applied',
        'credit_consumed',
        'credit_exhausted',
        'combo_expired',
        'promotion_granted',
        'promotion_clawback',
      ],
      sortBy: ['createdAt'],
    },
  },
  'GET /billing/invoices': { choices: { sortBy: ['createdAt'] } },
  'GET /billing/invoices/next': {
    choices: { planId: ['developer', 'pro', 'team', 'enterprise'], interval: ['monthly', 'annual'] },
  },
  'GET /billing/summary/allocation': {
    choices: {
      driver: [
        'seats',
        'plugins',
        'pipelines',
        'apiCalls',
        'aiCalls',
        'storageBytes',
        'dashboards',
        'alertRules',
        'alertDestinations',
        'idpConfigs',
      ],
    },
  },
  'GET /compliance/audit': {
    choices: {
      severity: ['warning', 'error', 'critical', 'any'],
      result: ['pass', 'warn', 'block'],
      sortBy: ['createdAt'],
    },
  },
  'GET /compliance/exemptions': {
    choices: {
      status: ['pending', 'approved', 'rejected', 'expired', 'revoked'],
      entityType: ['plugin', 'pipeline'],
      sortBy: ['createdAt', 'updatedAt'],
    },
  },
  'GET /compliance/findings': {
    choices: {
      state: ['open', 'requested', 'exempted', 'fixed'],
      severity: ['warning', 'error', 'critical'],
      target: ['plugin', 'pipeline'],
      sortBy: ['updatedAt', 'createdAt', 'severity', 'ruleName', 'entityName'],
    },
  },
  'GET /compliance/notification-log': {
    choices: {
      event: [
        'compliance.block',
        'compliance.warning',
        'compliance.scan',
        'compliance.rule-change',
        'compliance.digest',
        'quota.threshold',
        'billing.notice',
        'sso.domain-lost',
        'notification.test',
      ],
      channel: ['in-app', 'email', 'webhook', 'digest'],
      status: ['pending', 'sent', 'retrying', 'failed'],
      sortBy: ['createdAt'],
    },
  },
  'GET /compliance/policies': {
    choices: { isActive: ['true', 'false', 'all'], sortBy: ['name', 'createdAt', 'updatedAt'] },
  },
  'GET /compliance/policies/deleted': { choices: { sortBy: ['deletedAt', 'name', 'createdAt'] } },
  'GET /compliance/policies/{id}/versions': { choices: { sortBy: ['createdAt', 'updatedAt'] } },
  'GET /compliance/published-rules': {
    choices: {
      target: ['plugin', 'pipeline'],
      severity: ['warning', 'error', 'critical'],
      sortBy: ['priority', 'name', 'severity', 'createdAt', 'updatedAt'],
    },
  },
  'GET /compliance/roles': { choices: { sortBy: ['userId'] } },
  'GET /compliance/rules': {
    choices: {
      target: ['plugin', 'pipeline'],
      severity: ['warning', 'error', 'critical'],
      isActive: ['true', 'false', 'all'],
      sortBy: ['createdAt', 'updatedAt', 'name', 'priority', 'severity'],
    },
  },
  'GET /compliance/rules/deleted': { choices: { sortBy: ['deletedAt', 'name', 'createdAt'] } },
  'GET /compliance/rules/{id}/history': { choices: { sortBy: ['changedAt', 'createdAt'] } },
  'GET /compliance/scan-schedules': {
    choices: { target: ['plugin', 'pipeline', 'all'], isActive: ['true', 'false'], sortBy: ['createdAt'] },
  },
  'GET /compliance/scans': {
    choices: {
      target: ['plugin', 'pipeline', 'all'],
      status: ['pending', 'running', 'completed', 'failed', 'cancelled'],
      triggeredBy: ['manual', 'scheduled', 'rule-change', 'rule-dry-run'],
      sortBy: ['createdAt'],
    },
  },
  'GET /compliance/subscriptions': {
    choices: { target: ['plugin', 'pipeline'], isActive: ['true', 'false'], sortBy: ['subscribedAt', 'createdAt'] },
  },
  'GET /compliance/subscriptions/enforced': { choices: { target: ['plugin', 'pipeline'] } },
  'GET /images': { choices: { sortBy: ['repository', 'createdAt'] } },
  'GET /images/{name}/tags': { choices: { sortBy: ['tag', 'createdAt'] } },
  'GET /messages': {
    choices: {
      messageType: ['announcement', 'conversation'],
      priority: ['normal', 'high', 'urgent'],
      isRead: ['true', 'false'],
      sortBy: ['lastReplyAt', 'createdAt', 'subject', 'priority'],
    },
  },
  'GET /messages/deleted': { choices: { sortBy: ['updatedAt', 'createdAt'] } },
  'GET /pipeline-templates': {
    choices: {
      scope: ['own', 'shared', 'all'],
      lifecycle: ['experimental', 'production', 'deprecated'],
      criticality: ['low', 'medium', 'high', 'critical'],
      accessModifier: ['public', 'private'],
      isActive: ['true', 'false', 'all'],
      sortBy: ['createdAt', 'name', 'updatedAt'],
    },
  },
  'GET /pipeline-templates/deleted': { choices: { sortBy: ['updatedAt', 'createdAt'] } },
  'GET /pipelines': {
    choices: {
      lifecycle: ['experimental', 'production', 'deprecated'],
      criticality: ['low', 'medium', 'high', 'critical'],
      accessModifier: ['public', 'private'],
      isActive: ['true', 'false', 'all'],
      sortBy: ['createdAt', 'updatedAt', 'project', 'organization', 'pipelineName', 'lifecycle'],
    },
  },
  'GET /pipelines/deleted': { choices: { sortBy: ['updatedAt', 'createdAt'] } },
  'GET /pipelines/registry': { choices: { sortBy: ['lastDeployed', 'pipelineName', 'createdAt'] } },
  'GET /pipelines/{id}/revisions': { choices: { sortBy: ['revision', 'createdAt'] } },
  'GET /plugins': {
    choices: {
      pluginType: ['CodeBuildStep', 'ShellStep', 'ManualApprovalStep'],
      computeType: ['SMALL', 'MEDIUM', 'LARGE', 'X2_LARGE'],
      buildType: ['build_image', 'prebuilt', 'metadata_only'],
      buildStatus: ['none', 'queued', 'building', 'ready', 'failed'],
      scope: ['own', 'shared'],
      lifecycle: ['experimental', 'production', 'deprecated'],
      criticality: ['low', 'medium', 'high', 'critical'],
      accessModifier: ['public', 'private'],
      isActive: ['true', 'false', 'all'],
      sortBy: ['createdAt', 'updatedAt', 'name', 'version', 'category'],
    },
  },
  'GET /plugins/builds': {
    choices: { state: ['waiting', 'delayed', 'active', 'completed', 'dead', 'cancelled'], sortBy: ['createdAt'] },
  },
  'GET /plugins/deleted': { choices: { sortBy: ['updatedAt', 'createdAt'] } },
  'GET /plugins/queue/dlq': {
    choices: {
      category: [
        'docker-build',
        'template',
        'quota',
        'timeout',
        'auth-secrets',
        'network',
        'validation',
        'other',
        'unknown',
      ],
    },
  },
  'GET /plugins/queue/failed': {
    choices: {
      category: [
        'docker-build',
        'template',
        'quota',
        'timeout',
        'auth-secrets',
        'network',
        'validation',
        'other',
        'unknown',
      ],
    },
  },
  'GET /quotas/all': { choices: { sortBy: ['createdAt', 'name'] } },
  'GET /quotas/at-risk': {
    choices: {
      type: [
        'plugins',
        'pipelines',
        'apiCalls',
        'aiCalls',
        'storageBytes',
        'dashboards',
        'alertRules',
        'alertDestinations',
        'idpConfigs',
      ],
    },
  },
  'GET /reports/execution/dora/trend': { choices: { interval: ['day', 'week', 'month'] } },
  'GET /reports/execution/stage-failures': { choices: { interval: ['day', 'week', 'month'] } },
  'GET /reports/execution/success-rate': { choices: { interval: ['day', 'week', 'month'] } },
  'GET /reports/incidents': { choices: { status: ['open', 'resolved'] } },
  'GET /reports/plugins/build-success-rate': { choices: { interval: ['day', 'week', 'month'] } },
  'GET /reports/plugins/distribution': {
    choices: { by: ['type', 'compute', 'category', 'lifecycle', 'access', 'build'] },
  },
  'GET /reports/scorecards': { choices: { sortBy: ['score', 'project'], sortOrder: ['asc', 'desc'] } },
  'PATCH /compliance/subscriptions/{ruleId}': { choices: { mode: ['enforce', 'warn', 'observe'] } },
  'POST /billing/admin/promotions': { isIdempotent: true },
  'POST /billing/alerts': { isIdempotent: true },
  'POST /billing/clocks': { isIdempotent: true },
  'POST /billing/preview': {
    choices: {
      planId: ['developer', 'pro', 'team', 'enterprise'],
      interval: ['monthly', 'annual'],
      when: ['now', 'period_end'],
    },
  },
  'POST /billing/subscriptions': { choices: { interval: ['monthly', 'annual'] }, isIdempotent: true },
  'POST /billing/subscriptions/{id}/addons': { choices: { when: ['now', 'period_end'] }, isIdempotent: true },
  'POST /billing/subscriptions/{id}/addons/preview': { choices: { when: ['now', 'period_end'] } },
  'POST /compliance/exemptions': { isIdempotent: true },
  'POST /compliance/exemptions/bulk': { isIdempotent: true },
  'POST /compliance/policies': { isIdempotent: true },
  'POST /compliance/policies/{id}/clone': { isIdempotent: true },
  'POST /compliance/scan-schedules': { choices: { target: ['plugin', 'pipeline', 'all'] }, isIdempotent: true },
  'POST /compliance/subscriptions': { isIdempotent: true },
  'POST /compliance/subscriptions/clone': { isIdempotent: true },
  'POST /messages': { choices: { priority: ['normal', 'high', 'urgent'] }, isIdempotent: true },
  'POST /messages/{id}/reply': { isIdempotent: true },
  'POST /pipelines/bulk/create': { isIdempotent: true },
  'POST /pipelines/registry': { isIdempotent: true },
  'POST /quotas/{orgId}/reset': {
    choices: {
      quotaType: [
        'plugins',
        'pipelines',
        'apiCalls',
        'aiCalls',
        'storageBytes',
        'dashboards',
        'alertRules',
        'alertDestinations',
        'idpConfigs',
      ],
    },
  },
  'POST /reports/sources': { isIdempotent: true },
  'PUT /billing/admin/subscriptions/{id}': {
    choices: {
      planId: ['developer', 'pro', 'team', 'enterprise'],
      interval: ['monthly', 'annual'],
      status: ['active', 'canceled'],
    },
  },
  'PUT /billing/subscriptions/{id}': {
    choices: {
      planId: ['developer', 'pro', 'team', 'enterprise'],
      interval: ['monthly', 'annual'],
      when: ['now', 'period_end'],
    },
    isIdempotent: true,
  },
  'PUT /compliance/notification-preferences': { choices: { digestMode: ['immediate', 'daily', 'weekly'] } },
  'PUT /compliance/scan-schedules/{id}': { choices: { target: ['plugin', 'pipeline', 'all'] } },
  'PUT /plugins/{id}': {
    choices: {
      computeType: ['SMALL', 'MEDIUM', 'LARGE', 'X2_LARGE'],
      failureBehavior: ['fail', 'warn', 'ignore'],
      lifecycle: ['experimental', 'production', 'deprecated'],
      accessModifier: ['public', 'private'],
    },
  },
  'PUT /quotas/{orgId}': { choices: { tier: ['developer', 'pro', 'team', 'enterprise', 'unlimited'] } },
}
