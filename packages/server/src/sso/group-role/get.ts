/** Shows which Roles the groups of an identity provider give. */
import { mappingOf } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { findProvider, onProvider } from '../provider/record.js'
import { GroupMappingAnswer } from './record.js'

export const getGroupRole = query({
  name: 'sso.group-role.get',
  summary: 'Show the mapping of groups of an identity provider to Roles',
  http: { method: 'get', ...organizationPath('/idps/:idpId/groups') },
  access: permission('org:idp'),
  tenant: fromPath('id'),
  acrossOrganizations: 'what the author of a mapping holds may come from the account',
  input: { path: onProvider },
  output: GroupMappingAnswer,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const provider = await findProvider(context.db, tenantId(context), path.idpId)
    return { ...(await mappingOf(context, provider)), revision: provider.groupsRevision }
  },
})
