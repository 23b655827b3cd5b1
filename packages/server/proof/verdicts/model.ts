/**
 * What organizations are held to, written from the specification alone: records as they were sent, and a few loops over them.
 * It shares no code with the server (types of the engine only). Sections are those of docs/specification/compliance.md.
 *
 * INVARIANT: slow and obvious. Where it differs from the server, the specification decides which of them is wrong.
 */

import { oracle } from '../../../engine/proof/oracle.js'
import type { EntityKey, Evaluation, EvaluationContext, Exemption, Rule, Violation } from '../../../engine/src/types.js'

/** Why every exemption of the model is asked for. */
export const EXEMPTION_REASON = 'until the next release'

export type Target = 'plugin' | 'pipeline'
export type Mode = 'enforce' | 'warn' | 'observe'

export interface ModelOrg {
  readonly id: string
  readonly parentId: string | null
  readonly isSystem: boolean
}

export interface ModelRule {
  readonly id: string
  readonly orgId: string
  readonly scope: 'org' | 'published'
  /** As an author sent it, changes applied. */
  body: Record<string, unknown>
  mode: Mode
  version: number
  /** Of published rules, for pins. */
  readonly versions: Map<number, Record<string, unknown>>
  isDeleted: boolean
}

export interface ModelPolicy {
  readonly id: string
  readonly orgId: string
  ruleIds: string[]
  isActive: boolean
  isDeleted: boolean
}

export interface ModelSubscription {
  readonly orgId: string
  readonly ruleId: string
  isActive: boolean
  pinnedVersion: number | null
  mode: Mode
  hasEnded: boolean
}

export interface ModelExemption {
  readonly id: string
  readonly orgId: string
  readonly reviewOrgId: string
  readonly ruleId: string
  readonly entityType: Target
  readonly entityId: string | null
  readonly entityKey: EntityKey | null
  readonly expiresAtMs: number | null
  readonly requestedBy: string
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'revoked'
}

export interface Model {
  readonly orgs: ModelOrg[]
  readonly rules: ModelRule[]
  readonly policies: ModelPolicy[]
  readonly subscriptions: ModelSubscription[]
  readonly exemptions: ModelExemption[]
}

export interface HeldRule {
  readonly rule: Rule
  readonly mode: Mode
  readonly isPinned: boolean
  readonly version: number
}

/** 4.5: own, inherited, subscribed; 8: a rule all of whose policies are inactive holds nobody. */
export function heldBy(model: Model, org: ModelOrg, target: Target): HeldRule[] {
  if (org.isSystem) return []
  const held: HeldRule[] = []
  for (const rule of model.rules) {
    const isOwn = rule.orgId === org.id
    const isInherited = rule.orgId === org.parentId && rule.body['propagateToChildren'] === true
    if (rule.scope !== 'org' || !(isOwn || isInherited)) continue
    if (rule.isDeleted || rule.body['isActive'] === false || rule.body['target'] !== target) continue
    const listing = model.policies.filter(({ isDeleted, ruleIds }) => !isDeleted && ruleIds.includes(rule.id))
    if (listing.length > 0 && listing.every(({ isActive }) => !isActive)) continue
    const policyIds = listing.map(({ id }) => id).sort()
    const source = isOwn ? 'own' : 'inherited'
    held.push({
      rule: ruleOf(rule.id, rule.body, source, policyIds),
      mode: rule.mode,
      isPinned: false,
      version: rule.version,
    })
  }
  for (const subscription of model.subscriptions) {
    if (subscription.orgId !== org.id || subscription.hasEnded || !subscription.isActive) continue
    const rule = model.rules.find(({ id }) => id === subscription.ruleId)
    if (rule === undefined || rule.isDeleted || rule.body['isActive'] === false || rule.body['target'] !== target)
      continue
    const { pinnedVersion, mode } = subscription
    // The pinned body holds whole; that the rule is in force is a matter of the present one (6, "Upstream").
    const body = pinnedVersion === null ? rule.body : { ...rule.versions.get(pinnedVersion), isActive: true }
    held.push({
      rule: ruleOf(rule.id, body, 'subscribed', []),
      mode,
      isPinned: pinnedVersion !== null,
      version: pinnedVersion ?? rule.version,
    })
  }
  return held.map((each) => ({ ...each, rule: withinReach(each.rule, held) }))
}

const ruleOf = (id: string, body: Record<string, unknown>, source: Rule['source'], policyIds: string[]): Rule =>
  ({ ...body, id, source, policyIds }) as unknown as Rule

/**
 * 1.3: a reference is an id; one that leads out of the set is unavailable, whatever names others bear. A rule that is handed
 * down looks at rules that are handed down (ADR 77).
 */
function withinReach(rule: Rule, held: readonly HeldRule[]): Rule {
  if (!rule.conditions) return rule
  const isReached = (id: string) =>
    held.some(({ rule: other }) => other.id === id && (rule.source !== 'inherited' || other.source === 'inherited'))
  const conditions = rule.conditions.map((entry) =>
    entry.dependsOnRule === undefined || isReached(entry.dependsOnRule)
      ? entry
      : { ...entry, dependsOnRule: `nobody is named so: ${entry.dependsOnRule}` },
  )
  return { ...rule, conditions } as Rule
}

