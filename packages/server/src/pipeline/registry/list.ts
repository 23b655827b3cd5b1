/** `GET /pipelines/registry`: list where pipelines are deployed. Source: spec platform 19. */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { READ_PIPELINES } from '../read-access.js'
import { pipelineTables } from '../tables.js'
import { resourceHashes } from './mask.js'
import { entry, RegistryEntry, Text } from './record.js'

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
      columns: { lastDeployed: t.lastDeployedMs, pipelineName: t.nameKey, createdAt: t.createdAtMs },
      id: t.id,
      query,
      present: entry,
    })
  },
})
