/**
 * The compliance check where this process mounts the domain: evaluated here, with its row committed before the answer.
 */
import { enqueue } from '../../runtime/jobs/enqueue.js'
import type { ComplianceAnswer, CompliancePort } from '../../runtime/records/compliance.js'
import { tenantKeyFor } from '../../runtime/store/tenant-key.js'
import { decide, excessOf, readDecision } from '../check/evaluate.js'
import { checkRow, recordCheck } from '../check/record.js'
import { heldOf } from '../held.js'
import { announceCheck } from '../notice/announce.js'
import { subjectOf } from '../subject.js'

export const inProcessCompliance: CompliancePort = {
  async check(context, request): Promise<ComplianceAnswer> {
    const { runtime, actor, nowMs } = context
    const { target, attributes, action } = request
    const excess = excessOf(target, attributes, runtime.settings)
    if (excess !== null) return { refused: excess }
    const subject = subjectOf(target, request, attributes)
    const held = heldOf(context)
    // The calling operation may span organizations; this read runs with the tenant scope of the organization that is
    // checked.
    const scope = runtime.store.tenant(tenantKeyFor(held.orgId, held.parentOrgId))
    const decision = await scope.read((db) => readDecision(db, runtime, held, subject))
    const verdict = decide(decision, attributes, nowMs)
    if (request.isDryRun !== true) {
      const entry = {
        orgId: held.orgId,
        userId: actor.id,
        subject: decision.subject,
        action,
        attributes,
        verdict,
      }
      const row = checkRow(runtime, entry, nowMs)
      await scope.write(async (tx) => {
        // guard: a-check-in-this-process-has-its-entry
        await recordCheck(tx, row)
        const told = await announceCheck(tx, runtime, row)
        if (told !== null) await enqueue(tx, runtime, told, context.request.traceparent)
      }, 'compliance.check')
      return { verdict: { ...verdict, checkId: row.id } }
    }
    return { verdict }
  },
}
