import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { ChangedProvider, findProvider, onProvider, ProviderChange } from './record.js'
import { changeProvider, SETTING_UP } from './write.js'

export const updateProvider = command({
  name: 'sso.provider.update',
  summary: 'Change an identity provider',
  description:
    'Fields that the body leaves out stay, the client secret too. An earlier test sign-in does not count for the new revision.',
  http: { method: 'patch', ...organizationPath('/idps/:idpId') },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  ...SETTING_UP,
  input: { path: onProvider, body: ProviderChange },
  output: ChangedProvider,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, body }) {
    const found = await findProvider(context.tx, tenantId(context), path.idpId)
    return changeProvider(context, found, body, false)
  },
})
