/** Deletes the default identity provider. People who signed in with it keep their accounts. */
import { FOLLOWING } from '../../identity/index.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { onOrganization, organizationPath } from '../paths.js'
import { removeProvider } from '../provider/write.js'

export const deleteDefaultProvider = command({
  name: 'sso.default-provider.delete',
  summary: 'Delete the default identity provider',
  http: { method: 'delete', ...organizationPath('/idp'), status: 204 },
  access: withStepUp(permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'the sessions that the provider vouched for end, and sessions belong to people',
  audit: ['admin.org-idp.delete', ...FOLLOWING],
  input: { path: onOrganization },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context) {
    await removeProvider(context, null)
    return changed(null)
  },
})
