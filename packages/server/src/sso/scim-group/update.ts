import { changed, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY, providerOf } from '../scim/directory.js'
import { onResource } from '../scim/list.js'
import { GROUP_SCHEMA } from '../scim/names.js'
import { PatchBody, readPatch } from '../scim/operations.js'
import { stepsOf } from './facts.js'
import { changeGroup, GROUPING } from './write.js'

export const updateScimGroup = command({
  name: 'sso.scim-group.update',
  summary: 'Change a group of a directory (SCIM)',
  description: 'Answers without a body, so that changing one member of a large group is cheap.',
  http: { method: 'patch', path: '/scim/v2/Groups/:id', status: 204 },
  ...BY_DIRECTORY,
  audit: GROUPING,
  input: { path: onResource, body: PatchBody },
  output: null,
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'TOKEN_REVOKED', 'VALIDATION_ERROR'],
  async run(context, { path, body }) {
    const steps = stepsOf(readPatch(body, GROUP_SCHEMA), path.id)
    const provider = await providerOf(context.tx, context)
    return (await changeGroup(context, provider, path.id, steps)) ? changed(null) : unchanged(null)
  },
})
