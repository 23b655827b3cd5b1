/**
 * The closed vocabulary of audited actions, as data (spec billing-audit 26). Area, entity, verb and usual outcome
 * follow from the name of an action by rule; they are derived here and nowhere else.
 */
import type { Outcome } from './outcome.js'

/**
 * `platform`: the platform's own code. `service`: other services, through ingest. `both`: both of them, at any
 * permission gate.
 */
export type Emitter = 'platform' | 'service' | 'both'

export interface Action {
  readonly name: string
  /** The first segment of the name. */
  readonly area: string
  /** The segments between area and verb; the area when there are none. */
  readonly entity: string
  /** The last segment of the name. */
  readonly verb: string
  readonly emitter: Emitter
  readonly defaultOutcome: Outcome
  /** The keys that the details of this action may have. */
  readonly details: readonly string[]
  /** True for an action of this product that is not one of the specified actions. */
  readonly extension: boolean
}

/** The keys of actions that list no others. */
const USUAL_DETAILS = ['id', 'name', 'changed', 'reason'] as const
const DISCOUNT = ['discountId', 'kind', 'unit', 'value', 'subscriptionId', 'via'] as const
const CREDIT = ['consumedCents', 'previousCents', 'dimensions', 'subscriptionId'] as const
const SUBSCRIPTION = [
  'subscriptionId',
  'planId',
  'interval',
  'fromPlanId',
  'fromInterval',
  'status',
  'fromStatus',
  'when',
  'effectiveAt',
  'invoiceId',
  'totalCents',
] as const
const PROMOTION = ['promotionId', 'kind', 'unit', 'value', 'cents', 'reason', 'subscriptionId', 'budgetCents'] as const
const ALERT = ['alertId', 'kind', 'cents'] as const
const CLOCK = ['clockId', 'from', 'to', 'now'] as const
const ADDON = ['bundleId', 'quantity', 'cascadedFrom', 'pruneReason', 'subscriptionId'] as const

const ROLE = [...USUAL_DETAILS, 'permissions'] as const
const SERVICE_PRINCIPAL = [...USUAL_DETAILS, 'scopes', 'includeTeams'] as const

