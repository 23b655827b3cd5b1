/** List the groups of a directory. */
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, locationOf, providerOf } from '../scim/directory.js'
import { ListAnswer, Listing } from '../scim/list.js'
import { listGroups } from './record.js'

export const listScimGroups = query({
  name: 'sso.scim-group.list',
  summary: 'List the groups of a directory (SCIM)',
  http: { method: 'get', path: '/scim/v2/Groups' },
  ...BY_DIRECTORY,
  input: { query: Listing },
  output: ListAnswer,
  errors: ['NOT_FOUND', 'TOKEN_REVOKED', 'VALIDATION_ERROR'],
  async run(context, { query: listing }) {
    const { id: providerId, orgId } = await providerOf(context.db, context)
    const location = (type: 'Users' | 'Groups', id: string) => locationOf(context, type, id)
    return listGroups({ db: context.db, orgId, providerId, location }, listing)
  },
})
