import { eq } from 'drizzle-orm'
import { insufficient } from '../../runtime/errors.js'
import { ownAccount } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { sessionOf } from '../authenticator.js'
import { invitationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { GONE, opened, Token } from './open.js'
import type { InvitationRow } from './record.js'
import { Joined, joined, useInvitation } from './use.js'

/** `POST /invitation/accept`: the same person accepting twice is not an error. */
export const acceptInvitation = command({
  name: 'identity.invitation.accept',
  summary: 'Accept an invitation with your account',
  http: { method: 'post', ...invitationPath('/accept') },
  access: ownAccount(),
  tenant: noTenant,
  audit: ['invitation.accept'],
  input: { body: strictObject({ token: Token }) },
  output: Joined,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'SEAT_LIMIT', ...GONE],
  async run(context, { body: { token } }) {
    const { tx } = context
    // A personal access token is bound to one organization, so it cannot join another.
    // guard: a-token-does-not-join
    const { userId } = sessionOf(context.principal)
    const before = await opened(tx, token)
    await checkAddress(tx, before.row, userId)
    if (before.row.status === 'accepted' && before.row.acceptedBy === userId) {
      return unchanged(joined({ ...before, userId }))
    }
    const done = await useInvitation(context, token, async () => userId)
    await context.audit('invitation.accept', {
      orgId: done.org.id,
      targetType: 'invitation',
      targetId: done.row.id,
      details: { email: done.row.email, role: done.row.role },
    })
    return changed(joined(done))
  },
})

/** @throws Refusal 403 unless the person has proved that the invited address is theirs. */
async function checkAddress(db: Db, row: InvitationRow, userId: string): Promise<void> {
  const { users } = identityTables(db)
  const [user] = await db
    .select({ emailKey: users.emailKey, verifiedAtMs: users.emailVerifiedAtMs })
    .from(users)
    .where(eq(users.id, userId))
  // guard: the-address-that-was-invited
  if (user?.emailKey !== row.emailKey) {
    throw insufficient('permission', 'the invitation is for another e-mail address: sign in with that account')
  }
  // guard: the-invited-address-is-verified
  if (user.verifiedAtMs === null) {
    throw insufficient('permission', 'verify your e-mail address first: the invitation is for its owner')
  }
}
