/** Selects the rules that apply to an organization (spec compliance 4.5). */
import type { Rule, RuleSource, SourcedRule, Target } from '../types.js'

export interface Subscription {
  /** The published rule as it is now. It decides whether the rule is still in force. */
  readonly rule: Rule
  /** The body that was pinned. When present, it is evaluated instead of `rule`. */
  readonly pinned?: Rule | null
  readonly isActive: boolean
}

export interface PolicyMembership {
  readonly id: string
  readonly isActive: boolean
  readonly ruleIds: readonly string[]
}

export interface MergeInput {
  readonly orgId: string
  /** When given, rules of the other target are left out. */
  readonly target?: Target
  readonly own: readonly Rule[]
  readonly subscriptions: readonly Subscription[]
  /** The parent's own rules, before any filter. */
  readonly inherited: readonly Rule[]
  /** The policies of the organization and of its parent. */
  readonly policies: readonly PolicyMembership[]
  /** Set for the system organization: no rules are enforced there, and the result is empty. */
  readonly isSystemOrg?: boolean
  /** Set for a scan of the system organization that its setting allows. Its rules then apply. */
  readonly systemScan?: boolean
}

/**
 * Returns own rules, then inherited rules, then subscribed rules, each with its `source`. Of two rules with one id the
 * first counts.
 */
export const mergeRules = (input: MergeInput): SourcedRule[] => {
  if (input.isSystemOrg === true && input.systemScan !== true) return []
  const merged = new Map<string, SourcedRule>()
  const add = (rule: Rule, source: RuleSource): void => {
    const id = rule.id ?? rule.name
    const wanted = input.target === undefined || rule.target === input.target
    if (wanted && !merged.has(id)) merged.set(id, { ...rule, source })
  }
  const enforcedByPolicy = policyFilter(input.policies)
  for (const rule of input.own) {
    if (isOwnedBy(rule, input.orgId) && isEnforceable(rule) && isOrgRule(rule) && enforcedByPolicy(rule)) {
      add(rule, 'own')
    }
  }
  if (input.isSystemOrg === true) return [...merged.values()]
  for (const rule of input.inherited) {
    const propagates = rule.propagateToChildren === true
    if (propagates && isEnforceable(rule) && isOrgRule(rule) && enforcedByPolicy(rule)) add(rule, 'inherited')
  }
  for (const { rule, pinned, isActive } of input.subscriptions) {
    if (isActive && rule.scope === 'published' && isEnforceable(rule)) add(pinnedBody(rule, pinned), 'subscribed')
  }
  return [...merged.values()]
}

const isEnforceable = (rule: Rule): boolean =>
  rule.isActive !== false && rule.isTemplate !== true && (rule.deletedAt === undefined || rule.deletedAt === null)

const isOrgRule = (rule: Rule): boolean => (rule.scope ?? 'org') === 'org'

/** Organization ids are compared case-insensitively. A rule without `orgId` belongs to the calling organization. */
const isOwnedBy = (rule: Rule, orgId: string): boolean =>
  rule.orgId === undefined || rule.orgId === null || rule.orgId.toLowerCase() === orgId.toLowerCase()

/**
 * The pinned body says what is checked. Whether it is in force was decided by the published rule, so the body is set
 * active.
 */
const pinnedBody = (rule: Rule, pinned: Rule | null | undefined): Rule =>
  pinned === undefined || pinned === null
    ? rule
    : { ...pinned, id: rule.id ?? rule.name, isActive: true, isTemplate: false, deletedAt: null }

/** A rule is left out when it belongs to policies and all of them are inactive. A rule without a policy is kept. */
const policyFilter = (policies: readonly PolicyMembership[]): ((rule: Rule) => boolean) => {
  const activeById = new Map<string, boolean>()
  const listed = new Map<string, boolean>()
  for (const policy of policies) {
    activeById.set(policy.id, policy.isActive)
    for (const ruleId of policy.ruleIds) listed.set(ruleId, policy.isActive || listed.get(ruleId) === true)
  }
  return (rule) => {
    const states = [listed.get(rule.id ?? rule.name), ...policyIdsOf(rule).map((id) => activeById.get(id))]
    return states.every((state) => state === undefined) || states.includes(true)
  }
}

const policyIdsOf = (rule: Rule): readonly string[] =>
  rule.policyIds ?? (rule.policyId === undefined || rule.policyId === null ? [] : [rule.policyId])
