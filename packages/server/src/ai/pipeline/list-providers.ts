/** List the providers that draft pipelines. */
import { either, permission, scope } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { ACROSS } from '../generation/begin.js'
import { listOfProviders, ProviderList } from '../generation/provider-list.js'

export const listPipelineProviders = query({
  name: 'ai.pipeline.list-providers',
  summary: 'List the providers that draft pipelines',
  http: { method: 'get', path: '/pipelines/providers' },
  access: either(permission('pipelines:read'), scope('pipelines:read')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  uncounted: 'a look at what could be asked',
  input: {},
  output: ProviderList,
  errors: [],
  run: listOfProviders,
})
