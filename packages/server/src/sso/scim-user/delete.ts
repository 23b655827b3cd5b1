/** Ends the membership of a person for a directory. */
import { LEAVING, removeMember } from '../../identity/index.js'
import { changed } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, lockForDirectory, providerOf } from '../scim/directory.js'
import { onResource } from '../scim/list.js'
import { findPerson } from './record.js'

export const deleteScimUser = command({
  name: 'sso.scim-user.delete',
  summary: 'End the membership of a person (SCIM)',
  description: 'In the organization and all of its teams. The account itself stays, without access to them.',
  http: { method: 'delete', path: '/scim/v2/Users/:id', status: 204 },
  ...BY_DIRECTORY,
  audit: ['scim.user.delete', ...LEAVING],
  input: { path: onResource },
  output: null,
  errors: ['CONFLICT', 'LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED', 'TOKEN_REVOKED'],
  async run(context, { path }) {
    const { tx } = context
    const { id: idpId, orgId } = await providerOf(tx, context)
    await lockForDirectory(context, orgId)
    const { row } = await findPerson(tx, orgId, path.id)
    await removeMember(context, row.userId)
    await context.audit('scim.user.delete', {
      targetType: 'user',
      targetId: row.userId,
      details: { id: row.id, name: row.userName, idpId },
    })
    return changed(null)
  },
})
