import { tenantId } from '../../runtime/operation/context.js'
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, showingOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { showPerson } from './record.js'

export const getScimUser = query({
  name: 'sso.scim-user.get',
  summary: 'Show a person of a directory (SCIM)',
  http: { method: 'get', path: '/scim/v2/Users/:id' },
  ...BY_DIRECTORY,
  input: { path: onResource, query: Shown },
  output: Resource,
  errors: ['NOT_FOUND'],
  run: (context, { path, query: shown }) =>
    showPerson(showingOf(context.db, context, tenantId(context)), path.id, shown),
})
