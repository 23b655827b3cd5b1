/** Delete a secret of an organization. */
import { and, eq } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { findSecret, onSecret } from './rows.js'

export const deleteSecret = command({
  name: 'identity.secret.delete',
  summary: 'Delete a secret of an organization',
  http: { method: 'delete', ...organizationPath('/:id/secrets/:name'), status: 204 },
  access: permission('secrets:manage'),
  tenant: fromPath('id'),
  audit: ['org.secret.delete'],
  input: { path: onSecret },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path: { name } }) {
    const { tx } = context
    const orgId = tenantId(context)
    // guard: a-secret-is-deleted-once
    await lockRow(tx, 'organizations', orgId)
    const row = await findSecret(tx, orgId, name)
    if (row === null) throw notFound('Secret')
    context.checkRevision(row.revision)
    const { orgSecrets } = identityTables(tx)
    await tx.delete(orgSecrets).where(and(eq(orgSecrets.id, row.id), eq(orgSecrets.orgId, orgId)))
    await context.audit('org.secret.delete', { targetType: 'secret', targetId: row.id, details: { name } })
    return changed(null)
  },
})
