/** Which pipelines are registered, for the domain that reports on their runs. */
import { and, eq, exists, inArray, isNull, type Placeholder, sql } from 'drizzle-orm'
import type { DeployedPipelinesPort } from '../runtime/records/deployed-pipelines.js'
import { prepared } from '../runtime/store/prepared.js'
import { repositoryKeys } from './repository.js'
import { pipelineTables } from './tables.js'

/** One pipeline of one organization, prepared because each webhook delivery of a forge asks for it. */
const registeredIn = prepared((db, value: (name: 'id' | 'orgId') => Placeholder) => {
  const { pipelines: t, pipelineRegistry: r } = pipelineTables(db)
  const registered = db
    .select({ one: sql`1` })
    .from(r)
    .where(and(eq(r.pipelineId, t.id), eq(r.orgId, t.orgId)))
  return db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.id, value('id')), eq(t.orgId, value('orgId')), isNull(t.deletedAtMs), exists(registered)))
})

export const deployedPipelines: DeployedPipelinesPort = {
  async registered(db, orgIds, ids) {
    if (ids.length === 0 || orgIds.length === 0) return new Map()
    const [id = ''] = ids
    const [orgId = ''] = orgIds
    if (ids.length === 1 && orgIds.length === 1) {
      return (await registeredIn(db, { id, orgId })).length === 0 ? new Map() : new Map([[id, orgId]])
    }
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
