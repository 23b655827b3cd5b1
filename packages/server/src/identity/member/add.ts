/**
 * Adds people of the account to one of its organizations. Somebody from outside is invited instead: a membership needs
 * the consent of the person (platform decisions 0.1, 15.1).
 */
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type Authority, changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { actingUser } from '../actor.js'
import { accountOrganizations, liveOrganization, lockAccount } from '../organization/account.js'
import { insertMembership } from '../organization/insert.js'
import { withSeats } from '../organization/seats.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS, MEMBER_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling, grantableRoles } from '../role/ceiling.js'
import { dropStale, type Writing } from '../stale.js'
import { administers } from '../team/administers.js'
import { deleteMembership } from './delete.js'
import { checkActiveAbove, checkWho, findInAccount, findMembership, type Person } from './find.js'
import { MemberRecord, memberRecord } from './record.js'

export const Level = Type.Enum(['admin', 'member'])
type Level = 'admin' | 'member'

const Who = {
  userId: Type.Optional(Uuid),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
}

/** The Roles that a new member of this level starts with, after the ceiling was checked for all of them. */
export async function startingRoles(
  db: Db,
  authority: Authority,
  orgId: string,
  { role, roleIds }: { role: Level; roleIds: readonly string[] },
): Promise<string[]> {
  checkCeiling(authority, role === 'admin' ? ADMIN_PERMISSIONS : MEMBER_PERMISSIONS)
  const extra = await grantableRoles(db, authority, orgId, roleIds)
  const ids = [await builtInRoleId(db, orgId, 'Member')]
  if (role === 'admin') ids.push(await builtInRoleId(db, orgId, 'Admin'))
  return [...new Set([...ids, ...extra.map(({ id }) => id)])]
}

/** Makes somebody a member with these Roles; one who was deactivated is not made active here. */
export async function join(
  context: Writing,
  membership: { orgId: string; userId: string; roleIds: readonly string[] },
): Promise<void> {
  await insertMembership(context.tx, context.runtime, membership)
  dropStale(context, { userId: membership.userId })
}

/** Under the lock of the account: somebody who is removed meanwhile is found before or not at all. */
async function personOf(tx: Tx, rootOrgId: string, who: { userId?: string; email?: string }): Promise<Person> {
  await lockAccount(tx, rootOrgId)
  const person = await findInAccount(tx, rootOrgId, who)
  if (person !== null) return person
  throw new Refusal('NOT_FOUND', 'User not found in this account: send an invitation to their e-mail address', {
    details: { hint: 'POST /invitation/send' },
  })
}

/** `POST /organization/:id/members`. */
export const addMember = command({
  name: 'identity.member.add',
  summary: 'Add somebody of the account to an organization',
  http: { method: 'post', ...organizationPath('/:id/members'), status: 201 },
  access: permission('members:manage'),
  tenant: fromPath('id'),
  acrossOrganizations: 'seats are counted over the teams of the account',
  audit: ['org.member.add'],
  idempotent: true,
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject(
      {
        ...Who,
        role: Type.Optional(Level),
        roleIds: Type.Optional(Type.Array(Uuid, { maxItems: 50 })),
      },
      { examples: [{ email: 'ann@example.com', role: 'member' }] },
    ),
  },
  output: strictObject({ member: MemberRecord }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SEAT_LIMIT', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, authority, runtime, nowMs } = context
    checkWho(body)
    const org = await liveOrganization(tx, tenantId(context))
    const role = body.role ?? 'member'
    const roleIds = await startingRoles(tx, authority, org.id, { role, roleIds: body.roleIds ?? [] })
    const person = await personOf(tx, org.rootOrgId, body)
    await checkActiveAbove(tx, org, person.id)
    await withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, async () => {
      if ((await findMembership(tx, org.id, person.id)) !== null) {
        throw new Refusal('DUPLICATE_ENTRY', 'is a member already', { details: { field: 'userId' } })
      }
      await join(context, { orgId: org.id, userId: person.id, roleIds })
    })
    await context.audit('org.member.add', { targetType: 'user', targetId: person.id, details: { role, roleIds } })
    return changed({ member: await memberRecord(tx, org, person.id) })
  },
})

