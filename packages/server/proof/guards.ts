/**
 * Every guard. `npm run proof -- server-guards` makes the change of each in a copy, and the named test must fail there.
 *
 * INVARIANT: each has one marker in the sources, and each marker is a guard of the list; a test holds both.
 */
import type { Guard } from './guard.js'
import { ACCESS_GUARDS } from './guards-access.js'
import { AI_GUARDS } from './guards-ai.js'
import { AUDIT_GUARDS } from './guards-audit.js'
import { BILLING_GUARDS } from './guards-billing.js'
import { CARD_GUARDS } from './guards-card.js'
import { CHECK_GUARDS } from './guards-checks.js'
import { EXEMPTION_GUARDS } from './guards-exemptions.js'
import { MARKETPLACE_GUARDS } from './guards-marketplace.js'
import { MESSAGE_GUARDS } from './guards-messages.js'
import { NOTIFICATION_GUARDS } from './guards-notifications.js'
import { ORGANIZATION_GUARDS } from './guards-organizations.js'
import { PAST_GUARDS } from './guards-past.js'
import { PIPELINE_GUARDS } from './guards-pipelines.js'
import { PLUGIN_GUARDS } from './guards-plugins.js'
import { QUOTA_GUARDS } from './guards-quota.js'
import { REPORT_GUARDS } from './guards-reports.js'
import { RULE_GUARDS } from './guards-rules.js'
import { SCAN_GUARDS } from './guards-scans.js'
import { SSO_GUARDS } from './guards-sso.js'
import { SUBSCRIPTION_GUARDS } from './guards-subscriptions.js'
import { TENANT_GUARDS } from './guards-tenants.js'
import { VERDICT_GUARDS } from './guards-verdicts.js'

export const guards: readonly Guard[] = [
  ...TENANT_GUARDS,
  ...ACCESS_GUARDS,
  ...ORGANIZATION_GUARDS,
  ...AUDIT_GUARDS,
  ...RULE_GUARDS,
  ...CARD_GUARDS,
  ...MARKETPLACE_GUARDS,
  ...CHECK_GUARDS,
  ...SCAN_GUARDS,
  ...EXEMPTION_GUARDS,
  ...SUBSCRIPTION_GUARDS,
  ...PAST_GUARDS,
  ...VERDICT_GUARDS,
  ...MESSAGE_GUARDS,
  ...NOTIFICATION_GUARDS,
  ...QUOTA_GUARDS,
  ...PIPELINE_GUARDS,
  ...PLUGIN_GUARDS,
  ...REPORT_GUARDS,
  ...AI_GUARDS,
  ...SSO_GUARDS,
  ...BILLING_GUARDS,
]
