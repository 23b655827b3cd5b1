/** Members of one organization, and people by id or e-mail within an account. */
import { and, eq, isNull } from 'drizzle-orm'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { foldKey } from '../new-user.js'
import { identityTables } from '../tables.js'

export interface MembershipRow {
  readonly id: string
  readonly userId: string
  readonly isActive: boolean
}

/** The membership, active or not; null for a person who is not a member. */
export async function findMembership(db: Db, orgId: string, userId: string): Promise<MembershipRow | null> {
  const { memberships } = identityTables(db)
  // guard: a-membership
  const [row] = await db
    .select({ id: memberships.id, userId: memberships.userId, isActive: memberships.isActive })
    .from(memberships)
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)))
  return row ?? null
}

/** @throws Refusal 404 for a person who is not an active member. */
export async function activeMember(db: Db, orgId: string, userId: string): Promise<MembershipRow> {
  const row = await findMembership(db, orgId, userId)
  if (row === null || !row.isActive || !(await isActiveUser(db, userId))) throw notFound('Member')
  return row
}

/** True for a person who may work in the organization now. */
export async function isActiveMember(db: Db, orgId: string, userId: string): Promise<boolean> {
  const row = await findMembership(db, orgId, userId)
  return row?.isActive === true && (await isActiveUser(db, userId))
}

/**
 * A person who is deactivated in the root organization is not active in any of its teams.
 * @throws Refusal `CONFLICT` for a team, when the person's membership of its root is deactivated.
 */
export async function checkActiveAbove(
  db: Db,
  org: { readonly id: string; readonly rootOrgId: string },
  userId: string,
): Promise<void> {
  if (org.rootOrgId === org.id) return
  // guard: who-is-deactivated-in-a-root-stays-out-of-its-teams
  if ((await findMembership(db, org.rootOrgId, userId))?.isActive !== false) return
  throw new Refusal(
    'CONFLICT',
    'the person is deactivated in the organization above the team: activate them there first',
  )
}

export async function usernameOf(db: Db, userId: string): Promise<string | null> {
  const { users } = identityTables(db)
  const [row] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
  return row?.username ?? null
}

async function isActiveUser(db: Db, userId: string): Promise<boolean> {
  const { users } = identityTables(db)
  const [row] = await db.select({ isActive: users.isActive }).from(users).where(eq(users.id, userId))
  return row?.isActive === true
}

export interface Person {
  readonly id: string
  readonly username: string
  readonly email: string
}

/** @throws Refusal 400 unless the body names a person by either id or e-mail. */
export function checkWho({ userId, email }: { readonly userId?: string; readonly email?: string }): void {
  if ((userId === undefined) === (email === undefined)) {
    throw invalidField('/body', 'must have either `userId` or `email`, not both', 'one_of')
  }
}

/**
 * A person who has a membership anywhere in the account, by id or e-mail. People of other accounts are not found,
 * because a stranger can only invite them.
 */
export async function findInAccount(
  db: Db,
  rootOrgId: string,
  who: { readonly userId?: string; readonly email?: string },
): Promise<Person | null> {
  const { users, memberships, organizations } = identityTables(db)
  const wanted = who.userId === undefined ? eq(users.emailKey, foldKey(who.email ?? '')) : eq(users.id, who.userId)
  const [row] = await db
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(
      // guard: people-of-the-account-alone-are-added
      and(wanted, eq(organizations.rootOrgId, rootOrgId), isNull(organizations.deletedAtMs), eq(users.isActive, true)),
    )
    .limit(1)
  return row ?? null
}
