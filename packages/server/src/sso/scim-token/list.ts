/** Lists the directory tokens of an organization. */
import { asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { provisioningTables } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ScimToken, scimTokenRecord } from './record.js'

export const listScimTokens = query({
  name: 'sso.scim-token.list',
  summary: 'List the SCIM tokens of an organization',
  http: { method: 'get', ...organizationPath('/scim-tokens') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  input: { path: onOrganization },
  output: strictObject({ tokens: Type.Array(ScimToken) }),
  errors: ['NOT_FOUND'],
  async run(context) {
    const { scimTokens: t } = provisioningTables(context.db)
    const rows = await context.db
      .select()
      .from(t)
      .where(eq(t.orgId, tenantId(context)))
      .orderBy(asc(t.id))
    return { tokens: rows.map(scimTokenRecord) }
  },
})
