import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { ListAnswer, Listing } from '../scim/list.js'
import { groupShowingOf, listGroups } from './record.js'

export const listScimGroups = query({
  name: 'sso.scim-group.list',
  summary: 'List the groups of a directory (SCIM)',
  http: { method: 'get', path: '/scim/v2/Groups' },
  ...BY_DIRECTORY,
  input: { query: Listing },
  output: ListAnswer,
  errors: ['NOT_FOUND', 'TOKEN_REVOKED', 'VALIDATION_ERROR'],
  async run(context, { query: listing }) {
    const showing = groupShowingOf(context.db, context, await providerOf(context.db, context))
    return listGroups(showing, listing)
  },
})
