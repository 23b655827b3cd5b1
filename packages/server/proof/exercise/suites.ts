/** Operations whose success needs a provider, a registry, a builder or a history: a suite calls them on every database. */
import { readFileSync } from 'node:fs'
import type { Operation } from '../../src/runtime/operation/operation.js'

const SOURCE = new URL('../../src/', import.meta.url)

/** The beginning of the names of operations, and the suite below `src`. */
const SUITES: readonly (readonly [prefix: string, file: string])[] = [
  ['ai.pipeline.generate-from-url', 'ai/pipeline/generate-from-url.test.ts'],
  ['ai.pipeline.generate', 'ai/pipeline/generate.test.ts'],
  ['ai.plugin.generate', 'plugin/plugin/deploy-generated.test.ts'],
  ['ai.generation.get', 'ai/pipeline/generate.test.ts'],
  ['audit.event.ingest', 'audit/operations.test.ts'],
  ['billing.addon.', 'billing/addon/addon.test.ts'],
  ['billing.alert.', 'billing/alert/alert.test.ts'],
  ['billing.bundle.', 'billing/addon/addon.test.ts'],
  ['billing.call.', 'billing/card/card.test.ts'],
  ['billing.clock.', 'billing/clock/clock.test.ts'],
  ['billing.discount.', 'billing/discount/discount.test.ts'],
  ['billing.kept-invoice.', 'billing/kept-invoice/kept-invoice.test.ts'],
  ['billing.ledger.', 'billing/ledger/ledger.test.ts'],
  ['billing.notification.', 'billing/notification/marketplace-notice.test.ts'],
  ['billing.portal.', 'billing/card/card.test.ts'],
  ['billing.promotion.', 'billing/promotion/promotion.test.ts'],
  ['billing.purchase.', 'billing/purchase/purchase.test.ts'],
  ['billing.reconcile.', 'billing/card/card.test.ts'],
  ['billing.credit.', 'billing/subscription/override.test.ts'],
  ['billing.entitlement.', 'billing/subscription/override.test.ts'],
  ['billing.event.list-all', 'billing/subscription/override.test.ts'],
  ['billing.subscription.list', 'billing/subscription/override.test.ts'],
  ['billing.subscription.override', 'billing/subscription/override.test.ts'],
  ['billing.subscription.delete', 'billing/kept-invoice/kept-invoice.test.ts'],
  ['billing.summary.', 'billing/summary/reads.test.ts'],
  ['billing.usage.', 'billing/summary/reads.test.ts'],
  ['billing.webhook', 'billing/card/card.test.ts'],
  ['compliance.check.get', 'compliance/reads-by-id.test.ts'],
  ['compliance.exemption.get', 'compliance/reads-by-id.test.ts'],
  ['compliance.finding.list', 'compliance/finding/state.test.ts'],
  ['compliance.finding.get', 'compliance/finding/state.test.ts'],
  ['notification.notification-log.get', 'compliance/reads-by-id.test.ts'],
  ['compliance.rule.update', 'compliance/rule/rule.test.ts'],
  ['compliance.scan.create', 'compliance/scan/scan.test.ts'],
  ['compliance.preview.run-impact', 'compliance/policy/diff.test.ts'],
  ['compliance.scan-schedule.get', 'compliance/reads-by-id.test.ts'],
  ['compliance.summary.', 'compliance/finding/state.test.ts'],
  ['identity.auth.login-link', 'identity/auth/login-link.test.ts'],
  ['plugin.builder.', 'plugin/builder/builder.test.ts'],
  ['plugin.provenance.', 'plugin/build/attestation.test.ts'],
  ['plugin.sbom.', 'plugin/build/attestation.test.ts'],
  ['plugin.scan.', 'plugin/build/attestation.test.ts'],
  ['plugin.plugin.deploy-generated', 'plugin/plugin/deploy-generated.test.ts'],
  ['quota.quota.update', 'quota/quotas.test.ts'],
  ['registry.blob.', 'registry/image/images.test.ts'],
  ['registry.event.', 'registry/image/images.test.ts'],
  ['registry.image.', 'registry/image/images.test.ts'],
  ['registry.manifest.', 'registry/image/images.test.ts'],
  ['registry.storage.', 'registry/image/images.test.ts'],
  ['registry.tag.', 'registry/image/images.test.ts'],
  ['registry.token.', 'registry/token/get.test.ts'],
  ['reporting.incident.report', 'reporting/dora/reports.test.ts'],
  ['reporting.link.', 'reporting/dora/reports.test.ts'],
  ['reporting.retention-sync.', 'reporting/retention-sync/retention.test.ts'],
  ['reporting.scorecard.', 'reporting/scorecard/scorecard.test.ts'],
  ['reporting.source', 'reporting/webhook/deliveries.test.ts'],
  ['reporting.webhook.', 'reporting/webhook/deliveries.test.ts'],
  ['sso.backchannel-logout.', 'sso/enforcement/enforcement.test.ts'],
  ['sso.default-provider.test', 'sso/sign-in/sign-in.test.ts'],
  ['sso.default-provider.', 'sso/provider/setup.test.ts'],
  ['sso.domain.', 'sso/provider/setup.test.ts'],
  ['sso.enforcement.', 'sso/enforcement/enforcement.test.ts'],
  ['sso.group-role.', 'sso/group-role/groups.test.ts'],
  ['sso.provider.test', 'sso/sign-in/sign-in.test.ts'],
  ['sso.provider.', 'sso/provider/setup.test.ts'],
  ['sso.scim-', 'sso/scim-user/scim.test.ts'],
  ['sso.session.', 'sso/enforcement/enforcement.test.ts'],
  ['sso.sign-in.', 'sso/sign-in/sign-in.test.ts'],
  ['sso.social-', 'sso/social-sign-in/social.test.ts'],
  ['sso.step-up.', 'sso/sign-in/sign-in.test.ts'],
  ['reporting.outcome.', 'reporting/dora/reports.test.ts'],
]

export const suiteOf = ({ name }: Operation): string | null =>
  SUITES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null

/** @returns null where the suite runs on PostgreSQL and names, itself or in its support, every word of the route, else what it lacks. */
export function lackOf({ http }: Operation, file: string): string | null {
  const at = new URL(file, SOURCE)
  const suite = readFileSync(at, 'utf8')
  if (!/(describeStores\(|describeCompliance\(|stores: )[^)]*(WITH_POSTGRESQL|BOTH_DATABASES|'PostgreSQL')/.test(suite))
    return `${file} does not run on PostgreSQL`
  const supports = [...suite.matchAll(/'([./]+\/test\/support\/[\w-]+)\.js'/g)].map(
    ([, path]) => new URL(`${path}.ts`, at),
  )
  const text = [suite, ...supports.map((path) => readFileSync(path, 'utf8'))].join('\n')
  const words = http.path.split('/').filter((word) => word !== '' && !word.startsWith(':'))
  const missing = words.filter((word) => !text.includes(word))
  return missing.length === 0 ? null : `${file} does not name ${missing.join(' and ')} of ${http.path}`
}
