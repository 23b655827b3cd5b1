/** Replaces an identity provider: omitted fields get their defaults, except the client secret, which stays. */
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { ChangedProvider, findProvider, onProvider, ProviderBody } from './record.js'
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
  output: ChangedProvider,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, body }) {
    const found = await findProvider(context.tx, tenantId(context), path.idpId)
    return changeProvider(context, found, body, true)
  },
})
