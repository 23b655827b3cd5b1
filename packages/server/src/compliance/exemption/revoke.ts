/** Revoke an exemption, or withdraw an own request. */
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Done } from '../rule/delete.js'
import { stateAt } from './record.js'
import { ACROSS, findConcerned, moveOn } from './transition.js'

export const revokeExemption = command({
  name: 'compliance.exemption.revoke',
  summary: 'Revoke an exemption, or withdraw your own request',
  http: { method: 'delete', path: '/compliance/exemptions/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  audit: ['compliance.exemption.revoke'],
  input: { path: Type.Object({ id: Uuid }) },
  output: Done,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path }) {
    const { tx, nowMs, actor, authority } = context
    const orgId = tenantId(context)
    const row = await findConcerned(tx, orgId, path.id)
    const state = stateAt(row, nowMs)
    const withdraws = state === 'pending' && row.orgId === orgId && row.createdBy === actor.id
    const decides = row.reviewOrgId === orgId && authority.decidesExemptions === true
    // guard: only-who-decides-revokes
    if (!withdraws && !decides) {
      throw insufficient('permission', 'this needs compliance:write in the organization that owns the rule', {
        required: ['compliance:write'],
        mode: 'all',
      })
    }
    if (state !== 'pending' && state !== 'approved')
      throw new Refusal('CONFLICT', `the exemption is ${state}: only a pending or an approved one can be revoked`)
    context.checkRevision(row.revision)
    await moveOn(tx, row, { status: 'revoked', openKey: null, updatedBy: actor.id, updatedAtMs: nowMs })
    await context.audit('compliance.exemption.revoke', {
      targetType: 'exemption',
      targetId: row.id,
      affectedOrgId: row.orgId,
      details: { id: row.ruleId },
    })
    return changed({ message: 'the exemption is revoked' })
  },
})
