/** Stores a directory's data about a person, for the operations that create, replace and change one. */
import { and, eq, ne } from 'drizzle-orm'
import { dropStale, foldKey, provisioningTables, type ScimUserRow, setMemberActive } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { nameKey } from '../../runtime/operation/name.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { isDomainProven } from '../link/decide.js'
import { scimRefusal, taken } from '../scim/dialect.js'
import { checkFeature, lockForDirectory } from '../scim/directory.js'
import type { ProviderRow } from '../tables.js'
import type { Provisioning } from './actions.js'
import { admit, isThePersonsOwn } from './admit.js'
import type { Facts } from './facts.js'
import { columnsOf, factsOf, findPerson } from './record.js'

/** @throws Refusal 400 for an address whose domain the organization has not proved */
async function checkDomain({ tx, nowMs }: Provisioning, orgId: string, email: string): Promise<void> {
  // guard: a-directory-makes-people-of-proven-domains-alone
  if (!(await isDomainProven(tx, orgId, email, nowMs))) {
    throw scimRefusal(
      'invalidValue',
      'emails',
      `is of a domain that the organization has not proven: ${email}; prove it first (\`POST /organization/{id}/domains\`)`,
    )
  }
}

/** @throws Refusal 409 `uniqueness` */
async function checkUnique(db: Db, orgId: string, { userName, externalId }: Facts, id: string | null): Promise<void> {
  const { scimUsers: t } = provisioningTables(db)
  const others = id === null ? undefined : ne(t.id, id)
  if ((await db.$count(t, and(eq(t.orgId, orgId), eq(t.userNameKey, nameKey(userName)), others))) > 0) {
    throw taken('userName', `the directory has a user named ${userName}`)
  }
  if (externalId === null) return
  if ((await db.$count(t, and(eq(t.orgId, orgId), eq(t.externalId, externalId), others))) > 0) {
    throw taken('externalId', 'the directory has a user of this `externalId`')
  }
}

export async function createPerson(context: Provisioning, provider: ProviderRow, facts: Facts): Promise<string> {
  const { tx, runtime, nowMs } = context
  const { orgId } = provider
  checkFeature(context)
  await lockForDirectory(context, orgId)
  await checkDomain(context, orgId, facts.email)
  await checkUnique(tx, orgId, facts, null)
  const userId = await admit(context, provider, facts)
  const id = runtime.ids.next()
  const about = { id, orgId, providerId: provider.id, userId, createdAtMs: nowMs, updatedAtMs: nowMs }
  const row: ScimUserRow = { ...about, ...columnsOf(facts) }
  await tx.insert(provisioningTables(tx).scimUsers).values(row)
  await context.audit('scim.user.create', {
    targetType: 'user',
    targetId: userId,
    details: { id, name: facts.userName, idpId: provider.id },
  })
  return id
}

/** @returns false when nothing changes. */
export async function changePerson(
  context: Provisioning,
  provider: ProviderRow,
  id: string,
  next: (before: Facts) => Facts,
): Promise<boolean> {
  const { tx, nowMs } = context
  const { orgId } = provider
  await lockForDirectory(context, orgId)
  const person = await findPerson(tx, orgId, id)
  const before = factsOf(person)
  const facts = next(before)
  const changed = (Object.keys(facts) as (keyof Facts)[]).filter((name) => facts[name] !== before[name])
  if (changed.length === 0) return false
  await checkUnique(tx, orgId, facts, id)
  const { userId } = person.row
  if (changed.includes('email')) {
    await checkDomain(context, orgId, facts.email)
    await moveAddress(context, { orgId, userId, from: before.email, to: facts.email })
  }
  if (changed.includes('active')) {
    if (facts.active) checkFeature(context)
    await setMemberActive(context, { orgId, userId }, facts.active)
  }
  const { scimUsers: t } = provisioningTables(tx)
  await tx
    .update(t)
    .set({ ...columnsOf(facts), updatedAtMs: nowMs })
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  await context.audit('scim.user.update', {
    targetType: 'user',
    targetId: userId,
    details: { id, name: facts.userName, changed, idpId: provider.id },
  })
  return true
}

/**
 * Moves the account to the new address only if it belongs to this organization alone: it has no password and no social
 * account, and is in no other account. Otherwise the person decides about the address.
 */
async function moveAddress(
  context: Provisioning,
  { orgId, userId, from, to }: { orgId: string; userId: string; from: string; to: string },
): Promise<void> {
  const { tx } = context
  const { users } = identityTables(tx)
  if (foldKey(from) === foldKey(to)) return
  await lockRow(tx, 'users', userId)
  const [account] = await tx.select().from(users).where(eq(users.id, userId))
  // guard: the-address-of-an-account-with-a-life-of-its-own
  if (account === undefined || (await isThePersonsOwn(tx, account)) || (await isOfOthers(tx, userId, orgId))) return
  if (account.emailKey !== foldKey(from)) return
  try {
    await tx
      .update(users)
      .set({ email: to, emailKey: foldKey(to) })
      .where(eq(users.id, userId))
  } catch (error) {
    // Judged by the constraint: a registration may take the address between a look and the write.
    if (brokenUniqueConstraint(error) !== null) throw taken('emails', 'the address has an account')
    throw error
  }
  dropStale(context, { userId })
}

async function isOfOthers(tx: Tx, userId: string, orgId: string): Promise<boolean> {
  const { memberships, organizations } = identityTables(tx)
  const rows = await tx
    .select({ root: organizations.rootOrgId })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(eq(memberships.userId, userId))
  return rows.some(({ root }) => root !== orgId)
}
