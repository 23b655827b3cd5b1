/**
 * The demo of an empty store: an organization with a team, and a person for each role.
 *
 * INVARIANT: the demo is created at most once, completely or not at all, no matter how many replicas start together,
 * and only in a store without organizations or accounts. Source: spec platform 12.2.
 */
import { randomBytes } from 'node:crypto'
import { eq, ne } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { AuditEntry, Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertMembership, type OrganizationRow } from '../account/row.js'
import { foldKey, insertUser, type UserRow } from '../new-user.js'
import { insertOrganization } from '../organization/insert.js'
import { type BuiltInName, builtInRoleId } from '../role/built-in.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'

/** One person for each role, and one who is only in the team. */
export const DEMO_USERNAMES = ['demo-owner', 'demo-admin', 'demo-member', 'demo-team-member'] as const
export type DemoUsername = (typeof DEMO_USERNAMES)[number]

export interface Demo {
  readonly organization: { readonly id: string; readonly slug: string }
  readonly team: { readonly id: string; readonly slug: string }
  /** The id of each person. */
  readonly people: Readonly<Record<DemoUsername, string>>
  /** The shared password of `DEMO_USERNAMES`, shown once. */
  readonly password: string
}

/** @returns null when the store was not empty, and nothing was written. */
export async function createDemo(runtime: Runtime): Promise<Demo | null> {
  // The hashes take a second, so they are not computed at every start, and not under the lock.
  if (!(await runtime.store.system.read((db) => isEmpty(db, runtime)))) return null
  const password = newPassword()
  const { passwords } = identityOf({ runtime })
  const hashes = await Promise.all(DEMO_USERNAMES.map(() => passwords.hash(password)))
  try {
    return await runtime.store.system.write(async (tx) => {
      // Replicas wait for this lock, and the second one finds the demo of the first.
      await lockRow(tx, 'organizations', SYSTEM_ORG_ID)
      if (!(await isEmpty(tx, runtime))) return null
      return { ...(await fill(tx, runtime, hashes)), password }
    })
  } catch (error) {
    // A person registered under one of these names a moment ago, so the store is not empty any more.
    if (error instanceof Refusal && error.code === 'DUPLICATE_ENTRY') return null
    throw error
  }
}

/** Whether the store has only the system organization and the administrator of the settings. */
async function isEmpty(db: Db, { settings }: Runtime): Promise<boolean> {
  const { organizations, users } = identityTables(db)
  if ((await db.$count(organizations, ne(organizations.id, SYSTEM_ORG_ID))) > 0) return false
  const { ADMIN_IDENTIFIER } = settings
  return (
    (await db.$count(users, ADMIN_IDENTIFIER === null ? undefined : ne(users.emailKey, foldKey(ADMIN_IDENTIFIER)))) ===
    0
  )
}

async function insertPerson(
  tx: Tx,
  runtime: Runtime,
  username: DemoUsername,
  passwordHash: string | null,
): Promise<UserRow> {
  const user = await insertUser(tx, runtime, {
    username,
    // A domain that no e-mail can reach (RFC 2606).
    email: `${username}@plumbline.invalid`,
    passwordHash,
    isEmailVerified: true,
  })
  await auditor(tx, runtime)('admin.user.create', {
    orgId: SYSTEM_ORG_ID,
    targetType: 'user',
    targetId: user.id,
    details: { name: username, reason: 'demo' },
  })
  return user
}

async function fill(tx: Tx, runtime: Runtime, hashes: readonly string[]): Promise<Omit<Demo, 'password'>> {
  const audit = auditor(tx, runtime)
  const person = (username: DemoUsername) =>
    insertPerson(tx, runtime, username, hashes[DEMO_USERNAMES.indexOf(username)] ?? null)
  const owner = await person('demo-owner')
  const root = await insertOrganization(tx, runtime, {
    name: 'Demo',
    slug: 'demo',
    description: 'Created at the first start, to try the server out',
    tier: 'team',
    ownerId: owner.id,
  })
  const team = await insertOrganization(tx, runtime, {
    name: 'Demo team',
    slug: 'demo-team',
    parentOrgId: root.id,
    ownerId: owner.id,
  })
  for (const org of [root, team]) {
    await audit('org.create', {
      orgId: org.id,
      targetType: 'organization',
      targetId: org.id,
      details: { name: org.name, parentOrgId: org.parentOrgId, reason: 'demo' },
    })
  }
  const join = async (org: OrganizationRow, user: UserRow, role: 'admin' | 'member') => {
    const names: BuiltInName[] = role === 'admin' ? ['Member', 'Admin'] : ['Member']
    const roleIds: string[] = []
    for (const name of names) roleIds.push(await builtInRoleId(tx, org.id, name))
    await insertMembership(tx, runtime, { orgId: org.id, userId: user.id, roleIds })
    await setActive(tx, user, org)
    await audit('org.member.add', {
      orgId: org.id,
      targetType: 'user',
      targetId: user.id,
      details: { role, roleIds, reason: 'demo' },
    })
  }
  await setActive(tx, owner, root)
  const admin = await person('demo-admin')
  const member = await person('demo-member')
  const teamMember = await person('demo-team-member')
  await join(root, admin, 'admin')
  await join(root, member, 'member')
  await join(team, teamMember, 'member')
  return {
    organization: { id: root.id, slug: root.slug },
    team: { id: team.id, slug: team.slug },
    people: {
      'demo-owner': owner.id,
      'demo-admin': admin.id,
      'demo-member': member.id,
      'demo-team-member': teamMember.id,
    },
  }
}

async function setActive(tx: Tx, user: UserRow, org: OrganizationRow): Promise<void> {
  const { users } = identityTables(tx)
  await tx.update(users).set({ activeOrgId: org.id }).where(eq(users.id, user.id))
}

export function auditor(tx: Tx, runtime: Runtime) {
  const source = outsideRequest(runtime)
  return async (action: Parameters<typeof writeEvidence>[2], entry: AuditEntry): Promise<void> => {
    await writeEvidence(tx, source, action, entry)
  }
}

/** 120 random bits, with the kinds of characters that the policy requires. */
function newPassword(): string {
  return `Demo-${randomBytes(15).toString('base64url')}-1`
}
