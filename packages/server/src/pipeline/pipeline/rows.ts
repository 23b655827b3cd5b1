/**
 * Rows of pipelines with their index rows: labels, keywords, plugin references, search text, history. Every change of a
 * row goes through here, so that none of them becomes outdated.
 *
 * INVARIANT: a live pipeline has exactly its own labels, keywords, references and search text; a deleted one has none.
 */
import { and, desc, eq, inArray, lte, ne, type Placeholder } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { besideOf } from '../../runtime/records/index-tables.js'
import { dropLabels, putLabels } from '../../runtime/records/labels.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockName, lockRow } from '../../runtime/store/postgres.js'
import { insertNew, insertRows, prepared } from '../../runtime/store/prepared.js'
import { dropSearchText, putSearchText } from '../../runtime/store/search.js'
import { distinct, referencesIn } from '../props/references.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { pipelineRecord } from './record.js'

/** How many revisions of one pipeline are kept. */
export const REVISIONS_KEPT = 100

// The statements of each create, check and re-check are prepared: building a statement costs more than running it.

const byId = prepared((db, value: (name: 'orgId' | 'id') => Placeholder) => {
  const { pipelines: t } = pipelineTables(db)
  // guard: a-pipeline-is-read-in-its-organization
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), eq(t.id, value('id'))))
})

export async function storedPipeline(db: Db, orgId: string, id: string): Promise<PipelineRow | null> {
  const [row] = await byId(db, { orgId, id })
  return row ?? null
}

const byKey = prepared((db, value: (name: 'orgId' | 'projectKey' | 'organizationKey') => Placeholder) => {
  const { pipelines: t } = pipelineTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, value('orgId')),
        eq(t.projectKey, value('projectKey')),
        eq(t.organizationKey, value('organizationKey')),
      ),
    )
})

export async function findByKey(
  db: Db,
  orgId: string,
  { projectKey, organizationKey }: { readonly projectKey: string; readonly organizationKey: string },
): Promise<PipelineRow | null> {
  const [row] = await byKey(db, { orgId, projectKey, organizationKey })
  return row ?? null
}

/** Locks the row of the pipeline and reads it. */
export async function lockPipeline(tx: Tx, orgId: string, id: string): Promise<PipelineRow | null> {
  if ((await storedPipeline(tx, orgId, id)) === null) return null
  await lockRow(tx, 'pipelines', id)
  return storedPipeline(tx, orgId, id)
}

export type Change = 'created' | 'updated' | 'deleted' | 'restored'
type Writing = Pick<WriteContext, 'tx' | 'nowMs' | 'actor'>

/**
 * @returns false when another request created the same pipeline between the read and the insert; nothing was written
 * then.
 */
export async function insertPipeline(context: Writing, row: PipelineRow): Promise<boolean> {
  if (!(await insertNew(context.tx, pipelineTables(context.tx).pipelines, row))) return false
  await putBeside(context.tx, row)
  await putText(context.tx, row)
  await remember(context, row, 'created')
  return true
}

/** Stores the row as given; the caller has increased its `revision`. */
export async function savePipeline(context: Writing, row: PipelineRow, change: Change): Promise<void> {
  const { tx } = context
  const { pipelines } = pipelineTables(tx)
  await tx
    .update(pipelines)
    .set(row)
    .where(and(eq(pipelines.orgId, row.orgId), eq(pipelines.id, row.id)))
  await dropBeside(tx, row.orgId, [row.id])
  if (row.deletedAtMs === null) {
    await putBeside(tx, row)
    await putText(tx, row)
  } else await dropSearchText(tx, pipelineTables(tx).pipelineSearch, row.orgId, [row.id])
  await remember(context, row, change)
}

const defaultsOf = prepared((db, value: (name: 'orgId' | 'projectKey' | 'but') => Placeholder) => {
  const { pipelines: t } = pipelineTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), eq(t.defaultKey, value('projectKey')), ne(t.id, value('but'))))
})

