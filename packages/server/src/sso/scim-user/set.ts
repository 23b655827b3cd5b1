import { changed, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf, showingOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { PROVISIONING, PROVISIONING_ERRORS } from './actions.js'
import { readFacts } from './facts.js'
import { showPerson } from './record.js'
import { changePerson } from './write.js'

export const setScimUser = command({
  name: 'sso.scim-user.set',
  summary: 'Replace the data that a directory has about a person (SCIM)',
  description: 'Fields that the body leaves out become empty; `active` becomes true.',
  http: { method: 'put', path: '/scim/v2/Users/:id' },
  ...BY_DIRECTORY,
  audit: PROVISIONING,
  input: { path: onResource, query: Shown, body: Resource },
  output: Resource,
  errors: PROVISIONING_ERRORS,
  async run(context, { path, query: shown, body }) {
    const { tx } = context
    const facts = readFacts(body, path.id)
    const provider = await providerOf(tx, context)
    const isChange = await changePerson(context, provider, path.id, () => facts)
    const showing = showingOf(tx, context, provider.orgId)
    const resource = await showPerson(showing, path.id, shown)
    return isChange ? changed(resource) : unchanged(resource)
  },
})
