/**
 * Decides about exemptions. Nobody decides about their own, by whatever credential and role, and what a parent hands down is
 * decided there (compliance decisions 9).
 */
import { and, eq, or } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { Done } from '../rule/delete.js'
import { complianceTables, type ExemptionRow } from '../tables.js'
import { recordsNamed } from './named.js'
import { ExemptionRecord, exemptionRecord, stateAt } from './record.js'

/** One that the organization asked for or decides about. @throws Refusal 404. */
async function findConcerned(db: Db, orgId: string, id: string): Promise<ExemptionRow> {
  const { exemptions: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), or(eq(t.orgId, orgId), eq(t.reviewOrgId, orgId))))
  if (row === undefined) throw notFound('Exemption')
  return row
}

/** Only from the state that was read: of two who decide at once, one does. @throws Refusal 409. */
async function moveOn(tx: Tx, row: ExemptionRow, change: Partial<ExemptionRow>): Promise<ExemptionRow> {
  const { exemptions: t } = complianceTables(tx)
  const [next] = await tx
    .update(t)
    .set({ ...change, revision: row.revision + 1 })
    .where(and(eq(t.id, row.id), eq(t.orgId, row.orgId), eq(t.status, row.status), eq(t.revision, row.revision)))
    .returning()
  if (next === undefined) throw new Refusal('CONFLICT', 'somebody else decided about it at this moment')
  return next
}

/** Whoever asked or decides while acting as somebody else is both of them. */
function isSamePerson(
  { createdBy, impersonatorId }: ExemptionRow,
  actor: { readonly id: string; readonly impersonatorId: string | null },
): boolean {
  const deciding = [actor.id, actor.impersonatorId]
  return [createdBy, impersonatorId].some((id) => id !== null && deciding.includes(id))
}

const ACROSS = 'the owner of an inherited rule decides about exemptions of its teams'

export const reviewExemption = command({
  name: 'compliance.exemption.review',
  summary: 'Approve or reject an exemption',
  description: 'Whoever asked decides neither way. For an inherited rule the organization that owns it decides.',
  http: { method: 'put', path: '/compliance/exemptions/:id/review' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  audit: ['compliance.exemption.approve', 'compliance.exemption.reject'],
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
    if (row.reviewOrgId !== orgId) {
      throw insufficient('owner', 'the rule is handed down: the organization that owns it decides')
    }
    if (authority.decidesExemptions !== true) {
      throw insufficient('permission', 'the compliance role `editor` does not decide about exemptions')
    }
    if (row.createdBy === null || isSamePerson(row, actor)) {
      throw insufficient('permission', 'nobody decides about an exemption that they asked for')
    }
    if (status === 'approved' && rejectionReason !== null) {
      throw invalidField('/body/rejectionReason', 'goes with `rejected` alone')
    }
    const state = stateAt(row, nowMs)
    if (state !== 'pending') throw new Refusal('CONFLICT', `the exemption is ${state}`)
    context.checkRevision(row.revision)
    const isApproved = status === 'approved'
    const next = await moveOn(tx, row, {
      status,
      openKey: isApproved ? row.openKey : null,
      reviewedBy: actor.id,
      reviewedAtMs: nowMs,
      approvedBy: isApproved ? actor.id : null,
      rejectionReason: isApproved ? null : rejectionReason,
      updatedBy: actor.id,
      updatedAtMs: nowMs,
    })
    await context.audit(isApproved ? 'compliance.exemption.approve' : 'compliance.exemption.reject', {
      targetType: 'exemption',
      targetId: row.id,
      affectedOrgId: row.orgId,
      details: { id: row.ruleId },
    })
    const record = (await recordsNamed(tx, context.runtime, orgId, [next]))(next)
    return changed({ exemption: exemptionRecord(next, nowMs, record === undefined ? null : record !== null) })
  },
})

export const revokeExemption = command({
  name: 'compliance.exemption.delete',
  summary: 'Revoke an exemption, or withdraw an own request',
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
    if (!withdraws && !decides) {
      throw insufficient('permission', 'this needs compliance:write where the rule belongs to', {
        required: ['compliance:write'],
        mode: 'all',
      })
    }
    if (state !== 'pending' && state !== 'approved') throw new Refusal('CONFLICT', `the exemption is ${state}`)
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
