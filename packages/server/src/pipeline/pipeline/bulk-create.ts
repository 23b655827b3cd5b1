/** `POST /pipelines/bulk/create`: create many pipelines. Source: spec platform 8.3; spec platform 8.1. */
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { bulkItem, bulkList, refuseRepeated } from '../../runtime/records/bulk.js'
import { PARKED_ACROSS } from '../../runtime/records/deployed-pipelines.js'
import { keyOf } from '../props/check.js'
import { access, commitEach, counted, countOf, ITEMS_MAX, outcomeOf, prepareEach, REPEATED } from './bulk.js'
import { ACROSS, commitCreate, type PreparedCreate, prepareCreate } from './create.js'
import { CreateBody } from './record.js'

/** The key of the project and organization of an item, for comparison; null when either is missing. */
function itemKey(item: unknown): string | null {
  const { project, organization } = (item ?? {}) as { project?: unknown; organization?: unknown }
  if (typeof project !== 'string' || typeof organization !== 'string') return null
  return JSON.stringify([keyOf(project.trim()), keyOf(organization.trim())])
}

export const bulkCreatePipelines = command({
  name: 'pipeline.pipeline.bulk-create',
  summary: 'Create many pipelines',
  http: { method: 'post', path: '/pipelines/bulk/create' },
  access,
  tenant: fromHeader,
  acrossOrganizations: `${ACROSS}; ${PARKED_ACROSS}`,
  audit: ['pipeline.create', 'pipeline.update'],
  idempotent: true,
  input: { body: strictObject({ pipelines: bulkList(CreateBody, ITEMS_MAX) }) },
  output: strictObject(counted('created', 'updated')),
  errors: ['COMPLIANCE_SERVICE_UNAVAILABLE'],
  prepare(context, { body: { pipelines } }) {
    const keys = pipelines.map(itemKey)
    return prepareEach(pipelines, async (item, index): Promise<PreparedCreate> => {
      const at = `/body/pipelines/${index}`
      const body = bulkItem(CreateBody, item, at)
      refuseRepeated(keys, index, REPEATED, 'project')
      return prepareCreate(context, body, { at })
    })
  },
  async run(context, _, prepared) {
    const items = await commitEach(prepared, async (value) => {
      const { pipeline, created, warnings, complianceWarnings } = await commitCreate(context, value)
      return { id: pipeline.id, status: created ? 'created' : 'updated', warnings, complianceWarnings }
    })
    return outcomeOf(items, { created: countOf(items, 'created'), updated: countOf(items, 'updated') })
  },
})