export interface Asked {
  readonly org: ModelOrg
  readonly target: Target
  readonly attributes: Record<string, unknown>
  readonly entityId: string | null
  readonly nowMs: number
}

/** What an answer must hold; without what only the engine counts. */
export function verdictOf(model: Model, { org, target, attributes, entityId, nowMs }: Asked): Record<string, unknown> {
  const held = heldBy(model, org, target)
  const exemptions = model.exemptions.filter((each) => each.orgId === org.id && each.status === 'approved')
  const context: EvaluationContext = {
    now: nowMs,
    target,
    entity: {
      orgId: org.id,
      type: target,
      key: keyIn(target, attributes),
      ...(entityId === null ? {} : { id: entityId }),
    },
    exemptions: exemptions.map(
      ({ id, orgId, ruleId, entityType, entityId: its, entityKey, expiresAtMs }): Exemption => ({
        ...{ id, ruleId, orgId, entityType, entityId: its, entityKey, status: 'approved' },
        expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
      }),
    ),
  }
  const rules = held.map(({ rule }) => rule)
  const modes = new Map(held.map(({ rule, mode }) => [rule.id ?? '', mode]))
  const evaluation = oracle(rules, attributes, context)
  const waived = exemptedBy(evaluation, oracle(rules, attributes, { ...context, exemptions: [] }), modes, exemptions)
  return { ...rolledOut(evaluation, modes), ...(waived.length === 0 ? {} : { exempted: waived }) }
}

/** What attributes call their record, where they say it whole. */
export function keyIn(target: Target, attributes: Record<string, unknown>): EntityKey | null {
  const text = (name: string) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : null
    return typeof value === 'string' && value.trim() !== '' ? value : null
  }
  if (target === 'plugin') {
    const [name, version] = [text('name'), text('version')]
    return name === null || version === null ? null : { name, version }
  }
  const [project, organization] = [text('project'), text('organization')]
  return project === null || organization === null ? null : { project, organization }
}

/** What exemptions cover: what is violated without them of what was skipped as exempt; one that is only observed counts nowhere. */
function exemptedBy(
  evaluation: Evaluation,
  without: Evaluation,
  modes: ReadonlyMap<string, Mode>,
  exemptions: readonly ModelExemption[],
): Record<string, unknown>[] {
  const exempt = evaluation.skipped.filter(({ reason }) => reason === 'exempt').map(({ ruleId }) => ruleId)
  const { violations } = rolledOut(without, modes) as { violations: Violation[] }
  return violations
    .filter(({ ruleId }) => exempt.includes(ruleId))
    .map((violation) => {
      const used = exemptions.find(
        ({ id, ruleId }) => ruleId === violation.ruleId && evaluation.exemptionsApplied.includes(id),
      )
      const expiresAt = used?.expiresAtMs == null ? null : new Date(used.expiresAtMs).toISOString()
      return { exemptionId: used?.id, reason: EXEMPTION_REASON, expiresAt, violation }
    })
}

/** spec compliance 13.2: `warn` never blocks and names what was declared, `observe` counts nowhere. */
function rolledOut(evaluation: Evaluation, modes: ReadonlyMap<string, Mode>): Record<string, unknown> {
  const found = evaluation.violations.map((violation): Violation & { declaredSeverity?: string } =>
    modes.get(violation.ruleId) === 'warn' && violation.severity !== 'warning'
      ? { ...violation, severity: 'warning', declaredSeverity: violation.severity ?? 'error' }
      : violation,
  )
  const counted = found.filter(({ ruleId }) => modes.get(ruleId) !== 'observe')
  return {
    passed: counted.length === 0,
    blocked: counted.some(({ severity }) => severity !== 'warning'),
    violations: counted,
    warnings: counted.filter(({ severity }) => severity === 'warning'),
    observed: found.filter(({ ruleId }) => modes.get(ruleId) === 'observe'),
    rulesEvaluated: evaluation.rulesEvaluated,
    rulesSkipped: evaluation.rulesSkipped,
    exemptionsApplied: evaluation.exemptionsApplied,
    skipped: evaluation.skipped,
  }
}

/** What the clock has ended is written down when somebody of the organization asks again (9). */
export function endExpired(model: Model, orgId: string, nowMs: number): void {
  for (const each of model.exemptions) {
    const isOpen = each.status === 'pending' || each.status === 'approved'
    if (each.orgId === orgId && isOpen && each.expiresAtMs !== null && each.expiresAtMs <= nowMs)
      each.status = 'expired'
  }
}

export const isOpenAt = ({ status, expiresAtMs }: ModelExemption, nowMs: number): boolean =>
  (status === 'pending' || status === 'approved') && (expiresAtMs === null || expiresAtMs > nowMs)
