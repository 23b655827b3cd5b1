/** Unlinks an external account from the person, unless it is their last way to sign in. */
import { and, eq, inArray, ne } from 'drizzle-orm'
import { credentialTables, sessionOf } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { socialProviders } from '../social/catalogue.js'
import { onSocialProvider } from '../social-sign-in/begin.js'

export const deleteSocialLink = command({
  name: 'sso.social-link.delete',
  summary: 'Unlink another account from yours',
  description: 'Refused for the last way to sign in: set a password first, or link another account.',
  http: { method: 'delete', path: '/auth/me/links/:provider', status: 204 },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  audit: ['identity.sso.unlink'],
  input: { path: onSocialProvider },
  output: null,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path }) {
    const { tx, runtime } = context
    const { userId } = sessionOf(context.principal)
    await lockRow(tx, 'users', userId)
    const { socialLinks: t } = credentialTables(tx)
    const [gone] = await tx
      .delete(t)
      .where(and(eq(t.userId, userId), eq(t.provider, path.provider)))
      .returning()
    if (gone === undefined) throw notFound('Link')
    const inUse = socialProviders(runtime.settings).map(({ id }) => id)
    // guard: the-last-way-in-stays
    if (!(await hasOtherWay(tx, userId, path.provider, inUse))) {
      throw new Refusal(
        'CONFLICT',
        'it is your last way to sign in: set a password (`POST /auth/password/forgot`), or link another account first',
      )
    }
    await context.audit('identity.sso.unlink', {
      targetType: 'user',
      targetId: userId,
      details: { provider: path.provider },
    })
    return changed(null)
  },
})

/** Whether the person has a password, or an account at another provider that is set up. */
async function hasOtherWay(tx: Tx, userId: string, provider: string, inUse: readonly string[]): Promise<boolean> {
  const { users } = identityTables(tx)
  const { socialLinks: t } = credentialTables(tx)
  const [user] = await tx.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId))
  if (user?.hash != null) return true
  const others = and(eq(t.userId, userId), ne(t.provider, provider), inArray(t.provider, [...inUse]))
  return (await tx.$count(t, others)) > 0
}
