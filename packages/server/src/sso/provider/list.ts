import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ownUrl } from '../own-url.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ProviderRecord, providerRecord, providersOf } from './record.js'

export const listProviders = query({
  name: 'sso.provider.list',
  summary: 'List the identity providers of an organization',
  http: { method: 'get', ...organizationPath('/idps') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  input: { path: onOrganization },
  output: strictObject({ providers: Type.Array(ProviderRecord) }),
  errors: [],
  async run(context) {
    const rows = await providersOf(context.db, tenantId(context))
    return { providers: rows.map((row) => providerRecord(row, ownUrl(context.runtime))) }
  },
})
