/** Deletes a domain. Afterwards only people whose accounts are linked can sign in with the provider. */
import { and, eq } from 'drizzle-orm'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { ssoTables } from '../tables.js'
import { findDomain, onDomain } from './record.js'

export const deleteDomain = command({
  name: 'sso.domain.delete',
  summary: 'Delete a domain of an organization',
  http: { method: 'delete', ...organizationPath('/domains/:domainId'), status: 204 },
  access: withStepUp(permission('org:idp')),
  tenant: fromPath('id'),
  audit: ['org.idp.domain.delete'],
  input: { path: onDomain },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx } = context
    const orgId = tenantId(context)
    // guard: a-domain-is-deleted-once
    await lockRow(tx, 'organizations', orgId)
    const row = await findDomain(tx, orgId, path.domainId)
    const { idpDomains: t } = ssoTables(tx)
    await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.id, row.id)))
    const details = { name: row.domain }
    await context.audit('org.idp.domain.delete', { targetType: 'domain', targetId: row.id, details })
    return changed(null)
  },
})
