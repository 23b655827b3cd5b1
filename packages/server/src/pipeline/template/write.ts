/**
 * Shared by every change of a template: it checks the right, locks, saves and records. Source: spec platform 9 and 22.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { pipelineTables, type TemplateRow } from '../tables.js'
import { nameTaken } from './contract.js'
import { TemplateRecord } from './record.js'
import { lockTemplate, saveTemplate } from './rows.js'

export const ERRORS = [
  'DUPLICATE_ENTRY',
  'INSUFFICIENT_PERMISSIONS',
  'TEMPLATE_CONTRACT_VIOLATION',
  'TEMPLATE_CYCLE',
  'TEMPLATE_PARSE_ERROR',
  'TEMPLATE_SECRETS_RESERVED',
  'TEMPLATE_SIZE_EXCEEDED',
  'TEMPLATE_TYPE_MISMATCH',
  'TEMPLATE_UNKNOWN_PATH',
  'TEMPLATE_VALIDATION_FAILED',
  'VALIDATION_ERROR',
] as const

export const Answer = strictObject({ template: TemplateRecord })

export const onTemplate = Type.Object({ id: Uuid })

export const evidence = (row: TemplateRow, more: object = {}) => ({
  targetType: 'pipeline_template',
  targetId: row.id,
  details: { name: row.name, ...more },
})

/** Locks the template, which must be unchanged since it was checked. @throws Refusal 404, 409, 412. */
export async function lockChecked(context: WriteContext, checked: TemplateRow): Promise<TemplateRow> {
  const stored = await lockTemplate(context.tx, checked.orgId, checked.id)
  if (stored === null || (stored.deletedAtMs !== null) !== (checked.deletedAtMs !== null)) throw notFound('Template')
  context.checkRevision(stored.revision)
  if (stored.revision !== checked.revision) {
    throw new Refusal('CONFLICT', 'the template was changed in the meantime: read it again, then repeat the change')
  }
  return stored
}

/** @throws Refusal 409 when another live template of the organization has the name. */
export async function save(tx: Tx, row: TemplateRow): Promise<void> {
  if (row.liveKey !== null) {
    const { pipelineTemplates: t } = pipelineTables(tx)
    const [other] = await tx
      .select({ id: t.id })
      .from(t)
      .where(and(eq(t.orgId, row.orgId), eq(t.liveKey, row.liveKey)))
    if (other !== undefined && other.id !== row.id) throw nameTaken()
  }
  await saveTemplate(tx, row)
}

export const touched = ({ nowMs, actor }: WriteContext, stored: TemplateRow) => ({
  revision: stored.revision + 1,
  updatedAtMs: nowMs,
  updatedBy: actor.id,
})
