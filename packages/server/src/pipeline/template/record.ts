/** Templates as the API shows them. Source: spec platform 9. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { type PrepareContext, type ReadContext, tenantId, tenantKey } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { CATALOG_INPUT, CATALOG_OUTPUT, catalogOf, checkWriteScope } from '../../runtime/records/catalog.js'
import { isLive, SOFT_DELETE_OUTPUT, softDeleteView } from '../../runtime/records/soft-delete.js'
import { isVisible } from '../../runtime/records/visible.js'
import type { Db } from '../../runtime/store/db.js'
import { checkPublish } from '../pipeline/check.js'
import { ACCESS_MODIFIERS, AccessModifierField, Description, Keywords } from '../pipeline/record.js'
import { PropsSchema } from '../props/schema.js'
import { pipelineTables, type TemplateRow } from '../tables.js'
import { TemplateInputSchema, TemplateInputs } from './inputs.js'
import { findTemplate } from './rows.js'

const Name = name(1, 255)

const changeable = {
  description: Type.Optional(Description),
  keywords: Type.Optional(Keywords),
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: '`general` unless said' })),
  inputs: Type.Optional(TemplateInputs),
  accessModifier: Type.Optional(AccessModifierField),
  isActive: Type.Optional(Type.Boolean()),
  ...CATALOG_INPUT,
}

export const TemplateBody = strictObject({ name: Name, ...changeable, props: PropsSchema })
export type TemplateBody = Static<typeof TemplateBody>
export const TemplateUpdate = strictObject({
  name: Type.Optional(Name),
  ...changeable,
  props: Type.Optional(PropsSchema),
})

const fields = {
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  description: Type.String(),
  keywords: Type.Array(Type.String()),
  category: Type.String(),
  inputs: Type.Array(TemplateInputSchema),
  accessModifier: Type.Unsafe<string>({ type: 'string', enum: [...ACCESS_MODIFIERS] }),
  isActive: Type.Boolean(),
  version: Type.Integer({ minimum: 1, description: 'Grows with each change of properties or inputs' }),
  ...CATALOG_OUTPUT,
  revision: Type.Integer({ minimum: 1 }),
  createdAt: Instant,
  createdBy: Type.String(),
  updatedAt: Instant,
  updatedBy: Type.String(),
  ...SOFT_DELETE_OUTPUT,
}

export const TemplateItem = strictObject(fields)
export const TemplateRecord = strictObject({ ...fields, props: PropsSchema })

export const SERVER_OWNED = [
  'id',
  'orgId',
  'version',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'purgeAfter',
] as const

export const templateItem = (row: TemplateRow): Static<typeof TemplateItem> => ({
  id: row.id,
  orgId: row.orgId,
  name: row.name,
  description: row.description,
  keywords: [...row.keywords],
  category: row.category,
  inputs: row.inputs as Static<typeof TemplateItem>['inputs'],
  accessModifier: row.accessModifier,
  isActive: row.isActive,
  version: row.version,
  ...(catalogOf(row) as Pick<Static<typeof TemplateItem>, keyof typeof CATALOG_OUTPUT>),
  revision: row.revision,
  createdAt: toIso(row.createdAtMs),
  createdBy: row.createdBy,
  updatedAt: toIso(row.updatedAtMs),
  updatedBy: row.updatedBy,
  ...softDeleteView(row),
})

export const templateRecord = (row: TemplateRow): Static<typeof TemplateRecord> => ({
  ...templateItem(row),
  props: row.props,
})

/** A live template that the organization can see. @throws Refusal 404 */
export async function visibleTemplate(
  context: Pick<ReadContext, 'authority'>,
  db: Db,
  id: string,
): Promise<TemplateRow> {
  const { pipelineTemplates: t } = pipelineTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isLive(t), isVisible(tenantKey(context), t)))
  if (row === undefined) throw notFound('Template')
  return row
}

/** The template of the organization, live or deleted, if the caller may change it. @throws Refusal 404 or 403. */
export async function ownTemplate(context: PrepareContext, id: string, isDeleted = false): Promise<TemplateRow> {
  const stored = await context.read((db) => findTemplate(db, tenantId(context), id))
  if (stored === null || (stored.deletedAtMs !== null) !== isDeleted) {
    throw notFound(isDeleted ? 'Deleted template' : 'Template')
  }
  await checkWriteScope(context, stored)
  checkPublish(context, stored.accessModifier)
  return stored
}