const DETAILS: Readonly<Record<string, readonly string[]>> = {
  'org.create': [...USUAL_DETAILS, 'parentOrgId'],
  'org.soft_delete': [...USUAL_DETAILS, 'force'],
  'org.member.add': [...USUAL_DETAILS, 'role', 'roleIds'],
  'org.role.member.add': [...USUAL_DETAILS, 'idpId'],
  'org.role.member.remove': [...USUAL_DETAILS, 'idpId'],
  'org.member.remove': [...USUAL_DETAILS, 'reassignTo', 'reassigned'],
  'org.ownership.transfer': ['fromUserId', 'toUserId'],
  'org.role.create': ROLE,
  'org.role.update': ROLE,
  'org.service-principal.create': SERVICE_PRINCIPAL,
  'org.service-principal.update': SERVICE_PRINCIPAL,
  'admin.org.tier.update': ['fromTier', 'toTier', 'force'],
  'admin.org.seatLimit.update': ['seats', 'features', 'tier'],
  'admin.org.ai-config.update': [...USUAL_DETAILS, 'providers', 'monthlyTokens', 'monthlyMicroUsd'],
  'admin.org-idp.upsert': [...USUAL_DETAILS, 'issuer', 'enabled'],
  'identity.sso.login': ['idpId', 'reason', 'isNew', 'confined'],
  'identity.sso.link': ['idpId', 'reason', 'provider'],
  'identity.sso.refused': ['idpId', 'reason'],
  'org.idp.enforce': ['enforced', 'reason'],
  'org.idp.test': ['idpId', 'reason'],
  'scim.user.create': [...USUAL_DETAILS, 'idpId'],
  'scim.user.update': [...USUAL_DETAILS, 'idpId'],
  'scim.user.delete': [...USUAL_DETAILS, 'idpId'],
  'scim.group.create': [...USUAL_DETAILS, 'idpId', 'members'],
  'scim.group.update': [...USUAL_DETAILS, 'idpId', 'members'],
  'scim.group.delete': [...USUAL_DETAILS, 'idpId'],
  'scim.token.create': [...USUAL_DETAILS, 'idpId'],
  'scim.token.delete': [...USUAL_DETAILS, 'idpId'],
  'org.group-role.update': [...USUAL_DETAILS, 'idpId', 'roleIds', 'group'],
  'ai.generate': ['id', 'kind', 'provider', 'model', 'keySource', 'verdict', 'rounds', 'reason'],
  'admin.org.export': ['format', 'include'],
  'admin.user.features.update': ['features'],
  'admin.impersonate.start': ['reason', 'readOnly'],
  'org.secret.set': [...USUAL_DETAILS, 'plugins'],
  'admin.restore': ['backupCreatedAt', 'schemaVersion', 'outsideSize'],
  'authz.denied': ['method', 'path', 'required', 'suppressed'],
  'audit.event.erase': ['part', 'seqs'],
  'compliance.rule.toggle': [...USUAL_DETAILS, 'isActive', 'source'],
  'compliance.checklog.seal': ['count', 'firstId', 'lastId', 'sha256', 'from', 'through'],
  'compliance.checklog.prune': ['through'],
  'billing.discount.generate': DISCOUNT,
  'billing.discount.issue': DISCOUNT,
  'billing.discount.apply': DISCOUNT,
  'billing.discount.remove': DISCOUNT,
  'billing.discount.revoke': DISCOUNT,
  'billing.credit.consumed': CREDIT,
  'billing.credit.exhausted': CREDIT,
  'billing.combo.expired': ['comboId', 'creditCents', 'subscriptionId'],
  'billing.subscription.create': SUBSCRIPTION,
  'billing.subscription.change': SUBSCRIPTION,
  'billing.subscription.cancel': SUBSCRIPTION,
  'billing.subscription.reactivate': SUBSCRIPTION,
  'billing.subscription.status': SUBSCRIPTION,
  'billing.promotion.create': PROMOTION,
  'billing.promotion.update': PROMOTION,
  'billing.promotion.revoke': PROMOTION,
  'billing.promotion.grant': PROMOTION,
  'billing.promotion.activate': PROMOTION,
  'billing.promotion.clawback': PROMOTION,
  'billing.referral.qualify': ['promotionId', 'refereeOrgId', 'referrerOrgId', 'cents'],
  'billing.alert.create': ALERT,
  'billing.alert.update': ALERT,
  'billing.alert.delete': ALERT,
  'billing.clock.create': CLOCK,
  'billing.clock.advance': CLOCK,
  'billing.clock.update': CLOCK,
  'billing.clock.delete': CLOCK,
  'billing.webhook.replay': ['source', 'eventId', 'eventType', 'state'],
  'billing.call.retry': ['callId', 'kind', 'state', 'subscriptionId'],
  'billing.subscription.delete': ['deleted', 'events', 'trialAgain'],
  'registry.image.copy': ['source', 'target', 'digest', 'isPromotionToSystem'],
  'registry.image.delete': ['repo', 'ref', 'digest'],
  'registry.gc': ['prefix', 'count', 'bytes'],
  'billing.marketplace.claim': ['purchaseId', 'subscriptionId', 'planId', 'fromOrgId'],
  'billing.ledger.seal': ['subscriptionId', 'firstSeq', 'lastSeq', 'balanceCents', 'hash'],
  'billing.addon.add': ADDON,
  'billing.addon.remove': ADDON,
  'billing.addon.prune': ADDON,
  'admin.org.quota.override': ['limits', 'force'],
  'quota.reset': ['quotaType'],
  'quota.limit.update': ['quotaType', 'limit', 'previous'],
  'quota.threshold': ['quotaType', 'threshold', 'used', 'limit'],
  'billing.tier.override': ['toTier', 'fromPlanId', 'toPlanId'],
  // spec billing-audit 20: only the details of these actions contain e-mail addresses.
  'user.register': [...USUAL_DETAILS, 'email'],
  'invitation.send': [...USUAL_DETAILS, 'email', 'role', 'roleIds'],
  'invitation.accept': [...USUAL_DETAILS, 'email', 'role'],
  'invitation.revoke': [...USUAL_DETAILS, 'email'],
  'invitation.resend': [...USUAL_DETAILS, 'email'],
}

