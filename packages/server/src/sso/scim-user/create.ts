/** Makes a person a member for a directory. */
import { changed } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf, showingOf } from '../scim/directory.js'
import { Resource, Shown } from '../scim/list.js'
import { PROVISIONING, PROVISIONING_ERRORS } from './actions.js'
import { readFacts } from './facts.js'
import { showPerson } from './record.js'
import { createPerson } from './write.js'

export const createScimUser = command({
  name: 'sso.scim-user.create',
  summary: 'Add a person as a member (SCIM)',
  description:
    'The address must be of a domain that the organization has proven. A member with that address is linked; an account of  ' +
    'another organization is refused: invite it. Attributes that the server does not use are accepted and not stored.',
  http: { method: 'post', path: '/scim/v2/Users', status: 201 },
  ...BY_DIRECTORY,
  audit: PROVISIONING,
  input: { query: Shown, body: Resource },
  output: Resource,
  errors: PROVISIONING_ERRORS,
  async run(context, { query: shown, body }) {
    const { tx } = context
    const provider = await providerOf(tx, context)
    const id = await createPerson(context, provider, readFacts(body, null))
    const showing = showingOf(tx, context, provider.orgId)
    return changed(await showPerson(showing, id, shown), { headers: { location: showing.location('Users', id) } })
  },
})
