/** What the pipeline domain registers for exports, purges, erasures and usage (spec platform 27). */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { toIso } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { countLive } from '../runtime/records/capacity.js'
import { exportOf, ownRows, ownRowsAlong, type ReadSection } from '../runtime/records/export.js'
import { isLive } from '../runtime/records/soft-delete.js'
import type { Tx } from '../runtime/store/db.js'
import { pipelineRecord } from './pipeline/record.js'
import { purgePipelines } from './pipeline/rows.js'
import { PIPELINE_SEARCHES } from './searched.js'
import { pipelineTables } from './tables.js'
import { templateRecord } from './template/record.js'
import { purgeTemplates } from './template/rows.js'

const REVISIONS_PAGE = 200

const SECTIONS = {
  async pipelines(db, orgId, after) {
    const { pipelines: t } = pipelineTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: pipelineRecord(row) }))
  },
  async pipelineRevisions(db, orgId, after) {
    const { pipelineRevisions: t } = pipelineTables(db)
    const rows = await ownRowsAlong(db, t, [t.pipelineId, t.revision], { orgId, after, rowsMax: REVISIONS_PAGE })
    return rows.map(({ key, row: { pipelineId, revision, change, changedAtMs, changedBy, record } }) => ({
      key,
      row: { pipelineId, revision, change, changedAt: toIso(changedAtMs), changedBy, pipeline: record },
    }))
  },
  async registry(db, orgId, after) {
    const { pipelineRegistry: t } = pipelineTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map(({ resourceHash, lastDeployedMs, createdAtMs, updatedAtMs, ...row }) => ({
      key: row.id,
      row: {
        ...row,
        lastDeployed: toIso(lastDeployedMs),
        createdAt: toIso(createdAtMs),
        updatedAt: toIso(updatedAtMs),
      },
    }))
  },
  async pipelineTemplates(db, orgId, after) {
    const { pipelineTemplates: t } = pipelineTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: templateRecord(row) }))
  },
} satisfies Readonly<Record<string, ReadSection>>

export const pipelineRegistration: DomainRegistration = {
  name: 'pipeline',
  searches: PIPELINE_SEARCHES,
  ...exportOf(SECTIONS, {
    pipelines: 'pipelines:read',
    pipelineRevisions: 'pipelines:read',
    registry: 'pipelines:read',
    pipelineTemplates: 'pipelines:read',
  }),
  async purge(tx, orgId, rowsMax) {
    const { pipelines, pipelineTemplates } = pipelineTables(tx)
    // Few pipelines at a time, because each has up to a hundred revisions.
    const ids = await tx
      .select({ id: pipelines.id })
      .from(pipelines)
      .where(eq(pipelines.orgId, orgId))
      .limit(Math.max(1, Math.floor(rowsMax / 10)))
    if (ids.length > 0) {
      await purgePipelines(
        tx,
        orgId,
        ids.map(({ id }) => id),
      )
      return ids.length
    }
    const due = await tx
      .select({ id: pipelineTemplates.id })
      .from(pipelineTemplates)
      .where(eq(pipelineTemplates.orgId, orgId))
      .limit(rowsMax)
    await purgeTemplates(
      tx,
      orgId,
      due.map(({ id }) => id),
    )
    return due.length
  },
  /** Records stay with the organization, without an owner who no longer exists. */
  async erase(tx, userId, { recheck }) {
    const { pipelines, pipelineTemplates } = pipelineTables(tx)
    for (const table of [pipelines, pipelineTemplates]) {
      const left = await tx
        .update(table)
        .set({ ownerId: null, ownerType: null, revision: sql`${table.revision} + 1` })
        .where(and(eq(table.ownerId, userId), eq(table.ownerType, 'user')))
        .returning({ id: table.id, orgId: table.orgId, deletedAtMs: table.deletedAtMs })
      if (table !== pipelines) continue
      for (const { id, orgId, deletedAtMs } of left) {
        // guard: pipelines-without-their-owner-are-checked-again
        if (deletedAtMs === null) await recheck(orgId, { target: 'pipeline', id })
      }
    }
  },
  usage: {
    pipelines: countLive((db) => {
      const { pipelines: t } = pipelineTables(db)
      return { table: t, orgId: t.orgId, where: isNull(t.deletedAtMs) }
    }),
  },
  async *blobs() {},
  async reassign(tx, orgId, from, to) {
    const moved = await reassigned(tx, orgId, from, to, 'pipelines')
    const templates = await reassigned(tx, orgId, from, to, 'pipelineTemplates')
    return { rows: moved.length + templates.length, records: moved.map((row) => ({ target: 'pipeline', ...row })) }
  },
  summary: async (db) => ({
    pipelines: await db.$count(pipelineTables(db).pipelines, isLive(pipelineTables(db).pipelines)),
  }),
}

async function reassigned(tx: Tx, orgId: string, from: string, to: string, kind: 'pipelines' | 'pipelineTemplates') {
  const table = pipelineTables(tx)[kind]
  return tx
    .update(table)
    .set({ ownerId: to, ownerType: 'user', revision: sql`${table.revision} + 1` })
    .where(and(eq(table.orgId, orgId), eq(table.ownerId, from), eq(table.ownerType, 'user')))
    .returning({ id: table.id, deletedAtMs: table.deletedAtMs })
}
