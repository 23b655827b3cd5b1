/** Show a group of a directory. */
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, locationOf, providerOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { showGroup } from './record.js'

export const getScimGroup = query({
  name: 'sso.scim-group.get',
  summary: 'Show a group of a directory (SCIM)',
  http: { method: 'get', path: '/scim/v2/Groups/:id' },
  ...BY_DIRECTORY,
  input: { path: onResource, query: Shown },
  output: Resource,
  errors: ['NOT_FOUND', 'TOKEN_REVOKED'],
  async run(context, { path, query: shown }) {
    const { id: providerId, orgId } = await providerOf(context.db, context)
    const location = (type: 'Users' | 'Groups', id: string) => locationOf(context, type, id)
    return showGroup({ db: context.db, orgId, providerId, location }, path.id, shown)
  },
})
