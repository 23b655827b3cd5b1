import Type from 'typebox'
import { member, openToNarrowed } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { liveOrganization } from '../account/organizations.js'
import { organizationPath } from '../paths.js'
import { factsOf } from './facts.js'
import { OrganizationRecord, organizationRecord } from './record.js'

/** `GET /organization/:id`: for members, administrators of the root, and system administrators. */
export const getOrganization = query({
  name: 'identity.organization.get',
  summary: 'Read an organization',
  http: { method: 'get', ...organizationPath('/:id') },
  access: openToNarrowed(['org:settings', 'members:manage'], member()),
  tenant: fromPath('id'),
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({ organization: OrganizationRecord }),
  errors: ['NOT_FOUND'],
  async run(context) {
    const orgId = tenantId(context)
    const row = await liveOrganization(context.db, orgId)
    return { organization: organizationRecord(row, await factsOf(context.db, context.runtime, row)) }
  },
})
