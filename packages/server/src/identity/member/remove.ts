/**
 * Ends a membership: by an administrator, or by the person who leaves. Roles go, tokens that are bound to the
 * organization die, and what the person owned there passes to somebody else when it is asked for.
 */
import { and, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, notFound, Refusal } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { changed, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { sessionOf } from '../authenticator.js'
import { credentialTables } from '../credential/tables.js'
import { liveOrganization } from '../organization/account.js'
import { organizationPath } from '../paths.js'
import { deleteMembership } from './delete.js'
import { activeMember, findMembership } from './find.js'
import { bumpTokenVersion, keepAdministrators, keepSuperAdmin } from './privilege.js'

/** `DELETE /organization/:id/members/:userId`. */
export const removeMember = command({
  name: 'identity.member.remove',
  summary: 'Remove a member, or leave the organization',
  http: { method: 'delete', ...organizationPath('/:id/members/:userId'), status: 204 },
  // Leaving needs no permission; removing somebody else does, and `run` asks for it.
  access: signedIn(),
  tenant: fromPath('id'),
  audit: ['org.member.remove'],
  input: {
    path: Type.Object({ id: Type.String(), userId: Type.String() }),
    query: Type.Object({ reassignTo: Type.Optional(Uuid) }),
  },
  output: null,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED'],
  async run(context, { path: { userId }, query: { reassignTo } }) {
    const { tx, nowMs } = context
    const orgId = tenantId(context)
    checkMayRemove(context, userId)
    await lockRow(tx, 'organizations', orgId)
    const org = await liveOrganization(tx, orgId)
    const membership = await findMembership(tx, orgId, userId)
    if (membership === null) throw notFound('Member')
    if (org.ownerId === userId) {
      throw new Refusal('OWNER_PROTECTED', 'the owner stays: pass the organization on first')
    }
    await keepSuperAdmin(tx, orgId, userId, actingUser(context))
    await keepAdministrators(tx, orgId, userId)
    const reassigned = reassignTo === undefined ? 0 : await reassign(context, orgId, userId, reassignTo)
    await deleteMembership(tx, orgId, userId)
    await revokeTokens(tx, orgId, userId, nowMs)
    await bumpTokenVersion(context, [userId])
    await context.audit('org.member.remove', {
      targetType: 'user',
      targetId: userId,
      details: {
        reason: userId === actingUser(context) ? 'left' : 'removed',
        reassignTo: reassignTo ?? null,
        reassigned,
      },
    })
    return changed(null)
  },
})

function checkMayRemove(context: WriteContext, userId: string): void {
  const { authority, principal } = context
  if (authority.permissions.has('members:manage') || authority.isSuperAdmin) return
  if (userId === actingUser(context)) {
    // Leaving is the person's own decision, not that of a token which was given less.
    sessionOf(principal)
    return
  }
  throw insufficient('permission', 'this needs the permission members:manage', {
    required: ['members:manage'],
    mode: 'all',
  })
}

async function reassign({ tx, runtime }: WriteContext, orgId: string, from: string, to: string): Promise<number> {
  await activeMember(tx, orgId, to)
  let rows = 0
  for (const domain of runtime.domains) rows += (await domain.reassign?.(tx, orgId, from, to)) ?? 0
  return rows
}

async function revokeTokens(tx: Tx, orgId: string, userId: string, nowMs: number): Promise<void> {
  const { personalAccessTokens } = credentialTables(tx)
  await tx
    .update(personalAccessTokens)
    .set({ revokedAtMs: nowMs })
    .where(
      and(
        eq(personalAccessTokens.orgId, orgId),
        eq(personalAccessTokens.userId, userId),
        isNull(personalAccessTokens.revokedAtMs),
      ),
    )
}
