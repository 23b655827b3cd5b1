/** An entry of the registry as the API shows it. Source: spec platform 19. */
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { RegistryRow } from '../tables.js'

export const TARGETS = ['aws', 'generic'] as const

export const RegistryEntry = strictObject({
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

export const entry = (row: RegistryRow): Static<typeof RegistryEntry> => ({
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

export const Text = (max: number) => Type.String({ minLength: 1, maxLength: max })
