/** Lists the kinds of resources (RFC 7643, 6). */
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY } from '../scim/directory.js'
import { ListAnswer, listAnswer } from '../scim/list.js'
import { GROUP_SCHEMA, USER_SCHEMA } from '../scim/names.js'

const typeOf = (name: 'User' | 'Group', endpoint: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  schema,
  meta: { resourceType: 'ResourceType' },
})
const TYPES = [typeOf('User', '/Users', USER_SCHEMA), typeOf('Group', '/Groups', GROUP_SCHEMA)]

export const listScimResourceTypes = query({
  name: 'sso.scim-resource-type.list',
  summary: 'List the kinds of resources (SCIM)',
  http: { method: 'get', path: '/scim/v2/ResourceTypes' },
  ...BY_DIRECTORY,
  input: {},
  output: ListAnswer,
  errors: [],
  run: async () => listAnswer(TYPES, TYPES.length, { offset: 0, limit: TYPES.length }),
})
