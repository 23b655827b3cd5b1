/** Deletes an identity provider. People who signed in with it keep their accounts. */
import { FOLLOWING } from '../../identity/index.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { onProvider } from './record.js'
import { removeProvider } from './write.js'

export const deleteProvider = command({
  name: 'sso.provider.delete',
  summary: 'Delete an identity provider',
  http: { method: 'delete', ...organizationPath('/idps/:idpId'), status: 204 },
  access: withStepUp(permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'the sessions that the provider vouched for end, and sessions belong to people',
  audit: ['admin.org-idp.delete', ...FOLLOWING],
  input: { path: onProvider },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    await removeProvider(context, path.idpId)
    return changed(null)
  },
})
