/** `POST /pipelines/registry`: a deployment reports where its pipeline was deployed. Source: spec platform 19. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { either, permission, scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { name, nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { PARKED_ACROSS, registrationPort } from '../../runtime/records/deployed-pipelines.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockPipeline } from '../pipeline/rows.js'
import { findRegistered } from '../registry-rows.js'
import { pipelineTables, type RegistryRow } from '../tables.js'
import { maskResource, resourceHashes } from './mask.js'
import { entry, RegistryEntry, TARGETS, Text } from './record.js'

export const registerPipeline = command({
  name: 'pipeline.registry.register',
  summary: 'Record that a pipeline was deployed',
  http: { method: 'post', path: '/pipelines/registry' },
  access: either(permission('pipelines:write'), scope('registry:deploy')),
  tenant: fromHeader,
  acrossOrganizations: PARKED_ACROSS,
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
    // Two first registrations of one pipeline take turns: the second one changes what the first one wrote.
    const pipeline = await lockPipeline(tx, orgId, body.pipelineId)
    if (pipeline === null || pipeline.deletedAtMs !== null) throw notFound('Pipeline')
    const stored = await findRegistered(tx, orgId, pipeline.id)
    const resource =
      body.resourceId === undefined
        ? { resourceId: stored?.resourceId ?? null, resourceHash: stored?.resourceHash ?? null }
        : {
            resourceId: maskResource(runtime.settings, orgId, body.resourceId),
            resourceHash: resourceHashes(runtime.settings, orgId, body.resourceId)[0] ?? null,
          }
    const pipelineName = body.pipelineName ?? pipeline.pipelineName
    const row: RegistryRow = {
      id: stored?.id ?? runtime.ids.next(),
      orgId,
      pipelineId: pipeline.id,
      pipelineName,
      nameKey: nameKey(pipelineName),
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
      throw new Refusal(
        'DUPLICATE_ENTRY',
        'the resource is registered for another pipeline: deregister it there first',
        {
          details: { field: 'resourceId' },
        },
      )
    }
    await findPort(runtime, registrationPort)?.registered(tx, orgId, pipeline.id, nowMs)
    await context.audit('pipeline.registry.register', {
      targetType: 'pipeline',
      targetId: pipeline.id,
      details: { name: row.pipelineName },
    })
    return changed({ registry: entry(row), created: stored === null })
  },
})
