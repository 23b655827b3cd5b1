/** Tests the default identity provider with a sign-in that shows the effect of its claims and changes nothing. */
import { permission, withFeature } from '../../runtime/operation/access.js'
import { command, fromPath, none } from '../../runtime/operation/operation.js'
import { onOrganization, organizationPath } from '../paths.js'
import { prepareTest, startTest, TestAddress } from '../provider/test-flow.js'

export const testDefaultProvider = command({
  name: 'sso.default-provider.test',
  summary: 'Test the default identity provider with a sign-in that changes nothing',
  description: 'Open the address in a browser and sign in: the page shows the claims and their effect.',
  http: { method: 'post', ...organizationPath('/idp/test') },
  access: withFeature('sso', permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'a sign-in under way belongs to no organization yet',
  rateLimit: 'sso-setup',
  secretOutput: true,
  audit: none('it only starts a sign-in; the end of the sign-in writes an event'),
  input: { path: onOrganization },
  output: TestAddress,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  prepare: (context) => prepareTest(context, null),
  run: (context, _input, prepared) => startTest(context, prepared),
})
