/** List the providers that draft plugins. */
import { either, permission, scope } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { ACROSS } from '../generation/begin.js'
import { listOfProviders, ProviderList } from '../generation/provider-list.js'

export const listPluginProviders = query({
  name: 'ai.plugin.list-providers',
  summary: 'List the providers that draft plugins',
  http: { method: 'get', path: '/plugins/providers' },
  access: either(permission('plugins:read'), scope('plugins:read')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  uncounted: 'a look at what could be asked',
  input: {},
  output: ProviderList,
  errors: [],
  run: listOfProviders,
})
