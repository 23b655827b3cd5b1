import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { groupShowingOf, showGroup } from './record.js'

export const getScimGroup = query({
  name: 'sso.scim-group.get',
  summary: 'Show a group of a directory (SCIM)',
  http: { method: 'get', path: '/scim/v2/Groups/:id' },
  ...BY_DIRECTORY,
  input: { path: onResource, query: Shown },
  output: Resource,
  errors: ['NOT_FOUND', 'TOKEN_REVOKED'],
  async run(context, { path, query: shown }) {
    const showing = groupShowingOf(context.db, context, await providerOf(context.db, context))
    return showGroup(showing, path.id, shown)
  },
})
