/** Changes of an organization's name, slug and texts by system administrators. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { command } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { changeOrganization, organizationChange } from './change.js'

/** `PUT /organization/:id`. */
export const updateOrganization = command({
  ...organizationChange,
  name: 'identity.organization.update',
  summary: 'Change an organization, as a system administrator',
  http: { method: 'put', ...organizationPath('/:id') },
  access: systemAdmin(),
  run: (context, { body }) => changeOrganization(context, body),
})
