/** Changes of an organization's name, slug and texts: by system administrators, and by the organization itself. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { permission, systemAdmin } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { liveOrganization } from './account.js'
import {
  Description,
  DisplayName,
  MemberWriteScope,
  memberCount,
  OrganizationName,
  OrganizationRecord,
  organizationRecord,
  SERVER_OWNED,
  Slug,
  standingOf,
} from './record.js'
import { checkName } from './reserved-name.js'
import { isReservedSlug } from './slug.js'

const Body = strictObject(
  {
    name: Type.Optional(OrganizationName),
    displayName: Type.Optional(DisplayName),
    description: Type.Optional(Description),
    slug: Type.Optional(Slug),
  },
  { minProperties: 1 },
)
type Changes = Type.Static<typeof Body>

const FIELDS = ['name', 'displayName', 'description', 'slug'] as const

async function change(context: WriteContext<'org.update'>, body: Changes) {
  const { tx, runtime } = context
  const orgId = tenantId(context)
  await lockRow(tx, 'organizations', orgId)
  const row = await liveOrganization(tx, orgId)
  context.checkRevision(row.revision)
  const count = await memberCount(tx, orgId)
  const standing = await standingOf(tx, row, runtime.settings)
  context.checkServerOwned(organizationRecord(row, standing, count))
  const fields = FIELDS.filter((name) => body[name] !== undefined && body[name] !== row[name])
  if (!row.isSystem) checkName(body.name, body.displayName)
  if (fields.length === 0) return unchanged({ organization: organizationRecord(row, standing, count) })
  if (fields.includes('slug') && (row.isSystem || isReservedSlug(body.slug ?? ''))) {
    throw invalidField('/body/slug', row.isSystem ? 'of the system organization is fixed' : 'is reserved', 'reserved')
  }
  const values = Object.fromEntries(fields.map((name) => [name, body[name]]))
  const next = { ...row, ...values, revision: row.revision + 1, updatedAtMs: context.nowMs }
  const { organizations } = identityTables(tx)
  try {
    await tx.update(organizations).set(next).where(eq(organizations.id, orgId))
  } catch (error) {
    if (brokenUniqueConstraint(error) === null) throw error
    throw new Refusal('DUPLICATE_ENTRY', 'the slug is taken', { details: { field: 'slug' }, cause: error })
  }
  dropStale(context, { orgId })
  await context.audit('org.update', { targetType: 'organization', targetId: orgId, details: { changed: fields } })
  return changed({ organization: organizationRecord(next, standing, count) })
}

const shared = {
  tenant: fromPath('id'),
  audit: ['org.update'] as const,
  serverOwned: SERVER_OWNED,
  input: { path: Type.Object({ id: Type.String() }), body: Body },
  output: strictObject({ organization: OrganizationRecord }),
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'RESERVED_ORG'] as const,
}

/** `PUT /organization/:id`. */
export const updateOrganization = command({
  ...shared,
  name: 'identity.organization.update',
  summary: 'Change an organization, as a system administrator',
  http: { method: 'put', ...organizationPath('/:id') },
  access: systemAdmin(),
  run: (context, { body }) => change(context, body),
})

/** `PATCH /organization/:id/identity`: the same for the organization's own administrators. */
export const renameOrganization = command({
  ...shared,
  name: 'identity.organization.rename',
  summary: 'Change the name, slug and texts of an organization',
  http: { method: 'patch', ...organizationPath('/:id/identity') },
  access: permission('org:settings'),
  run: (context, { body }) => change(context, body),
})

/** `PATCH /organization/:id/settings`. */
export const updateSettings = command({
  name: 'identity.organization.settings',
  summary: 'Change the settings of an organization',
  description:
    '`memberWriteScope` says what members without Admin change: `own` for the records that they or their teams own, `org` for all.',
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
    const count = await memberCount(tx, orgId)
    const standing = await standingOf(tx, row, runtime.settings)
    const { memberWriteScope = row.settings.memberWriteScope } = body
    if (memberWriteScope === row.settings.memberWriteScope) {
      return unchanged({ organization: organizationRecord(row, standing, count) })
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
    return changed({ organization: organizationRecord(next, standing, count) })
  },
})
