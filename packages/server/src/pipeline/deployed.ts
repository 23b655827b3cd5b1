/** Which pipelines are registered, for the domain that reports on their runs. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { DeployedPipelinesPort } from '../runtime/records/deployed-pipelines.js'
import { repositoryKeys } from './repository.js'
import { pipelineTables } from './tables.js'

export const deployedPipelines: DeployedPipelinesPort = {
  async registered(db, orgIds, ids) {
    if (ids.length === 0 || orgIds.length === 0) return new Map()
    const { pipelines: t, pipelineRegistry: r } = pipelineTables(db)
    const rows = await db
      .select({ id: t.id, orgId: t.orgId })
      .from(t)
      .innerJoin(r, and(eq(r.pipelineId, t.id), eq(r.orgId, t.orgId)))
      .where(
        and(
          inArray(t.id, [...ids]),
          // guard: events-reach-only-pipelines-of-the-senders-organizations
          inArray(t.orgId, [...orgIds]),
          isNull(t.deletedAtMs),
        ),
      )
    return new Map(rows.map(({ id, orgId }) => [id, orgId]))
  },
  async known(db, orgIds) {
    const { pipelines: t, pipelineRegistry: r } = pipelineTables(db)
    const rows = await db
      .select({
        id: t.id,
        orgId: t.orgId,
        project: t.project,
        organization: t.organization,
        pipelineName: t.pipelineName,
        ownerId: t.ownerId,
        labels: t.labels,
        deletedAtMs: t.deletedAtMs,
        registryId: r.id,
      })
      .from(t)
      .leftJoin(r, and(eq(r.pipelineId, t.id), eq(r.orgId, t.orgId)))
      .where(inArray(t.orgId, [...orgIds]))
    return rows.map(({ deletedAtMs, registryId, ...row }) => ({
      ...row,
      isDeleted: deletedAtMs !== null,
      isRegistered: registryId !== null,
    }))
  },
  async building(db, orgId, repository) {
    const { pipelines: t, pipelineRegistry: r } = pipelineTables(db)
    const rows = await db
      .select({ id: t.id, props: t.props })
      .from(t)
      .innerJoin(r, and(eq(r.pipelineId, t.id), eq(r.orgId, t.orgId)))
      .where(and(eq(t.orgId, orgId), isNull(t.deletedAtMs)))
    return rows.filter(({ props }) => repositoryKeys(props).includes(repository)).map(({ id }) => id)
  },
  async repositories(db, orgId, pipelineId) {
    const { pipelines: t } = pipelineTables(db)
    const [row] = await db
      .select({ props: t.props })
      .from(t)
      .where(and(eq(t.orgId, orgId), eq(t.id, pipelineId), isNull(t.deletedAtMs)))
    return row === undefined ? [] : repositoryKeys(row.props)
  },
}
