/** Who may decide about an exemption: for one row, and as a condition for rows. */
import { and, eq, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { ActorRecord, Authority } from '../../runtime/operation/context.js'
import type { complianceTables, ExemptionRow } from '../tables.js'
import { isInState, stateAt } from './record.js'

export interface Decider {
  readonly authority: Pick<Authority, 'org' | 'decidesExemptions'>
  readonly actor: Pick<ActorRecord, 'id' | 'impersonatorId'>
  readonly nowMs: number
}

const idsOf = ({ id, impersonatorId }: Decider['actor']): string[] => {
  // guard: who-asked-does-not-decide-while-acting-as-somebody-else
  const deciding = [id, impersonatorId]
  return deciding.filter((each) => each !== null)
}

/** A person who requests or decides during an impersonation counts as both users. */
export const isSamePerson = (
  { createdBy, impersonatorId }: Pick<ExemptionRow, 'createdBy' | 'impersonatorId'>,
  actor: Decider['actor'],
): boolean => [createdBy, impersonatorId].some((id) => id !== null && idsOf(actor).includes(id))

/** Whether a review by this person would not be refused. */
export const mayDecide = (row: ExemptionRow, { authority, actor, nowMs }: Decider): boolean =>
  authority.decidesExemptions === true &&
  row.reviewOrgId === authority.org?.id &&
  row.createdBy !== null &&
  !isSamePerson(row, actor) &&
  stateAt(row, nowMs) === 'pending'

/** Whether this person may end it: who decides about it, or who asked and withdraws. */
export function mayRevoke(row: ExemptionRow, { authority, actor, nowMs }: Decider): boolean {
  const state = stateAt(row, nowMs)
  const orgId = authority.org?.id
  const withdraws = state === 'pending' && row.orgId === orgId && row.createdBy === actor.id
  const decides = row.reviewOrgId === orgId && authority.decidesExemptions === true
  return (state === 'pending' || state === 'approved') && (withdraws || decides)
}

/** The condition for rows that this person may decide about: of the organization, and of its teams. */
export function waitsFor(
  t: ReturnType<typeof complianceTables>['exemptions'],
  { authority, actor, nowMs }: Decider,
): SQL | undefined {
  if (authority.decidesExemptions !== true || authority.org === null) return sql`1 = 0`
  const ids = idsOf(actor)
  return and(
    eq(t.reviewOrgId, authority.org.id),
    isInState(t, 'pending', nowMs),
    isNotNull(t.createdBy),
    notInArray(t.createdBy, ids),
    or(isNull(t.impersonatorId), notInArray(t.impersonatorId, ids)),
  )
}
