/** Make a person a member, as a directory says. */
import { changed } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, locationOf, providerOf } from '../scim/directory.js'
import { Resource, Shown } from '../scim/list.js'
import { PROVISIONING } from './actions.js'
import { readFacts } from './facts.js'
import { showPerson } from './record.js'
import { createPerson } from './write.js'

export const createScimUser = command({
  name: 'sso.scim-user.create',
  summary: 'Make a person a member (SCIM)',
  description:
    'The address is of a domain that the organization proved. A member of that address is taken up; an account of ' +
    'another organization is not: invite it. Attributes that the server has no use for are accepted and not kept.',
  http: { method: 'post', path: '/scim/v2/Users', status: 201 },
  ...BY_DIRECTORY,
  audit: PROVISIONING,
  input: { query: Shown, body: Resource },
  output: Resource,
  errors: [
    'CONFLICT',
    'DUPLICATE_ENTRY',
    'INSUFFICIENT_PERMISSIONS',
    'LAST_PRIVILEGED_MEMBER',
    'NOT_FOUND',
    'OWNER_PROTECTED',
    'SEAT_LIMIT',
    'TOKEN_REVOKED',
    'VALIDATION_ERROR',
  ],
  async run(context, { query: shown, body }) {
    const { tx } = context
    const provider = await providerOf(tx, context)
    const id = await createPerson(context, provider, readFacts(body, null))
    const showing = {
      db: tx,
      orgId: provider.orgId,
      location: (type: 'Users' | 'Groups', of: string) => locationOf(context, type, of),
    }
    return changed(await showPerson(showing, id, shown), { headers: { location: locationOf(context, 'Users', id) } })
  },
})
