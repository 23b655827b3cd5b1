/**
 * Rows of templates with their index rows. Every change of a row that affects searches goes through here.
 *
 * INVARIANT: a live template has exactly its own labels, keywords and search text; a deleted one has none.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { besideOf } from '../../runtime/records/index-tables.js'
import { dropLabels, putLabels } from '../../runtime/records/labels.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { dropSearchText, putSearchText } from '../../runtime/store/search.js'
import { pipelineTables, type TemplateRow } from '../tables.js'

export async function findTemplate(db: Db, orgId: string, id: string): Promise<TemplateRow | null> {
  const { pipelineTemplates: t } = pipelineTables(db)
  // guard: a-template-is-changed-in-its-organization
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  return row ?? null
}

export async function lockTemplate(tx: Tx, orgId: string, id: string): Promise<TemplateRow | null> {
  if ((await findTemplate(tx, orgId, id)) === null) return null
  await lockRow(tx, 'pipeline_templates', id)
  return findTemplate(tx, orgId, id)
}

/** @returns false when another live template of the organization has the name; nothing was written then. */
export async function insertTemplate(tx: Tx, row: TemplateRow): Promise<boolean> {
  const { pipelineTemplates: t } = pipelineTables(tx)
  if (!(await insertNew(tx, t, row))) return false
  await putBeside(tx, row)
  return true
}

/** Stores the row as given. */
export async function saveTemplate(tx: Tx, row: TemplateRow): Promise<void> {
  const { pipelineTemplates: t, templateSearch } = pipelineTables(tx)
  await tx
    .update(t)
    .set(row)
    .where(and(eq(t.orgId, row.orgId), eq(t.id, row.id)))
  // guard: a-deleted-template-is-found-by-no-keyword
  await dropValues(tx, row.orgId, [row.id])
  // guard: a-deleted-template-is-found-by-no-text
  if (row.deletedAtMs === null) await putBeside(tx, row)
  else await dropSearchText(tx, templateSearch, row.orgId, [row.id])
}

/** Purges templates with every row that depends on them. */
export async function purgeTemplates(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { pipelineTemplates: t, templateSearch } = pipelineTables(tx)
  await dropValues(tx, orgId, ids)
  await dropSearchText(tx, templateSearch, orgId, ids)
  await tx.delete(t).where(and(eq(t.orgId, orgId), inArray(t.id, [...ids])))
}

/** Writes the index rows of the record. The caller has removed its labels and keywords before. */
async function putBeside(tx: Tx, row: TemplateRow): Promise<void> {
  const { templateKeywords, templateLabels, templateSearch } = pipelineTables(tx)
  const own = { templateId: row.id, ...besideOf(row) }
  await putLabels(tx, templateLabels, row)
  const keywords = [...new Set(row.keywords.map((each) => each.toLowerCase()))]
  if (keywords.length > 0) await tx.insert(templateKeywords).values(keywords.map((keyword) => ({ ...own, keyword })))
  const body = [row.description, row.category, ...row.keywords].join('\n')
  await putSearchText(tx, templateSearch, { entityId: row.id, ...besideOf(row), title: row.name, body })
}

async function dropValues(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { templateKeywords: t, templateLabels } = pipelineTables(tx)
  await dropLabels(tx, templateLabels, orgId, ids)
  await tx.delete(t).where(and(eq(t.orgId, orgId), inArray(t.templateId, [...ids])))
}
