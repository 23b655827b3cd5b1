/** Which rules an organization is held to (spec compliance 4.5). */
import type { Rule, RuleSource, SourcedRule, Target } from '../types.js'

export interface Subscription {
  /** The published rule as it is now: it decides whether enforcement goes on. */
  readonly rule: Rule
  /** The body at pin time; evaluated instead of `rule` when present. */
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
  /** Rules of the other target are left out. */
  readonly target?: Target
  readonly own: readonly Rule[]
  readonly subscriptions: readonly Subscription[]
  /** The parent's own rules, unfiltered. */
  readonly inherited: readonly Rule[]
  /** Policies of the organization and of its parent. */
  readonly policies: readonly PolicyMembership[]
  /** The system organization is exempt from enforcement. */
  readonly isSystemOrg?: boolean
  /** A scan of the system organization that its setting allows: its own rules apply. */
  readonly systemScan?: boolean
}

/** Own rules, then inherited, then subscribed; of two rules with one id the first counts. */
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

/** Org ids compare case-insensitively; a rule that names no organization is the caller's. */
const isOwnedBy = (rule: Rule, orgId: string): boolean =>
  rule.orgId === undefined || rule.orgId === null || rule.orgId.toLowerCase() === orgId.toLowerCase()

/** The pinned body says what is checked; that it is in force was decided by the rule. */
const pinnedBody = (rule: Rule, pinned: Rule | null | undefined): Rule =>
  pinned === undefined || pinned === null
    ? rule
    : { ...pinned, id: rule.id ?? rule.name, isActive: true, isTemplate: false, deletedAt: null }

/** A rule whose every policy is inactive is not enforced; one without a policy is. */
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
