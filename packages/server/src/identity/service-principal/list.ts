/** List the service principals of an organization. */
import { asc } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { holderOf, ofHolder, principalRecord, ServicePrincipalRecord } from './record.js'
import { ACROSS, onOrganization } from './routes.js'

export const listServicePrincipals = query({
  name: 'identity.service-principal.list',
  summary: 'List the service principals of an organization',
  http: { method: 'get', ...organizationPath('/:id/service-principals') },
  access: permission('org:settings'),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  input: { path: onOrganization },
  output: strictObject({ servicePrincipals: Type.Array(ServicePrincipalRecord) }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
  async run({ db, authority }) {
    const { servicePrincipals } = identityTables(db)
    const rows = await db
      .select()
      .from(servicePrincipals)
      .where(ofHolder(db, holderOf(authority)))
      .orderBy(asc(servicePrincipals.nameKey))
    return { servicePrincipals: rows.map(principalRecord) }
  },
})
