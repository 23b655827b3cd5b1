/** Replace what a directory says of a person. */
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, locationOf, providerOf } from '../scim/directory.js'
import { onResource, Resource, Shown } from '../scim/list.js'
import { PROVISIONING } from './actions.js'
import { readFacts } from './facts.js'
import { showPerson } from './record.js'
import { changePerson } from './write.js'

export const setScimUser = command({
  name: 'sso.scim-user.set',
  summary: 'Replace what a directory says of a person (SCIM)',
  description: 'What the body leaves out is empty afterwards; `active` is true when left out.',
  http: { method: 'put', path: '/scim/v2/Users/:id' },
  ...BY_DIRECTORY,
  audit: PROVISIONING,
  input: { path: onResource, query: Shown, body: Resource },
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
  async run(context, { path, query: shown, body }) {
    const { tx } = context
    const facts = readFacts(body, path.id)
    const provider = await providerOf(tx, context)
    const isChange = await changePerson(context, provider, path.id, () => facts)
    const showing = {
      db: tx,
      orgId: provider.orgId,
      location: (type: 'Users' | 'Groups', of: string) => locationOf(context, type, of),
    }
    const resource = await showPerson(showing, path.id, shown)
    return isChange ? changed(resource) : unchanged(resource)
  },
})
