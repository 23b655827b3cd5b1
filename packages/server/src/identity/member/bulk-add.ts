/** Adds one person to several organizations of the account; all of them are checked before the first write. */
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { accountOrganizations, liveOrganization } from '../account/organizations.js'
import { insertMembership } from '../account/row.js'
import { actingUser } from '../actor.js'
import { checkActiveAbove, checkWho, findMembership } from '../membership/find.js'
import { withSeats } from '../organization/seats.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS, MEMBER_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling } from '../role/ceiling.js'
import { dropStale, type Writing } from '../stale.js'
import { GRANTS_MORE } from '../step-up/when.js'
import { administers } from '../team/administers.js'
import type { addMember } from './add.js'
import { deleteMembership } from './delete.js'
import { confirmStart, Level, personOf, Who } from './join.js'

/** `POST /organization/:id/members/bulk-add`. */
export const bulkAddMember = command({
  name: 'identity.member.bulk-add',
  summary: 'Add a person of the account to several of its teams',
  http: { method: 'post', ...organizationPath('/:id/members/bulk-add') },
  access: withStepUpWhen(GRANTS_MORE, permission('members:manage')),
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
  prepare: (context, { body: { role } }) =>
    confirmStart(context, 'identity.member.bulk-add', role === undefined ? {} : { role }),
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

/**
 * Each target is the tenant or a team directly below it, and the actor administers it; otherwise the request is refused
 * before any write.
 */
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
      // A personal access token acts only in its own organization.
      // guard: a-bound-token-adds-to-its-organization-alone
      (boundOrgId === null || boundOrgId === org.id) &&
      (org.id === root.id ||
        isRootAdministrator ||
        (await administers(tx, org, actingUser(context))) === 'administrator')
    if (!mayAct) {
      throw insufficient('permission', 'an organization of the list is not below this one, or you cannot manage it', {
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
    // The seats are counted after the membership was written, so this membership is removed again.
    await deleteMembership(tx, orgId, userId)
    return 'seat_limit'
  }
}
