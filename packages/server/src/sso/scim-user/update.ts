import { changed, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf, showingOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { USER_SCHEMA } from '../scim/names.js'
import { PatchBody, readPatch } from '../scim/operations.js'
import { PROVISIONING, PROVISIONING_ERRORS } from './actions.js'
import { patched } from './patch.js'
import { showPerson } from './record.js'
import { changePerson } from './write.js'

export const updateScimUser = command({
  name: 'sso.scim-user.update',
  summary: 'Change the data that a directory has about a person (SCIM)',
  description:
    '`active: false` deactivates the membership: sessions, tokens and streams end in the organization and all of its teams.',
  http: { method: 'patch', path: '/scim/v2/Users/:id' },
  ...BY_DIRECTORY,
  audit: PROVISIONING,
  input: { path: onResource, query: Shown, body: PatchBody },
  output: Resource,
  errors: PROVISIONING_ERRORS,
  async run(context, { path, query: shown, body }) {
    const { tx } = context
    const provider = await providerOf(tx, context)
    const operations = readPatch(body, USER_SCHEMA)
    const isChange = await changePerson(context, provider, path.id, (before) => patched(before, operations, path.id))
    const showing = showingOf(tx, context, provider.orgId)
    const resource = await showPerson(showing, path.id, shown)
    return isChange ? changed(resource) : unchanged(resource)
  },
})
