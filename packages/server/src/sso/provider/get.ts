import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { ownUrl } from '../own-url.js'
import { organizationPath } from '../paths.js'
import { findProvider, onProvider, ProviderAnswer, providerRecord } from './record.js'

export const getProvider = query({
  name: 'sso.provider.get',
  summary: 'Show an identity provider of an organization',
  http: { method: 'get', ...organizationPath('/idps/:idpId') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  input: { path: onProvider },
  output: ProviderAnswer,
  errors: ['NOT_FOUND'],
  run: async (context, { path }) => ({
    provider: providerRecord(await findProvider(context.db, tenantId(context), path.idpId), ownUrl(context.runtime)),
  }),
})
