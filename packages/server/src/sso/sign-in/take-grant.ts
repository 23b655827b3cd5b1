/**
 * Uses a grant up once, by its token and what it is bound to: the cookie of the browser or the challenge of the
 * program.
 */
import { and, eq, gt } from 'drizzle-orm'
import { tokenHash } from '../../identity/index.js'
import type { Tx } from '../../runtime/store/db.js'
import { SignInRefused } from '../oidc/reasons.js'
import { type GrantRow, ssoTables } from '../tables.js'

export interface TakenGrant {
  readonly grant: GrantRow
  /** Why the grant is refused, for the audit log of the organization. The grant then stays usable for its owner. */
  readonly refusal: SignInRefused | null
}

/** Null for an unknown token. */
export async function takeGrant(
  tx: Tx,
  by: {
    readonly kind: GrantRow['kind']
    readonly token: string
    readonly bound: string | null
    readonly nowMs: number
  },
): Promise<TakenGrant | null> {
  const { authGrants: t } = ssoTables(tx)
  const isIt = and(eq(t.tokenHash, tokenHash(by.token)), eq(t.kind, by.kind))
  const [grant] = await tx
    .delete(t)
    .where(
      and(
        isIt,
        // guard: a-grant-belongs-to-its-browser-or-program
        eq(t.boundHash, by.bound ?? ''),
        gt(t.expiresAtMs, by.nowMs),
      ),
    )
    .returning()
  if (grant !== undefined) return { grant, refusal: null }
  const [left] = await tx.select().from(t).where(isIt)
  if (left === undefined) return null
  const isLate = left.expiresAtMs <= by.nowMs
  return { grant: left, refusal: new SignInRefused(isLate ? 'late' : 'browser') }
}
