import { changed, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { readGroup } from './facts.js'
import { groupShowingOf, showGroup } from './record.js'
import { changeGroup, GROUPING } from './write.js'

export const setScimGroup = command({
  name: 'sso.scim-group.set',
  summary: 'Replace a group of a directory (SCIM)',
  description: 'A body without `members` removes all members.',
  http: { method: 'put', path: '/scim/v2/Groups/:id' },
  ...BY_DIRECTORY,
  audit: GROUPING,
  input: { path: onResource, query: Shown, body: Resource },
  output: Resource,
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'TOKEN_REVOKED', 'VALIDATION_ERROR'],
  async run(context, { path, query: shown, body }) {
    const { tx } = context
    const provider = await providerOf(tx, context)
    const { displayName, externalId, members } = readGroup(body, path.id)
    const isChange = await changeGroup(context, provider, path.id, [
      { kind: 'name', displayName },
      { kind: 'external', externalId },
      { kind: 'replace', members: members ?? [] },
    ])
    const showing = groupShowingOf(tx, context, provider)
    const resource = await showGroup(showing, path.id, shown)
    return isChange ? changed(resource) : unchanged(resource)
  },
})
