import { changed } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { onResource } from '../scim/list.js'
import { GROUPING, removeGroup } from './write.js'

export const deleteScimGroup = command({
  name: 'sso.scim-group.delete',
  summary: 'Delete a group of a directory (SCIM)',
  description: 'Its members lose the Roles that it gave. The mapping stays, for a new group of that name.',
  http: { method: 'delete', path: '/scim/v2/Groups/:id', status: 204 },
  ...BY_DIRECTORY,
  audit: GROUPING,
  input: { path: onResource },
  output: null,
  errors: ['NOT_FOUND', 'TOKEN_REVOKED'],
  async run(context, { path }) {
    await removeGroup(context, await providerOf(context.tx, context), path.id)
    return changed(null)
  },
})
