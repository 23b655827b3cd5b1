/** The change of an organization's name, slug and texts, for system administrators and for the organization itself. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import { checkName } from '../account/reserved-name.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { factsOf } from './facts.js'
import {
  Description,
  DisplayName,
  OrganizationName,
  OrganizationRecord,
  organizationRecord,
  SERVER_OWNED,
  Slug,
} from './record.js'
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

export async function changeOrganization(context: WriteContext<'org.update'>, body: Changes) {
  const { tx, runtime } = context
  const orgId = tenantId(context)
  await lockRow(tx, 'organizations', orgId)
  const row = await liveOrganization(tx, orgId)
  context.checkRevision(row.revision)
  const facts = await factsOf(tx, runtime, row)
  context.checkServerOwned(organizationRecord(row, facts))
  const fields = FIELDS.filter((name) => body[name] !== undefined && body[name] !== row[name])
  // guard: nobody-is-renamed-to-the-system-organization
  if (!row.isSystem) checkName(body.name, body.displayName)
  if (fields.length === 0) return unchanged({ organization: organizationRecord(row, facts) })
  if (fields.includes('slug') && (row.isSystem || isReservedSlug(body.slug ?? ''))) {
    throw invalidField(
      '/body/slug',
      row.isSystem ? 'of the system organization cannot change' : 'is reserved',
      'reserved',
    )
  }
  const values = Object.fromEntries(fields.map((name) => [name, body[name]]))
  const next = {
    ...row,
    ...values,
    nameKey: nameKey(body.name ?? row.name),
    revision: row.revision + 1,
    updatedAtMs: context.nowMs,
  }
  const { organizations } = identityTables(tx)
  try {
    await tx.update(organizations).set(next).where(eq(organizations.id, orgId))
  } catch (error) {
    if (brokenUniqueConstraint(error) === null) throw error
    throw new Refusal('DUPLICATE_ENTRY', 'the slug is taken: choose another', {
      details: { field: 'slug' },
      cause: error,
    })
  }
  dropStale(context, { orgId })
  await context.audit('org.update', { targetType: 'organization', targetId: orgId, details: { changed: fields } })
  return changed({ organization: organizationRecord(next, facts) })
}

export const organizationChange = {
  tenant: fromPath('id'),
  audit: ['org.update'] as const,
  serverOwned: SERVER_OWNED,
  input: { path: Type.Object({ id: Type.String() }), body: Body },
  output: strictObject({ organization: OrganizationRecord }),
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'RESERVED_ORG'] as const,
}
