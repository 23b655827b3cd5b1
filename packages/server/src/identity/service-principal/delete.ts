/** Delete a service principal. */
import { and, eq } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { findPrincipal, holderOf, ofHolder } from './record.js'
import { ACROSS, onPrincipal } from './routes.js'

export const deleteServicePrincipal = command({
  name: 'identity.service-principal.delete',
  summary: 'Delete a service principal',
  http: { method: 'delete', ...organizationPath('/:id/service-principals/:pid'), status: 204 },
  access: permission('org:settings'),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  audit: ['org.service-principal.delete'],
  input: { path: onPrincipal },
  output: null,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { pid } }) {
    const { tx, authority } = context
    const holder = holderOf(authority)
    const named = await findPrincipal(tx, holder, pid)
    // guard: a-service-principal-is-deleted-once
    await lockRow(tx, 'service_principals', named.id)
    const row = await findPrincipal(tx, holder, pid)
    context.checkRevision(row.revision)
    const { servicePrincipals } = identityTables(tx)
    await tx.delete(servicePrincipals).where(and(eq(servicePrincipals.id, row.id), ofHolder(tx, holder)))
    dropStale(context, { clientId: row.clientId })
    await context.audit('org.service-principal.delete', {
      targetType: 'service-principal',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed(null)
  },
})
