/** The compliance check where this process mounts the domain: evaluated here, its row committed before the answer. */
import { tenantId } from '../../runtime/operation/context.js'
import type { ComplianceAnswer, CompliancePort } from '../../runtime/records/compliance.js'
import { decide, excessOf, readDecision, type Subject } from '../check/evaluate.js'
import { checkRow, recordCheck } from '../check/record.js'
import { heldOf } from '../held.js'
import { tenantScope } from '../tenant-scope.js'

export const inProcessCompliance: CompliancePort = {
  async check(context, request): Promise<ComplianceAnswer> {
    const { runtime, actor, nowMs } = context
    const { target, attributes, action, entityId, entityName } = request
    const excess = excessOf(attributes, runtime.settings)
    if (excess !== null) return { refused: excess }
    const subject: Subject = { target, entityId, entityName }
    const held = heldOf(context)
    // The operation that asks may span organizations; what decides about one of them is read as that one.
    const scope = tenantScope(runtime.store, held)
    const decision = await scope.read((db) => readDecision(db, runtime, held, subject))
    const verdict = decide(decision, attributes, nowMs)
    if (request.isDryRun !== true) {
      const entry = {
        orgId: tenantId(context),
        userId: actor.id,
        subject: decision.subject,
        action,
        attributes,
        verdict,
      }
      const row = checkRow(runtime, entry, nowMs)
      await scope.write((tx) => recordCheck(tx, row), 'compliance.check')
    }
    return { verdict }
  },
}
