import { permission } from '../../runtime/operation/access.js'
import { command } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { changeOrganization, organizationChange } from './change.js'

/** `PATCH /organization/:id/identity`: the same change, by the organization's own administrators. */
export const renameOrganization = command({
  ...organizationChange,
  name: 'identity.organization.rename',
  summary: 'Change the name, slug and texts of an organization',
  http: { method: 'patch', ...organizationPath('/:id/identity') },
  access: permission('org:settings'),
  run: (context, { body }) => changeOrganization(context, body),
})
