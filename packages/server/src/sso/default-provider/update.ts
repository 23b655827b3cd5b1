import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ChangedProvider, findProvider, ProviderChange } from '../provider/record.js'
import { changeProvider, SETTING_UP } from '../provider/write.js'

export const updateDefaultProvider = command({
  name: 'sso.default-provider.update',
  summary: 'Change the default identity provider',
  description:
    'Fields that the body leaves out stay, the client secret too. An earlier test sign-in does not count for the new revision.',
  http: { method: 'patch', ...organizationPath('/idp') },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  ...SETTING_UP,
  input: { path: onOrganization, body: ProviderChange },
  output: ChangedProvider,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const found = await findProvider(context.tx, tenantId(context), null)
    return changeProvider(context, found, body, false)
  },
})
