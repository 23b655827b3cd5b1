/**
 * Decides which account an identity of a provider belongs to. It only reads; `sign-in/enter.ts` carries the decision
 * out.
 */
import { and, eq, isNotNull } from 'drizzle-orm'
import { findMembership, foldKey } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import type { Db } from '../../runtime/store/db.js'
import { isProven } from '../domain/proof.js'
import { domainOf } from '../domain-name.js'
import type { Identity } from '../oidc/judge.js'
import type { Reason } from '../oidc/reasons.js'
import { type LinkRow, type ProviderRow, ssoTables } from '../tables.js'

export type Decision =
  | { readonly kind: 'in'; readonly userId: string }
  /** The account is linked and then signed in. */
  | { readonly kind: 'link'; readonly userId: string }
  /** The owner of the mailbox has to confirm that the person joins. */
  | { readonly kind: 'confirm'; readonly userId: string; readonly email: string }
  /** An account that never proved the address loses it to the new person. */
  | { readonly kind: 'create'; readonly email: string; readonly insteadOf: string | null }
  | { readonly kind: 'refused'; readonly reason: Reason }

const refused = (reason: Reason): Decision => ({ kind: 'refused', reason })

export async function decide(
  db: Db,
  provider: Pick<ProviderRow, 'id' | 'orgId' | 'jit'>,
  identity: Pick<Identity, 'issuer' | 'subject' | 'email'>,
  nowMs: number,
): Promise<Decision> {
  const link = await findLink(db, provider.id, identity)
  if (link !== null) {
    // guard: a-sign-in-activates-no-membership
    return (await isActiveIn(db, provider.orgId, link.userId))
      ? { kind: 'in', userId: link.userId }
      : refused('inactive')
  }
  const { email } = identity
  if (email === null) return refused('no-email')
  // guard: nobody-comes-first-from-a-domain-that-is-not-proved
  if (!(await isDomainProven(db, provider.orgId, email, nowMs))) return refused('domain')
  const { users } = identityTables(db)
  const [account] = await db
    .select()
    .from(users)
    .where(eq(users.emailKey, foldKey(email)))
  const create = (insteadOf: string | null): Decision =>
    provider.jit ? { kind: 'create', email, insteadOf } : refused('no-account')
  if (account === undefined) return create(null)
  // guard: an-account-that-never-proved-its-address-is-not-linked
  if (account.emailVerifiedAtMs === null) return create(account.id)
  if (!account.isActive) return refused('inactive')
  if (await isLinked(db, provider.id, account.id)) return refused('other-subject')
  const membership = await findMembership(db, provider.orgId, account.id)
  if (membership === null) {
    return provider.jit ? { kind: 'confirm', userId: account.id, email } : refused('no-account')
  }
  return membership.isActive ? { kind: 'link', userId: account.id } : refused('inactive')
}

export async function findLink(
  db: Db,
  providerId: string,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<LinkRow | null> {
  const { identityLinks: t } = ssoTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(
      and(
        eq(t.providerId, providerId),
        // guard: a-link-is-by-issuer
        eq(t.issuer, issuer),
        // guard: a-link-is-by-subject
        eq(t.subject, subject),
      ),
    )
  return row ?? null
}

export async function isLinked(db: Db, providerId: string, userId: string): Promise<boolean> {
  const { identityLinks: t } = ssoTables(db)
  return (await db.$count(t, and(eq(t.providerId, providerId), eq(t.userId, userId)))) > 0
}

export const isActiveIn = async (db: Db, orgId: string, userId: string): Promise<boolean> =>
  (await isActiveAccount(db, userId)) && (await findMembership(db, orgId, userId))?.isActive === true

export async function isActiveAccount(db: Db, userId: string): Promise<boolean> {
  const { users } = identityTables(db)
  const [user] = await db.select({ isActive: users.isActive }).from(users).where(eq(users.id, userId))
  return user?.isActive === true
}

export async function isDomainProven(db: Db, orgId: string, email: string, nowMs: number): Promise<boolean> {
  const { idpDomains: t } = ssoTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.domain, domainOf(email) ?? ''), isNotNull(t.heldDomain)))
  return rows.some((row) => isProven(row, nowMs))
}