const PLATFORM = [
  'user.register',
  'user.login',
  'user.login.failed',
  'user.logout',
  'user.delete',
  'user.profile.update',
  'user.password.change',
  'user.email.verified',
  'user.token.create',
  'user.tokens.revoke-all',
  'org.create',
  'org.update',
  'org.soft_delete',
  'org.restore',
  'org.switch',
  'org.member.add',
  'org.member.remove',
  'org.member.deactivate',
  'org.member.activate',
  'org.ownership.transfer',
  'invitation.send',
  'invitation.accept',
  'invitation.revoke',
  'invitation.resend',
  'org.role.create',
  'org.role.update',
  'org.role.delete',
  'org.role.member.add',
  'org.role.member.remove',
  'dashboard.create',
  'dashboard.update',
  'dashboard.delete',
  'dashboard.clone',
  'alert.destination.create',
  'alert.destination.update',
  'alert.destination.delete',
  'alert.destination.test',
  'alert.rule.create',
  'alert.rule.update',
  'alert.rule.delete',
  'admin.user.create',
  'admin.user.update',
  'admin.user.delete',
  'admin.org.delete',
  'admin.org.export',
  'admin.org-idp.upsert',
  'admin.org-idp.delete',
  'admin.superadmin.grant',
  'admin.superadmin.revoke',
  'admin.org.kms-config.upsert',
  'admin.org.kms-config.delete',
  'org.kms.orphaned',
  'admin.org.tier.update',
  'admin.org.seatLimit.update',
  'admin.org.quota.override',
  'admin.org.ai-config.update',
  'admin.user.features.update',
  'admin.impersonate.start',
  'admin.org.namespace.render',
  'authz.denied',
] as const

const SERVICE = [
  'plugin.build.completed',
  'plugin.build.failed',
  'plugin.build.timeout',
  'plugin.delete',
  'plugin.upload',
  'plugin.deploy',
  'plugin.bulk.update',
  'plugin.bulk.delete',
  'plugin.dlq.purge',
  'pipeline.create',
  'pipeline.update',
  'pipeline.delete',
  'pipeline.execution.start',
  'pipeline.execution.cancel',
  'pipeline.registry.register',
  'pipeline.registry.deregister',
  'quota.reset',
  'quota.limit.update',
  'quota.delete',
  'compliance.exemption.approve',
  'compliance.exemption.revoke',
  'compliance.rule.toggle',
  'compliance.rule.create',
  'compliance.rule.update',
  'compliance.rule.delete',
  'compliance.policy.create',
  'compliance.policy.update',
  'compliance.policy.delete',
  'compliance.scan-schedule.create',
  'compliance.scan-schedule.update',
  'compliance.scan-schedule.delete',
  'compliance.template.apply',
  'compliance.scan.cancel',
  'registry.gc',
  'registry.image.delete',
  'message.announcement.create',
  'message.delete',
  'billing.subscription.cancel',
  'billing.subscription.delete',
  'billing.tier.override',
  'billing.addon.add',
  'billing.addon.remove',
  'billing.addon.prune',
  'billing.discount.generate',
  'billing.discount.issue',
  'billing.discount.apply',
  'billing.discount.remove',
  'billing.discount.revoke',
  'billing.credit.consumed',
  'billing.credit.exhausted',
  'billing.combo.expired',
  'authz.denied',
] as const

