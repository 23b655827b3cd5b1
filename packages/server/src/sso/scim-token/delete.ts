/** Deletes a SCIM token. Its directory loses access within 5 s on every replica. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { dropStale, provisioningTables } from '../../identity/index.js'
import { notFound } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { organizationPath } from '../paths.js'

export const deleteScimToken = command({
  name: 'sso.scim-token.delete',
  summary: 'Delete a SCIM token',
  description: 'Members and groups of its directory stay.',
  http: { method: 'delete', ...organizationPath('/scim-tokens/:tokenId'), status: 204 },
  access: withStepUp(permission('org:idp')),
  tenant: fromPath('id'),
  audit: ['scim.token.delete'],
  input: { path: Type.Object({ id: Type.String(), tokenId: Uuid }) },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx } = context
    const { scimTokens: t } = provisioningTables(tx)
    // guard: tokens-of-the-own-directory
    const [gone] = await tx
      .delete(t)
      .where(and(eq(t.orgId, tenantId(context)), eq(t.id, path.tokenId)))
      .returning()
    if (gone === undefined) throw notFound('SCIM token')
    dropStale(context, { tokenHash: gone.tokenHash })
    await context.audit('scim.token.delete', {
      targetType: 'scim-token',
      targetId: gone.id,
      details: { id: gone.id, name: gone.name, idpId: gone.providerId },
    })
    return changed(null)
  },
})
