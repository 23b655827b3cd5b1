/** Rows of the registry: where pipelines are deployed, and when they were last deployed. */
import { and, eq } from 'drizzle-orm'
import type { Db } from '../runtime/store/db.js'
import { pipelineTables, type RegistryRow } from './tables.js'

export async function findRegistered(db: Db, orgId: string, pipelineId: string): Promise<RegistryRow | null> {
  const { pipelineRegistry: t } = pipelineTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.pipelineId, pipelineId)))
  return row ?? null
}

/** When the pipeline of the organization was last deployed; null when it never was. */
export const lastDeployedMs = async (db: Db, orgId: string, pipelineId: string): Promise<number | null> =>
  (await findRegistered(db, orgId, pipelineId))?.lastDeployedMs ?? null
