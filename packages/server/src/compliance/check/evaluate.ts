/** Evaluates one entity against the rules that apply to its organization. Every caller gets its verdict here. */
import {
  type Attributes,
  checkAttributes,
  type EvaluationContext,
  effectiveAttributes,
  exemptedViolations,
  type LimitExcess,
  type RulesInForce,
  rulesInForce,
  type Target,
  unresolvedReads,
} from '@plumbline/engine'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { exemptionsOf, resolveSubject } from '../exemption/active.js'
import type { HeldRules } from '../rule-set/cache.js'
import type { Held } from '../rule-stamp.js'
import { complianceOf } from '../services.js'
import type { Subject } from '../subject.js'
import { type Exempted, rolledOut, type Verdict, verdictOf } from './verdict.js'

/** What decides about an entity, read in one snapshot. Applying it to attributes needs no database. */
export interface Decision extends HeldRules {
  readonly held: Held
  readonly subject: Subject
  readonly exemptions: Awaited<ReturnType<typeof exemptionsOf>>
}

/** @throws when the database does not answer: there is no verdict then. */
export async function readDecision(db: Db, runtime: Runtime, held: Held, asked: Subject): Promise<Decision> {
  const subject = await resolveSubject(db, runtime, held.orgId, asked)
  const rules = await complianceOf({ runtime }).ruleSets.get(db, held, subject.target)
  const exemptions = await exemptionsOf(db, held.orgId, subject)
  return { ruleSet: rules.ruleSet, modes: rules.modes, held, subject, exemptions }
}

export function decide(
  { ruleSet, modes, held, subject, exemptions }: Decision,
  written: Attributes,
  nowMs: number,
): Verdict {
  const { target, entityId, key } = subject
  const entity = { orgId: held.orgId, type: target, key, ...(entityId === null ? {} : { id: entityId }) }
  const context: EvaluationContext = { target, entity, exemptions, now: nowMs }
  // Rules read the effective values, as `GET …?resolve=true` shows the record.
  // guard: rules-read-what-a-token-stands-for
  const { attributes, unresolved } = effectiveAttributes(target, written)
  // guard: rules-about-an-image-wait-for-it
  const inForce = rulesInForce(ruleSet, target, attributes)
  const evaluation = inForce.ruleSet.evaluate(attributes, context)
  const reads = unresolvedReads(ruleSet.rules, target, evaluation, unresolved)
  // guard: a-verdict-names-the-rules-that-read-an-unresolved-token
  const verdict = {
    ...verdictOf(evaluation, modes),
    ...(reads.length === 0 ? {} : { unresolved: reads }),
    ...deferredOf(inForce, attributes),
  }
  if (evaluation.exemptionsApplied.length === 0) return verdict
  const byId = new Map(exemptions.map((exemption) => [exemption.id, exemption]))
  const exempted = exemptedViolations(inForce.ruleSet, attributes, context, evaluation).flatMap(
    (covered): Exempted[] => {
      const violation = rolledOut(covered.violation, modes)
      const { reason = null, expiresAt = null } = byId.get(covered.exemptionId) ?? {}
      return violation === null ? [] : [{ exemptionId: covered.exemptionId, reason, expiresAt, violation }]
    },
  )
  return exempted.length === 0 ? verdict : { ...verdict, exempted }
}

/** A plugin that is never built has no image, so no rule waits for one. */
export const deferredOf = (
  { waiting }: Pick<RulesInForce, 'waiting'>,
  { buildType }: Attributes,
): Pick<Verdict, 'deferredRules'> =>
  waiting.length === 0 || buildType === 'metadata_only' ? {} : { deferredRules: waiting }

export const attributeLimits = (settings: Settings) => ({
  keys: settings.COMPLIANCE_MAX_ATTRIBUTE_KEYS,
  depth: settings.COMPLIANCE_MAX_ATTRIBUTE_DEPTH,
  nodes: settings.COMPLIANCE_MAX_ATTRIBUTE_NODES,
})

/** What the attributes exceed, as written or as they take effect; null within the limits of the settings. */
export function excessOf(target: Target, attributes: Attributes, settings: Settings): LimitExcess | null {
  const limits = attributeLimits(settings)
  const excess = checkAttributes(attributes, limits)
  if (excess !== null) return excess
  const effective = effectiveAttributes(target, attributes).attributes
  return effective === attributes ? null : checkAttributes(effective, limits)
}

/** A 400 with the exceeded limit (spec compliance 5). */
export function refuseAttributes({ limit, max, actual }: LimitExcess, at = '/body/attributes'): Refusal {
  const message = `has more ${limit} than rules may read: ${actual}, at most ${max}`
  return new Refusal('VALIDATION_ERROR', `${at}: ${message}`, {
    details: { limit, max, actual, issues: [{ path: at, message, code: `attribute_${limit}` }] },
  })
}
