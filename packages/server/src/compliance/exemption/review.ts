/**
 * Approves or rejects exemptions. Nobody decides about their own request, with any credential or role. Only the parent
 * decides about a rule that its teams inherit (spec compliance 9).
 */
import Type from 'typebox'
import { insufficient, invalidField, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { APPROVED, approval } from './approve.js'
import { isSamePerson } from './decider.js'
import { ExemptionRecord, stateAt } from './record.js'
import { REJECTED, rejection } from './reject.js'
import { shownExemption } from './shown.js'
import { ACROSS, findConcerned, moveOn } from './transition.js'

export const reviewExemption = command({
  name: 'compliance.exemption.review',
  summary: 'Approve or reject an exemption',
  description:
    'The person who requested an exemption cannot decide about it. For an inherited rule the organization that owns it decides.',
  http: { method: 'put', path: '/compliance/exemptions/:id/review' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  audit: [APPROVED, REJECTED],
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject({
      status: Type.Enum(['approved', 'rejected']),
      rejectionReason: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 2000 }))),
    }),
  },
  output: strictObject({ exemption: ExemptionRecord }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, body: { status, rejectionReason = null } }) {
    const { tx, nowMs, actor, authority } = context
    const orgId = tenantId(context)
    const row = await findConcerned(tx, orgId, path.id)
    // guard: what-a-parent-hands-down-the-parent-waives
    if (row.reviewOrgId !== orgId) {
      throw insufficient('owner', 'this rule is inherited: only the organization that owns it can decide')
    }
    // guard: an-editor-does-not-decide-about-exemptions
    if (authority.decidesExemptions !== true) {
      throw insufficient('permission', 'the compliance role `editor` cannot approve or reject exemptions')
    }
    // guard: nobody-decides-about-an-exemption-of-their-own
    if (row.createdBy === null || isSamePerson(row, actor)) {
      throw insufficient('permission', 'the person who requested an exemption cannot approve or reject it')
    }
    if (status === 'approved' && rejectionReason !== null) {
      throw invalidField('/body/rejectionReason', 'is only for `rejected`')
    }
    const state = stateAt(row, nowMs)
    // guard: what-is-decided-or-over-by-the-clock-is-not-decided-again
    if (state !== 'pending')
      throw new Refusal('CONFLICT', `the exemption is ${state}: only a pending one can be approved or rejected`)
    context.checkRevision(row.revision)
    const isApproved = status === 'approved'
    const next = await moveOn(tx, row, {
      ...(isApproved ? approval(row, actor.id) : rejection(rejectionReason)),
      reviewedBy: actor.id,
      reviewedAtMs: nowMs,
      updatedBy: actor.id,
      updatedAtMs: nowMs,
    })
    await context.audit(isApproved ? APPROVED : REJECTED, {
      targetType: 'exemption',
      targetId: row.id,
      affectedOrgId: row.orgId,
      details: { id: row.ruleId },
    })
    return changed({ exemption: await shownExemption(tx, context, next) })
  },
})
