/**
 * Rows of pipelines with what is found by: labels, keywords, plugin references, search text, history. Every change of a row
 * goes through here, so that none of them falls behind.
 *
 * INVARIANT: beside a live pipeline stand exactly its own labels, keywords, references and text; beside a deleted one, none.
 */
import { and, desc, eq, inArray, lte, ne } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { dropLabels, putLabels } from '../../runtime/records/labels.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { dropSearchText, putSearchText } from '../../runtime/store/search.js'
import { distinct, referencesIn } from '../props/references.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { pipelineRecord } from './record.js'

/** Revisions of one pipeline that are kept. */
export const REVISIONS_KEPT = 100

export async function findPipeline(db: Db, orgId: string, id: string): Promise<PipelineRow | null> {
  const { pipelines } = pipelineTables(db)
  const [row] = await db
    .select()
    .from(pipelines)
    .where(and(eq(pipelines.orgId, orgId), eq(pipelines.id, id)))
  return row ?? null
}

export async function findByKey(
  db: Db,
  orgId: string,
  key: { readonly projectKey: string; readonly organizationKey: string },
): Promise<PipelineRow | null> {
  const { pipelines } = pipelineTables(db)
  const [row] = await db
    .select()
    .from(pipelines)
    .where(
      and(
        eq(pipelines.orgId, orgId),
        eq(pipelines.projectKey, key.projectKey),
        eq(pipelines.organizationKey, key.organizationKey),
      ),
    )
  return row ?? null
}

/** The pipeline under its lock. */
export async function lockPipeline(tx: Tx, orgId: string, id: string): Promise<PipelineRow | null> {
  if ((await findPipeline(tx, orgId, id)) === null) return null
  await lockRow(tx, 'pipelines', id)
  return findPipeline(tx, orgId, id)
}

export type Change = 'created' | 'updated' | 'deleted' | 'restored'
type Writing = Pick<WriteContext, 'tx' | 'nowMs' | 'actor'>

/** @returns false when somebody created the same one between the look and the insert; nothing was written then. */
export async function insertPipeline(context: Writing, row: PipelineRow): Promise<boolean> {
  const { pipelines } = pipelineTables(context.tx)
  const made = await context.tx.insert(pipelines).values(row).onConflictDoNothing().returning({ id: pipelines.id })
  if (made.length === 0) return false
  await putBeside(context.tx, row)
  await remember(context, row, 'created')
  return true
}

/** Stores the row as it is given; its `revision` is the next one. */
export async function savePipeline(context: Writing, row: PipelineRow, change: Change): Promise<void> {
  const { tx } = context
  const { pipelines } = pipelineTables(tx)
  await tx
    .update(pipelines)
    .set(row)
    .where(and(eq(pipelines.orgId, row.orgId), eq(pipelines.id, row.id)))
  if (row.deletedAtMs === null) await putBeside(tx, row)
  else await dropBeside(tx, row.orgId, [row.id])
  await remember(context, row, change)
}

/** Takes the default from whichever pipeline of the project has it. */
export async function clearDefault(context: Writing, orgId: string, projectKey: string, but: string): Promise<void> {
  const { tx, nowMs, actor } = context
  const { pipelines } = pipelineTables(tx)
  const held = await tx
    .select()
    .from(pipelines)
    .where(and(eq(pipelines.orgId, orgId), eq(pipelines.defaultKey, projectKey), ne(pipelines.id, but)))
  for (const row of held) {
    await savePipeline(
      context,
      { ...row, defaultKey: null, revision: row.revision + 1, updatedAtMs: nowMs, updatedBy: actor.id },
      'updated',
    )
  }
}

async function putBeside(tx: Tx, row: PipelineRow): Promise<void> {
  const { pipelineLabels, pipelineKeywords, pipelinePlugins, pipelineSearch } = pipelineTables(tx)
  const { id, orgId } = row
  const isShared = row.accessModifier === 'public'
  await putLabels(tx, pipelineLabels, { orgId, entityId: id, labels: row.labels, isShared })
  await tx.delete(pipelineKeywords).where(and(eq(pipelineKeywords.orgId, orgId), eq(pipelineKeywords.pipelineId, id)))
  const keywords = [...new Set(row.keywords.map((each) => each.toLowerCase()))]
  if (keywords.length > 0) {
    await tx.insert(pipelineKeywords).values(keywords.map((keyword) => ({ pipelineId: id, orgId, isShared, keyword })))
  }
  await tx.delete(pipelinePlugins).where(and(eq(pipelinePlugins.orgId, orgId), eq(pipelinePlugins.pipelineId, id)))
  const references = distinct(referencesIn(row.props, ''))
  if (references.length > 0) {
    await tx
      .insert(pipelinePlugins)
      .values(
        references.map(({ name, version }) => ({ pipelineId: id, orgId, isShared, name, version: version ?? '' })),
      )
  }
  await putSearchText(tx, pipelineSearch, {
    orgId,
    entityId: id,
    isShared,
    title: row.pipelineName,
    body: [row.project, row.description, ...row.keywords].join('\n'),
  })
}

async function dropBeside(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { pipelineLabels, pipelineKeywords, pipelinePlugins, pipelineSearch } = pipelineTables(tx)
  await dropLabels(tx, pipelineLabels, orgId, ids)
  await dropSearchText(tx, pipelineSearch, orgId, ids)
  for (const table of [pipelineKeywords, pipelinePlugins]) {
    await tx.delete(table).where(and(eq(table.orgId, orgId), inArray(table.pipelineId, [...ids])))
  }
}

async function remember({ tx, nowMs, actor }: Writing, row: PipelineRow, change: Change): Promise<void> {
  const { pipelineRevisions: t } = pipelineTables(tx)
  await tx.insert(t).values({
    pipelineId: row.id,
    revision: row.revision,
    orgId: row.orgId,
    change,
    changedAtMs: nowMs,
    changedBy: actor.id,
    record: pipelineRecord(row),
  })
  if (row.revision <= REVISIONS_KEPT) return
  const [oldest] = await tx
    .select({ revision: t.revision })
    .from(t)
    .where(and(eq(t.orgId, row.orgId), eq(t.pipelineId, row.id)))
    .orderBy(desc(t.revision))
    .limit(1)
    .offset(REVISIONS_KEPT)
  if (oldest === undefined) return
  await tx.delete(t).where(and(eq(t.orgId, row.orgId), eq(t.pipelineId, row.id), lte(t.revision, oldest.revision)))
}

/** Removes pipelines with everything that hangs on them. */
export async function purgePipelines(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { pipelines, pipelineRevisions, pipelineRegistry } = pipelineTables(tx)
  await dropBeside(tx, orgId, ids)
  for (const table of [pipelineRevisions, pipelineRegistry]) {
    await tx.delete(table).where(and(eq(table.orgId, orgId), inArray(table.pipelineId, [...ids])))
  }
  await tx.delete(pipelines).where(and(eq(pipelines.orgId, orgId), inArray(pipelines.id, [...ids])))
}
