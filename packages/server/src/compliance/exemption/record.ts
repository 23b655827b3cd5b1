/** An exemption as the API shows it: a waiver of one rule for one entity, with its decision (spec compliance 9). */
import { and, eq, gt, isNull, lte, or, type SQL } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Target } from '../rule/schema.js'
import type { complianceTables, ExemptionRow } from '../tables.js'
import { EntityKeyRecord } from './named.js'

const EXEMPTION_STATES = ['pending', 'approved', 'rejected', 'expired', 'revoked'] as const
type State = (typeof EXEMPTION_STATES)[number]
export const ExemptionStates = Type.Enum([...EXEMPTION_STATES])

/** Of the other exemptions of a record, so many are shown beside one. */
export const OTHERS_SHOWN = 20

export const ExemptionRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  reviewOrgId: Type.String({ description: 'The organization that reviews it: the owner of an inherited rule' }),
  ruleId: Uuid,
  ruleName: nullable(
    Type.String({
      description:
        'What the rule is called now. Null when it is deleted, or you may not read it any more, or it is not looked up',
    }),
  ),
  ruleSeverity: nullable(Type.String({ description: 'The severity of the rule now. Null as for `ruleName`' })),
  entityType: Target,
  entityId: nullable(Uuid),
  entityKey: nullable(EntityKeyRecord),
  entityName: nullable(Type.String({ description: 'Shown to people; it has no effect' })),
  isStored: nullable(
    Type.Boolean({
      description:
        'Whether a live record matches the exemption; false can mean a typing error. Null when it is not looked up',
    }),
  ),
  reason: Type.String(),
  expiresAt: nullable(Instant),
  status: ExemptionStates,
  mayDecide: nullable(
    Type.Boolean({ description: 'Whether you may approve or reject it now. Null when it is not looked up' }),
  ),
  mayRevoke: nullable(
    Type.Boolean({ description: 'Whether you may revoke or withdraw it now. Null as for `mayDecide`' }),
  ),
  reviewedBy: nullable(Type.String()),
  reviewedAt: nullable(Instant),
  approvedBy: nullable(Type.String()),
  rejectionReason: nullable(Type.String()),
  revision: Type.Integer(),
  createdBy: nullable(Type.String()),
  createdAt: Instant,
  updatedBy: nullable(Type.String()),
  updatedAt: Instant,
  otherExemptions: Type.Optional(
    Type.Array(strictObject({ id: Uuid, status: ExemptionStates, reason: Type.String(), createdAt: Instant }), {
      description: `Only of an exemption that is read by its id: the last ${OTHERS_SHOWN} others that name its record in the same way`,
    }),
  ),
  otherExemptionCount: Type.Optional(
    Type.Integer({ minimum: 0, description: 'With `otherExemptions`: how many there are' }),
  ),
})

/** The state by the clock: an exemption past its expiry is expired, even before the sweep has written it. */
export const stateAt = ({ status, expiresAtMs }: Pick<ExemptionRow, 'status' | 'expiresAtMs'>, nowMs: number): State =>
  (status === 'approved' || status === 'pending') && expiresAtMs !== null && expiresAtMs <= nowMs
    ? 'expired'
    : (status as State)

export const exemptionRecord = (
  row: ExemptionRow,
  nowMs: number,
  found: Pick<Static<typeof ExemptionRecord>, 'isStored' | 'ruleName' | 'ruleSeverity' | 'mayDecide' | 'mayRevoke'>,
): Static<typeof ExemptionRecord> => ({
  id: row.id,
  orgId: row.orgId,
  reviewOrgId: row.reviewOrgId,
  ruleId: row.ruleId,
  ruleName: found.ruleName,
  ruleSeverity: found.ruleSeverity,
  entityType: row.entityType as 'plugin' | 'pipeline',
  entityId: row.entityId,
  entityKey: row.entityKey,
  entityName: row.entityName,
  isStored: found.isStored,
  reason: row.reason,
  expiresAt: toIsoOrNull(row.expiresAtMs),
  status: stateAt(row, nowMs),
  mayDecide: found.mayDecide,
  mayRevoke: found.mayRevoke,
  reviewedBy: row.reviewedBy,
  reviewedAt: toIsoOrNull(row.reviewedAtMs),
  approvedBy: row.approvedBy,
  rejectionReason: row.rejectionReason,
  revision: row.revision,
  createdBy: row.createdBy,
  createdAt: toIso(row.createdAtMs),
  updatedBy: row.updatedBy,
  updatedAt: toIso(row.updatedAtMs),
})

type ExemptionTable = ReturnType<typeof complianceTables>['exemptions']

/** The condition for rows that are in this state now. */
export function isInState(t: ExemptionTable, state: State, nowMs: number): SQL | undefined {
  const isOver = lte(t.expiresAtMs, nowMs)
  if (state === 'pending' || state === 'approved') {
    return and(eq(t.status, state), or(isNull(t.expiresAtMs), gt(t.expiresAtMs, nowMs)))
  }
  if (state !== 'expired') return eq(t.status, state)
  return or(eq(t.status, 'expired'), and(or(eq(t.status, 'approved'), eq(t.status, 'pending')), isOver))
}
