/** Revokes one of the person's tokens: at once in this process, within 5 s in others. */
import { and, eq, isNull } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { ofBound } from '../confined-session.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'

export const revokePat = command({
  name: 'identity.pat.revoke',
  summary: 'Revoke one of your personal access tokens',
  http: { method: 'delete', path: '/auth/pats/:id', aliases: ['/user/pats/:id'], status: 204 },
  access: signedIn(),
  tenant: noTenant,
  audit: ['user.token.revoke'],
  input: { path: strictObject({ id: Uuid }) },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx, nowMs } = context
    const { userId } = sessionOf(context.principal)
    const { personalAccessTokens: table } = credentialTables(tx)
    // guard: only-your-own-personal-tokens-end
    const [row] = await tx
      .update(table)
      .set({ revokedAtMs: nowMs })
      .where(
        and(
          eq(table.id, path.id),
          eq(table.userId, userId),
          isNull(table.revokedAtMs),
          ofBound(table.orgId, context.principal),
        ),
      )
      .returning()
    if (row === undefined) throw notFound('Personal access token')
    await context.audit('user.token.revoke', {
      orgId: row.orgId,
      targetType: 'personal-access-token',
      targetId: row.id,
      details: { id: row.id, name: row.name },
    })
    tx.afterCommit(() => identityOf(context).directory.drop({ tokenHash: row.tokenHash }))
    return changed(null)
  },
})
