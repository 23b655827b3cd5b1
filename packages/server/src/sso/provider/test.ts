/** Tests an identity provider with a sign-in that shows the effect of its claims and changes nothing. */
import { permission, withFeature } from '../../runtime/operation/access.js'
import { command, fromPath, none } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { onProvider } from './record.js'
import { prepareTest, startTest, TestAddress } from './test-flow.js'

export const testProvider = command({
  name: 'sso.provider.test',
  summary: 'Test an identity provider with a sign-in that changes nothing',
  description: 'Open the address in a browser and sign in: the page shows the claims and their effect.',
  http: { method: 'post', ...organizationPath('/idps/:idpId/test') },
  access: withFeature('sso', permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'a sign-in under way belongs to no organization yet',
  rateLimit: 'sso-setup',
  secretOutput: true,
  audit: none('it only starts a sign-in; the end of the sign-in writes an event'),
  input: { path: onProvider },
  output: TestAddress,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  prepare: (context, { path }) => prepareTest(context, path.idpId),
  run: (context, _input, prepared) => startTest(context, prepared),
})
