import { tenantId } from '../../runtime/operation/context.js'
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, showingOf } from '../scim/directory.js'
import { ListAnswer, Listing } from '../scim/list.js'
import { listPeople } from './record.js'

export const listScimUsers = query({
  name: 'sso.scim-user.list',
  summary: 'List the people of a directory (SCIM)',
  description: 'The members that the directory created or linked; others are not listed.',
  http: { method: 'get', path: '/scim/v2/Users' },
  ...BY_DIRECTORY,
  input: { query: Listing },
  output: ListAnswer,
  errors: ['VALIDATION_ERROR'],
  run: (context, { query: listing }) => listPeople(showingOf(context.db, context, tenantId(context)), listing),
})