const moved = new WeakMap<Tx, Map<string, number>>()

/**
 * How many revisions of the pipeline this transaction made by taking the default from it. A bulk request judges all its
 * items before it writes the first.
 */
export const movedHere = (tx: Tx, id: string): number => moved.get(tx)?.get(id) ?? 0

function noteMoved(tx: Tx, id: string): void {
  const counts = moved.get(tx) ?? new Map<string, number>()
  moved.set(tx, counts.set(id, movedHere(tx, id) + 1))
}

/** Removes the default mark from the pipeline of the project that has it. Requests that move one default take turns. */
export async function clearDefault(context: Writing, orgId: string, projectKey: string, but: string): Promise<void> {
  const { tx, nowMs, actor } = context
  // guard: requests-that-move-a-default-take-turns
  await lockName(tx, `plumbline.default ${orgId} ${projectKey}`)
  const held = await defaultsOf(tx, { orgId, projectKey, but })
  for (const row of held) {
    noteMoved(tx, row.id)
    await savePipeline(
      context,
      { ...row, defaultKey: null, revision: row.revision + 1, updatedAtMs: nowMs, updatedBy: actor.id },
      'updated',
    )
  }
}

/** Writes the index rows of the record. The caller has removed its earlier ones. */
async function putBeside(tx: Tx, row: PipelineRow): Promise<void> {
  const { pipelineLabels, pipelineKeywords, pipelinePlugins } = pipelineTables(tx)
  const own = { pipelineId: row.id, ...besideOf(row) }
  await putLabels(tx, pipelineLabels, row)
  const keywords = [...new Set(row.keywords.map((each) => each.toLowerCase()))]
  await insertRows(
    tx,
    pipelineKeywords,
    keywords.map((keyword) => ({ ...own, keyword })),
  )
  const references = distinct(referencesIn(row.props, ''))
  const names = references.map(({ name }) => name)
  await insertRows(
    tx,
    pipelinePlugins,
    references.map(({ name, version }, n) => ({
      ...own,
      name,
      version: version ?? '',
      isFirst: names.indexOf(name) === n,
    })),
  )
}

/** The row of the search text is updated in place, so it keeps its position in the index. */
const putText = (tx: Tx, row: PipelineRow) =>
  putSearchText(tx, pipelineTables(tx).pipelineSearch, {
    entityId: row.id,
    ...besideOf(row),
    title: row.pipelineName,
    body: [row.project, row.description, ...row.keywords].join('\n'),
  })

async function dropBeside(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { pipelineLabels, pipelineKeywords, pipelinePlugins } = pipelineTables(tx)
  await dropLabels(tx, pipelineLabels, orgId, ids)
  for (const table of [pipelineKeywords, pipelinePlugins]) {
    await tx.delete(table).where(and(eq(table.orgId, orgId), inArray(table.pipelineId, [...ids])))
  }
}

async function remember({ tx, nowMs, actor }: Writing, row: PipelineRow, change: Change): Promise<void> {
  const { pipelineRevisions: t } = pipelineTables(tx)
  const { id: pipelineId, revision, orgId } = row
  const remembered = { pipelineId, revision, orgId, change, changedAtMs: nowMs, changedBy: actor.id }
  await insertRows(tx, t, [{ ...remembered, record: pipelineRecord(row) }])
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

/** Purges pipelines with every row that depends on them. */
export async function purgePipelines(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { pipelines, pipelineRevisions, pipelineRegistry, pipelineSearch } = pipelineTables(tx)
  await dropBeside(tx, orgId, ids)
  await dropSearchText(tx, pipelineSearch, orgId, ids)
  for (const table of [pipelineRevisions, pipelineRegistry]) {
    await tx.delete(table).where(and(eq(table.orgId, orgId), inArray(table.pipelineId, [...ids])))
  }
  await tx.delete(pipelines).where(and(eq(pipelines.orgId, orgId), inArray(pipelines.id, [...ids])))
}
