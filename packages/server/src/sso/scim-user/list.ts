/** List the people of a directory. */
import { tenantId } from '../../runtime/operation/context.js'
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, locationOf } from '../scim/directory.js'
import { ListAnswer, Listing } from '../scim/list.js'
import { listPeople } from './record.js'

export const listScimUsers = query({
  name: 'sso.scim-user.list',
  summary: 'List the people of a directory (SCIM)',
  description: 'The members that the directory made or took up; others are not shown to it.',
  http: { method: 'get', path: '/scim/v2/Users' },
  ...BY_DIRECTORY,
  input: { query: Listing },
  output: ListAnswer,
  errors: ['VALIDATION_ERROR'],
  run: (context, { query: listing }) =>
    listPeople(
      { db: context.db, orgId: tenantId(context), location: (type, id) => locationOf(context, type, id) },
      listing,
    ),
})
