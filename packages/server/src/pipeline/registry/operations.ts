/** The map from deployed resources to pipelines, which a deployment keeps up to date. Source: platform decisions 19. */
import { and, eq, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { either, permission, scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf } from '../../runtime/operation/list.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { findPipeline } from '../pipeline/rows.js'
import { READ_PIPELINES } from '../read-access.js'
import { pipelineTables, type RegistryRow } from '../tables.js'
import { maskResource, resourceHashes } from './mask.js'
import { findRegistered } from './rows.js'

const TARGETS = ['aws', 'generic'] as const

const RegistryEntry = strictObject({
  id: Uuid,
  pipelineId: Uuid,
  orgId: Uuid,
  resourceId: nullable(Type.String({ description: 'Account numbers in it are masked' })),
  pipelineName: Type.String(),
  target: Type.Unsafe<string>({ type: 'string', enum: [...TARGETS] }),
  region: nullable(Type.String()),
  project: Type.String(),
  organization: Type.String(),
  stackName: nullable(Type.String()),
  lastDeployed: Instant,
  createdAt: Instant,
  updatedAt: Instant,
})

const entry = (row: RegistryRow): Static<typeof RegistryEntry> => ({
  id: row.id,
  pipelineId: row.pipelineId,
  orgId: row.orgId,
  resourceId: row.resourceId,
  pipelineName: row.pipelineName,
  target: row.target,
  region: row.region,
  project: row.project,
  organization: row.organization,
  stackName: row.stackName,
  lastDeployed: toIso(row.lastDeployedMs),
  createdAt: toIso(row.createdAtMs),
  updatedAt: toIso(row.updatedAtMs),
})

const Text = (max: number) => Type.String({ minLength: 1, maxLength: max })

const list = listOf({
  key: 'registry',
  item: RegistryEntry,
  sortBy: ['lastDeployed', 'pipelineName', 'createdAt'],
  filters: {
    pipelineId: Type.Optional(Uuid),
    region: Type.Optional(Text(64)),
    project: Type.Optional(Text(255)),
    resourceId: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'As it was registered' })),
  },
})

/** `GET /pipelines/registry` */
export const listRegistry = query({
  name: 'pipeline.registry.list',
  summary: 'List where pipelines are deployed',
  http: { method: 'get', path: '/pipelines/registry' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { query: list.query },
  output: list.output,
  errors: [],
  run(context, { query }) {
    const { pipelineRegistry: t } = pipelineTables(context.db)
    const orgId = tenantId(context)
    const { pipelineId, region, project, resourceId } = query as {
      pipelineId?: string
      region?: string
      project?: string
      resourceId?: string
    }
    return list.page(context.db, {
      table: t,
      where: and(
        eq(t.orgId, orgId),
        equals(t.pipelineId, pipelineId),
        equals(t.region, region),
        equals(t.project, project),
        resourceId === undefined
          ? undefined
          : inArray(t.resourceHash, resourceHashes(context.runtime.settings, orgId, resourceId)),
      ),
      columns: { lastDeployed: t.lastDeployedMs, pipelineName: t.pipelineName, createdAt: t.createdAtMs },
      id: t.id,
      query,
      present: entry,
    })
  },
})

/** `POST /pipelines/registry`: a deployment says where its pipeline went. */
export const registerPipeline = command({
  name: 'pipeline.registry.register',
  summary: 'Note that a pipeline was deployed',
  http: { method: 'post', path: '/pipelines/registry' },
  access: either(permission('pipelines:write'), scope('registry:deploy')),
  tenant: fromHeader,
  audit: ['pipeline.registry.register'],
  idempotent: true,
  input: {
    body: strictObject({
      pipelineId: Uuid,
      pipelineName: Type.Optional(name(1, 255)),
      resourceId: Type.Optional(Text(2048)),
      target: Type.Optional(Type.Enum([...TARGETS])),
      region: Type.Optional(Text(64)),
      project: Type.Optional(name(1, 255)),
      organization: Type.Optional(name(1, 255)),
      stackName: Type.Optional(name(1, 255)),
    }),
  },
  output: strictObject({ registry: RegistryEntry, created: Type.Boolean() }),
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND'],
  async run(context, { body }) {
    const { tx, nowMs, runtime } = context
    const orgId = tenantId(context)
    const pipeline = await findPipeline(tx, orgId, body.pipelineId)
    if (pipeline === null || pipeline.deletedAtMs !== null) throw notFound('Pipeline')
    const stored = await findRegistered(tx, orgId, pipeline.id)
    const resource =
      body.resourceId === undefined
        ? { resourceId: stored?.resourceId ?? null, resourceHash: stored?.resourceHash ?? null }
        : {
            resourceId: maskResource(runtime.settings, orgId, body.resourceId),
            resourceHash: resourceHashes(runtime.settings, orgId, body.resourceId)[0] ?? null,
          }
    const row: RegistryRow = {
      id: stored?.id ?? runtime.ids.next(),
      orgId,
      pipelineId: pipeline.id,
      pipelineName: body.pipelineName ?? pipeline.pipelineName,
      ...resource,
      target: body.target ?? stored?.target ?? 'aws',
      region: body.region ?? stored?.region ?? null,
      project: body.project ?? pipeline.project,
      organization: body.organization ?? pipeline.organization,
      stackName: body.stackName ?? stored?.stackName ?? null,
      lastDeployedMs: nowMs,
      createdAtMs: stored?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
    }
    const { pipelineRegistry: t } = pipelineTables(tx)
    try {
      if (stored === null) await tx.insert(t).values(row)
      else
        await tx
          .update(t)
          .set(row)
          .where(and(eq(t.orgId, orgId), eq(t.id, row.id)))
    } catch (error) {
      if (brokenUniqueConstraint(error) === null) throw error
      throw new Refusal('DUPLICATE_ENTRY', 'the resource is registered for another pipeline', {
        details: { field: 'resourceId' },
      })
    }
    await context.audit('pipeline.registry.register', {
      targetType: 'pipeline',
      targetId: pipeline.id,
      details: { name: row.pipelineName },
    })
    return changed({ registry: entry(row), created: stored === null })
  },
})

/** `DELETE /pipelines/registry/:id` */
export const deregisterPipeline = command({
  name: 'pipeline.registry.deregister',
  summary: 'Forget where a pipeline was deployed',
  http: { method: 'delete', path: '/pipelines/registry/:id', status: 204 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline.registry.deregister'],
  input: { path: Type.Object({ id: Uuid }) },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { pipelineRegistry: t } = pipelineTables(context.tx)
    const [row] = await context.tx
      .delete(t)
      .where(and(eq(t.orgId, tenantId(context)), eq(t.id, path.id)))
      .returning({ pipelineId: t.pipelineId, name: t.pipelineName })
    if (row === undefined) throw notFound('Registry entry')
    await context.audit('pipeline.registry.deregister', {
      targetType: 'pipeline',
      targetId: row.pipelineId,
      details: { name: row.name },
    })
    return changed(null)
  },
})
