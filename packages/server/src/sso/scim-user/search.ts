/** Lists the people of a directory by a filter in the body. */
import { tenantId } from '../../runtime/operation/context.js'
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, showingOf } from '../scim/directory.js'
import { ListAnswer, listingOf, SearchBody } from '../scim/list.js'
import { listPeople } from './record.js'

export const searchScimUsers = query({
  name: 'sso.scim-user.search',
  summary: 'Search the people of a directory (SCIM)',
  http: { method: 'post', path: '/scim/v2/Users/.search' },
  ...BY_DIRECTORY,
  input: { body: SearchBody },
  output: ListAnswer,
  errors: ['VALIDATION_ERROR'],
  run: (context, { body }) => listPeople(showingOf(context.db, context, tenantId(context)), listingOf(body)),
})
