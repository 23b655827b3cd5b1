/** Shows which parts of the protocol this server supports (RFC 7643, 5). */
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY } from '../scim/directory.js'
import { PAGE_MAX, Resource } from '../scim/list.js'

const CONFIG = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A token of POST /organization/:id/scim-tokens, as a bearer token',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig' },
}

export const getScimService = query({
  name: 'sso.scim-service.get',
  summary: 'Read the supported features of SCIM',
  http: { method: 'get', path: '/scim/v2/ServiceProviderConfig' },
  ...BY_DIRECTORY,
  input: {},
  output: Resource,
  errors: [],
  run: async () => CONFIG,
})
