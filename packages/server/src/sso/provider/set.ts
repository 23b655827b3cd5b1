/** Replaces an identity provider: omitted fields get their defaults, except the client secret, which stays. */
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { ownUrl } from '../own-url.js'
import { organizationPath } from '../paths.js'
import { findProvider, onProvider, ProviderAnswer, ProviderBody, providerRecord } from './record.js'
import { changeProvider, SETTING_UP } from './write.js'

export const setProvider = command({
  name: 'sso.provider.set',
  summary: 'Replace an identity provider',
  description: 'Fields that the body leaves out get their defaults; the client secret stays.',
  http: { method: 'put', ...organizationPath('/idps/:idpId') },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  ...SETTING_UP,
  input: { path: onProvider, body: ProviderBody },
  output: ProviderAnswer,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, body }) {
    const found = await findProvider(context.tx, tenantId(context), path.idpId)
    const { row, isChanged } = await changeProvider(context, found, body, true)
    const data = { provider: providerRecord(row, ownUrl(context.runtime)) }
    return isChanged ? changed(data) : unchanged(data)
  },
})
