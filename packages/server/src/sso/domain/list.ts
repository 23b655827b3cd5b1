/** List the domains of an organization. */
import { asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ssoTables } from '../tables.js'
import { DomainRecord, domainRecord } from './record.js'

export const listDomains = query({
  name: 'sso.domain.list',
  summary: 'List the domains of an organization, with the records that prove them',
  http: { method: 'get', ...organizationPath('/domains') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  input: { path: onOrganization },
  output: strictObject({ domains: Type.Array(DomainRecord) }),
  errors: [],
  async run(context) {
    const { db, nowMs } = context
    const { idpDomains: t } = ssoTables(db)
    const rows = await db
      .select()
      .from(t)
      .where(eq(t.orgId, tenantId(context)))
      .orderBy(asc(t.domain))
    return { domains: rows.map((row) => domainRecord(row, nowMs)) }
  },
})
