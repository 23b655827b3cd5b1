/**
 * Merges the rules that apply to an organization from what was read, for now or for an instant in the past. The engine
 * decides which of them count (`mergeRules`).
 */
import { mergeRules, type Rule, type SourcedRule, type Target } from '@plumbline/engine'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { policyIdsByRule } from '../membership/rows.js'
import type { EngineRule } from '../rule/record.js'
import type { Mode } from '../rule/schema.js'
import type { Held } from '../rule-stamp.js'
import { withinReach } from './references.js'

export interface MergedRules {
  readonly rules: readonly SourcedRule[]
  /** Rollout of each rule that is not in mode `enforce`, by rule id. */
  readonly modes: ReadonlyMap<string, Mode>
  /** Ids of the subscribed rules that are pinned to a version. */
  readonly pinned: ReadonlySet<string>
}

export interface RolledOut {
  /** A private copy: assembling adds properties to it. */
  readonly rule: EngineRule
  readonly mode: string
}

/** The rules of one target, by rule source. */
export interface Sources {
  readonly own: readonly RolledOut[]
  readonly inherited: readonly RolledOut[]
  readonly subscribed: readonly (RolledOut & { readonly pinned: Rule | null })[]
  /** The policies that list a rule, of the organization and of its parent. */
  readonly grouped: readonly { readonly policyId: string; readonly ruleId: string; readonly isActive: boolean }[]
}

/** No rule applies to the system organization, except in a scan that its setting allows. */
export const isExempt = ({ orgId, isSystemScan = false }: Held): boolean => orgId === SYSTEM_ORG_ID && !isSystemScan

export const NO_RULES: MergedRules = { rules: [], modes: new Map(), pinned: new Set() }

export function assemble(
  { orgId, isSystemScan = false }: Held,
  target: Target,
  { own, inherited, subscribed, grouped }: Sources,
): MergedRules {
  const policyIds = policyIdsByRule(grouped)
  const listed = ({ rule }: RolledOut): Rule => {
    rule.policyIds = policyIds.get(rule.id) ?? []
    return rule
  }
  // `mergeRules` sets the source. Adding the property here first keeps V8 from making a new hidden class for each copy.
  for (const { rule } of [...own, ...inherited, ...subscribed]) rule.source = 'own'
  const rules = mergeRules({
    orgId,
    target,
    isSystemOrg: orgId === SYSTEM_ORG_ID,
    systemScan: isSystemScan,
    own: own.map(listed),
    inherited: inherited.map(listed),
    subscriptions: subscribed.map(({ rule, pinned }) => ({ rule, pinned, isActive: true })),
    // guard: an-inactive-policy-holds-its-rules-back
    // guard: verdicts-know-inactive-policies
    policies: grouped.map(({ policyId, ruleId, isActive }) => ({ id: policyId, isActive, ruleIds: [ruleId] })),
  })
  const modes = new Map<string, Mode>()
  for (const { rule, mode } of [...own, ...inherited, ...subscribed]) {
    // guard: the-rollout-of-a-subscription-counts
    if (mode !== 'enforce') modes.set(rule.id, mode as Mode)
  }
  const pinned = new Set(subscribed.flatMap(({ rule, pinned: body }) => (body === null ? [] : [rule.id])))
  return { rules: withinReach(rules), modes, pinned }
}
