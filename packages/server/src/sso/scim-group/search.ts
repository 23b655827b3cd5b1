/** Lists the groups of a directory by a filter in the body. */
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { ListAnswer, listingOf, SearchBody } from '../scim/list.js'
import { groupShowingOf, listGroups } from './record.js'

export const searchScimGroups = query({
  name: 'sso.scim-group.search',
  summary: 'Search the groups of a directory (SCIM)',
  http: { method: 'post', path: '/scim/v2/Groups/.search' },
  ...BY_DIRECTORY,
  input: { body: SearchBody },
  output: ListAnswer,
  errors: ['NOT_FOUND', 'TOKEN_REVOKED', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const showing = groupShowingOf(context.db, context, await providerOf(context.db, context))
    return listGroups(showing, listingOf(body))
  },
})
