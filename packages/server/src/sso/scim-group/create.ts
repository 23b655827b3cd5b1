/** Make a group, as a directory says. */
import { changed } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, locationOf, providerOf } from '../scim/directory.js'
import { Resource, Shown } from '../scim/list.js'
import { readGroup } from './facts.js'
import { showGroup } from './record.js'
import { createGroup, GROUPING } from './write.js'

export const createScimGroup = command({
  name: 'sso.scim-group.create',
  summary: 'Make a group of a directory (SCIM)',
  description: 'Where a mapping names the group, its members have the Roles of the mapping at once.',
  http: { method: 'post', path: '/scim/v2/Groups', status: 201 },
  ...BY_DIRECTORY,
  audit: GROUPING,
  input: { query: Shown, body: Resource },
  output: Resource,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'TOKEN_REVOKED', 'VALIDATION_ERROR'],
  async run(context, { query: shown, body }) {
    const { tx } = context
    const provider = await providerOf(tx, context)
    const id = await createGroup(context, provider, readGroup(body, null))
    const location = (type: 'Users' | 'Groups', of: string) => locationOf(context, type, of)
    const showing = { db: tx, orgId: provider.orgId, providerId: provider.id, location }
    return changed(await showGroup(showing, id, shown), { headers: { location: location('Groups', id) } })
  },
})
