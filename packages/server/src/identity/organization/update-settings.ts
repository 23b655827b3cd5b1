import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { factsOf } from './facts.js'
import { MemberWriteScope, OrganizationRecord, organizationRecord } from './record.js'

/** `PATCH /organization/:id/settings`. */
export const updateOrganizationSettings = command({
  name: 'identity.organization.update-settings',
  summary: 'Change the settings of an organization',
  description:
    '`memberWriteScope` says which records members without Admin can change: `own` for those that they or their teams own, `org` for all.',
  http: { method: 'patch', ...organizationPath('/:id/settings') },
  access: permission('org:settings'),
  tenant: fromPath('id'),
  acrossOrganizations: 'a team shows the tier of its root',
  audit: ['org.update'],
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({ memberWriteScope: Type.Optional(MemberWriteScope) }, { minProperties: 1 }),
  },
  output: strictObject({ organization: OrganizationRecord }),
  errors: ['NOT_FOUND'],
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const row = await liveOrganization(tx, orgId)
    context.checkRevision(row.revision)
    const facts = await factsOf(tx, runtime, row)
    const { memberWriteScope = row.settings.memberWriteScope } = body
    if (memberWriteScope === row.settings.memberWriteScope) {
      return unchanged({ organization: organizationRecord(row, facts) })
    }
    const settings = { ...row.settings, memberWriteScope }
    const next = { ...row, settings, revision: row.revision + 1, updatedAtMs: nowMs }
    const { organizations } = identityTables(tx)
    await tx.update(organizations).set(next).where(eq(organizations.id, orgId))
    dropStale(context, { orgId })
    await context.audit('org.update', {
      targetType: 'organization',
      targetId: orgId,
      details: { changed: ['settings.memberWriteScope'], reason: `memberWriteScope: ${memberWriteScope}` },
    })
    return changed({ organization: organizationRecord(next, facts) })
  },
})
