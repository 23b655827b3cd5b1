/** Creates a group for a directory. */
import { changed } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { Resource, Shown } from '../scim/list.js'
import { readGroup } from './facts.js'
import { groupShowingOf, showGroup } from './record.js'
import { createGroup, GROUPING } from './write.js'

export const createScimGroup = command({
  name: 'sso.scim-group.create',
  summary: 'Create a group of a directory (SCIM)',
  description: 'If a mapping names the group, its members get the Roles of the mapping at once.',
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
    const showing = groupShowingOf(tx, context, provider)
    return changed(await showGroup(showing, id, shown), { headers: { location: showing.location('Groups', id) } })
  },
})
