/**
 * Checks enforced single sign-on for operations that name a second organization besides the tenant of their request.
 */
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { Refusal } from '../runtime/errors.js'
import type { Principal } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { proofRequired } from './authority.js'
import { credentialTables } from './credential/tables.js'
import type { Standing } from './standing.js'

/**
 * @throws Refusal `ORG_MISMATCH` when a confined session does not reach the organization, `SSO_REQUIRED` when a proof
 *   is missing.
 */
export async function checkDoor(
  { tx, principal, nowMs }: { readonly tx: Db; readonly principal: Principal; readonly nowMs: number },
  { org, enforcedBy, isMember, isSuperAdmin }: Standing,
): Promise<void> {
  if (principal.kind !== 'user' || principal.sessionId === null) return
  const { boundOrgId, sessionId } = principal
  // guard: a-confined-session-does-not-leave-its-organization
  if (boundOrgId !== null && (!isMember || (org.id !== boundOrgId && org.rootOrgId !== boundOrgId))) {
    throw new Refusal(
      'ORG_MISMATCH',
      'this session came from an identity provider and is valid only in its organization',
    )
  }
  if (enforcedBy === null || (isSuperAdmin && boundOrgId === null)) return
  // guard: nobody-passes-the-door-on-another-way
  if (!(await hasProof(tx, { sessionId, orgId: enforcedBy, nowMs }))) throw proofRequired(enforcedBy)
}

export async function hasProof(
  db: Db,
  { sessionId, orgId, nowMs }: { readonly sessionId: string; readonly orgId: string; readonly nowMs: number },
): Promise<boolean> {
  const { sessionProofs: t } = credentialTables(db)
  const isGood = or(isNull(t.expiresAtMs), gt(t.expiresAtMs, nowMs))
  return (await db.$count(t, and(eq(t.sessionId, sessionId), eq(t.orgId, orgId), isGood))) > 0
}