/** `POST /organization/:id/members/bulk-add`: one person into several organizations of the account, all looked at first. */
export const bulkAddMember = command({
  name: 'identity.member.bulk-add',
  summary: 'Add somebody of the account to several of its teams',
  http: { method: 'post', ...organizationPath('/:id/members/bulk-add') },
  access: permission('members:manage'),
  tenant: fromPath('id'),
  acrossOrganizations: 'the organizations are the teams of the account',
  audit: ['org.member.add'],
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({
      ...Who,
      orgIds: Type.Array(Uuid, { minItems: 1, maxItems: 50, uniqueItems: true }),
      role: Type.Optional(Level),
    }),
  },
  output: strictObject({
    results: Type.Array(strictObject({ orgId: Uuid, status: Type.Enum(['added', 'already_member', 'seat_limit']) })),
  }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, authority, nowMs } = context
    checkWho(body)
    const root = await liveOrganization(tx, tenantId(context))
    const role = body.role ?? 'member'
    checkCeiling(authority, role === 'admin' ? ADMIN_PERMISSIONS : MEMBER_PERMISSIONS)
    await checkTargets(context, root, body.orgIds)
    const person = await personOf(tx, root.rootOrgId, body)
    for (const id of body.orgIds) await checkActiveAbove(tx, { id, rootOrgId: root.rootOrgId }, person.id)
    const results: { orgId: string; status: 'added' | 'already_member' | 'seat_limit' }[] = []
    for (const orgId of body.orgIds) {
      const status = await addTo(context, { orgId, rootOrgId: root.rootOrgId, userId: person.id, role, nowMs })
      results.push({ orgId, status })
      if (status !== 'added') continue
      await context.audit('org.member.add', {
        targetType: 'user',
        targetId: person.id,
        affectedOrgId: orgId,
        details: { role },
      })
    }
    return results.some(({ status }) => status === 'added') ? changed({ results }) : unchanged({ results })
  },
})

/** Each target is the tenant or a team right below it, and the actor administers it. Else nothing is written. */
async function checkTargets(
  context: Parameters<typeof addMember.run>[0],
  root: { id: string; rootOrgId: string },
  orgIds: readonly string[],
): Promise<void> {
  const { tx, authority, principal } = context
  const boundOrgId = principal.kind === 'user' ? principal.boundOrgId : null
  const inTree = new Map((await accountOrganizations(tx, root.rootOrgId)).map((org) => [org.id, org]))
  const isRootAdministrator =
    authority.isSuperAdmin || (root.id === root.rootOrgId && (authority.role === 'owner' || authority.role === 'admin'))
  for (const orgId of orgIds) {
    const org = inTree.get(orgId)
    const isBelow = org !== undefined && (org.id === root.id || org.parentOrgId === root.id)
    const mayAct =
      isBelow &&
      // A personal access token acts in its own organization alone.
      (boundOrgId === null || boundOrgId === org.id) &&
      (org.id === root.id ||
        isRootAdministrator ||
        (await administers(tx, org, actingUser(context))) === 'administrator')
    if (!mayAct) {
      throw insufficient('permission', 'an organization of the list is not below this one, or not yours to manage', {
        required: ['members:manage'],
        mode: 'all',
      })
    }
  }
}

async function addTo(
  context: Writing,
  to: { orgId: string; rootOrgId: string; userId: string; role: Level; nowMs: number },
): Promise<'added' | 'already_member' | 'seat_limit'> {
  const { tx, runtime } = context
  const { orgId, rootOrgId, userId, role, nowMs } = to
  if ((await findMembership(tx, orgId, userId)) !== null) return 'already_member'
  const roleIds = [await builtInRoleId(tx, orgId, 'Member')]
  if (role === 'admin') roleIds.push(await builtInRoleId(tx, orgId, 'Admin'))
  try {
    await withSeats(tx, { rootOrgId, settings: runtime.settings, nowMs }, () =>
      insertMembership(tx, runtime, { orgId, userId, roleIds }),
    )
    dropStale(context, { userId })
    return 'added'
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'SEAT_LIMIT') throw error
    // The membership was written before the seats were counted: this one organization's is taken back.
    await deleteMembership(tx, orgId, userId)
    return 'seat_limit'
  }
}