const PLATFORM_EXTENSIONS = [
  'user.session.revoke',
  'user.session.reuse',
  'user.mfa.enable',
  'user.mfa.disable',
  'user.password.reset',
  'user.token.revoke',
  'user.lockout',
  'org.service-principal.create',
  'org.service-principal.update',
  'org.service-principal.rotate',
  'org.service-principal.delete',
  'org.secret.set',
  'org.secret.delete',
  'invitation.decline',
  'compliance.rule.restore',
  'compliance.rule.purge',
  'compliance.policy.restore',
  'compliance.policy.purge',
  'compliance.subscription.create',
  'compliance.subscription.pin',
  'compliance.subscription.unpin',
  'compliance.subscription.delete',
  'compliance.exemption.request',
  'compliance.exemption.reject',
  'compliance.scan.create',
  'compliance.preference.update',
  'compliance.role.grant',
  'compliance.role.revoke',
  'compliance.checklog.seal',
  'compliance.checklog.prune',
  'quota.threshold',
  'billing.subscription.create',
  'billing.subscription.change',
  'billing.subscription.reactivate',
  'billing.subscription.status',
  'billing.promotion.clawback',
  'billing.referral.qualify',
  'billing.alert.create',
  'billing.alert.update',
  'billing.alert.delete',
  'billing.clock.create',
  'billing.clock.advance',
  'billing.clock.update',
  'billing.clock.delete',
  'billing.webhook.replay',
  'billing.call.retry',
  'billing.marketplace.claim',
  'billing.ledger.seal',
  'plugin.build.cancel',
  'plugin.dlq.replay',
  'plugin.queue.retry',
  'audit.erase',
  'audit.prune',
  'admin.restore',
  'admin.keys.rotate',
  'plugin.update',
  'pipeline_template.create',
  'pipeline_template.update',
  'pipeline_template.delete',
  'audit.event.erase',
  'ai.generate',
  'reports.outcome.mark',
  'reports.incident.link',
  'reports.settings.update',
  'reports.source.create',
  'reports.source.update',
  'reports.source.rotate',
  'reports.source.delete',
  'reports.retention.update',
  'identity.sso.login',
  'identity.sso.link',
  'identity.sso.unlink',
  'identity.sso.refused',
  'org.idp.domain.create',
  'org.idp.domain.verify',
  'org.idp.domain.fail',
  'org.idp.domain.delete',
  'org.idp.enforce',
  'org.idp.test',
  'org.group-role.update',
  'scim.user.create',
  'scim.user.update',
  'scim.user.delete',
  'scim.group.create',
  'scim.group.update',
  'scim.group.delete',
  'scim.token.create',
  'scim.token.delete',
  'auth.break-glass',
] as const

const REMOTE_EXTENSIONS = [
  'billing.promotion.create',
  'billing.promotion.update',
  'billing.promotion.revoke',
  'billing.promotion.grant',
  'billing.promotion.activate',
  'registry.image.copy',
  'message.restore',
] as const

/** The name of an action. Any other text does not compile. */
export type ActionName =
  | (typeof PLATFORM)[number]
  | (typeof SERVICE)[number]
  | (typeof PLATFORM_EXTENSIONS)[number]
  | (typeof REMOTE_EXTENSIONS)[number]

/** Every action by name, in the order of the specification: platform, services, extensions. */
export const ACTIONS: ReadonlyMap<string, Action> = build()

/** True when a remote service may emit the action. The comparison is exact and case-sensitive. */
export function isRemoteAllowed(name: string): boolean {
  const action = ACTIONS.get(name)
  return action !== undefined && action.emitter !== 'platform'
}

/**
 * Returns `failure` for names that end in `.failed` or `.timeout` and for `authz.denied`, otherwise `success`. Unknown
 * names follow the same rule.
 */
export function defaultOutcome(name: string): Outcome {
  return name === 'authz.denied' || name.endsWith('.failed') || name.endsWith('.timeout') ? 'failure' : 'success'
}

function build(): ReadonlyMap<string, Action> {
  const actions = new Map<string, Action>()
  const add = (names: readonly string[], emitter: Emitter, extension: boolean) => {
    for (const name of names) {
      const known = actions.get(name)
      actions.set(name, known === undefined ? describe(name, emitter, extension) : { ...known, emitter: 'both' })
    }
  }
  add(PLATFORM, 'platform', false)
  add(SERVICE, 'service', false)
  add(PLATFORM_EXTENSIONS, 'platform', true)
  add(REMOTE_EXTENSIONS, 'service', true)
  return actions
}

function describe(name: string, emitter: Emitter, extension: boolean): Action {
  const segments = name.split('.')
  const area = segments[0] ?? name
  return {
    name,
    area,
    entity: segments.slice(1, -1).join('.') || area,
    verb: segments.at(-1) ?? name,
    emitter,
    defaultOutcome: defaultOutcome(name),
    details: Object.hasOwn(DETAILS, name) ? (DETAILS[name] ?? USUAL_DETAILS) : USUAL_DETAILS,
    extension,
  }
}
