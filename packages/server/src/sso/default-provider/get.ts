import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { ownUrl } from '../own-url.js'
import { onOrganization, organizationPath } from '../paths.js'
import { findProvider, ProviderAnswer, providerRecord } from '../provider/record.js'

export const getDefaultProvider = query({
  name: 'sso.default-provider.get',
  summary: 'Show the default identity provider of an organization',
  http: { method: 'get', ...organizationPath('/idp') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  input: { path: onOrganization },
  output: ProviderAnswer,
  errors: ['NOT_FOUND'],
  run: async (context) => ({
    provider: providerRecord(await findProvider(context.db, tenantId(context), null), ownUrl(context.runtime)),
  }),
})
