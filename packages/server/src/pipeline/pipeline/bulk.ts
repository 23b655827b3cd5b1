/**
 * Many pipelines in one request. Each item goes the way of the single operation and has an answer of its own; one that is
 * refused leaves the others as they are. Where an item has no answer, because the rules or the places cannot be asked, the whole
 * request is refused and nothing is kept: it can be sent again as it is. Source: platform decisions 8.3; rulings, Quotas and checks.
 */
import Type, { type TInteger } from 'typebox'
import type { Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import {
  changed,
  type Outcome,
  type PrepareContext,
  unchanged,
  type WriteContext,
} from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import {
  bulkItem,
  bulkList,
  ITEM_FAILURE,
  itemFailure,
  itemRefusal,
  refuseRepeated,
} from '../../runtime/records/bulk.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import { keyOf } from '../props/check.js'
import type { PipelineRow } from '../tables.js'
import { ViolationSchema, type Warning, WarningSchema } from './check.js'
import { ACROSS, commitCreate, type PreparedCreate, prepareCreate } from './create.js'
import { commitDelete } from './delete.js'
import { CreateBody, UpdateBody } from './record.js'
import { commitUpdate, ownPipeline, type PreparedUpdate, prepareUpdate } from './update.js'

const ITEMS_MAX = 100
/** Verdicts that are asked for at once. */
const AT_ONCE = 8

const Item = strictObject({
  index: Type.Integer({ minimum: 0 }),
  id: Type.Optional(Uuid),
  status: Type.Unsafe<'created' | 'updated' | 'deleted' | 'unchanged' | 'failed'>({
    type: 'string',
    enum: ['created', 'updated', 'deleted', 'unchanged', 'failed'],
  }),
  warnings: Type.Optional(Type.Array(WarningSchema, { description: 'As in the answer of the single request' })),
  complianceWarnings: Type.Optional(Type.Array(ViolationSchema)),
  ...ITEM_FAILURE,
})

interface ItemResult {
  index: number
  id?: string
  status: 'created' | 'updated' | 'deleted' | 'unchanged' | 'failed'
  warnings?: Warning[]
  complianceWarnings?: ComplianceViolation[]
  code?: string
  message?: string
  details?: Record<string, unknown>
}

const counted = <const K extends string>(...names: K[]) => ({
  ...(Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })])) as unknown as Record<K, TInteger>),
  failed: Type.Integer({ minimum: 0 }),
  items: Type.Array(Item),
})

type Prepared<P> = { readonly value: P } | { readonly refusal: Refusal }

/** Prepares the items a few at a time; what is refused is kept as its answer. */
async function prepareEach<T, P>(items: readonly T[], prepare: (item: T, index: number) => Promise<P>) {
  const prepared: Prepared<P>[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE)
    prepared.push(...(await Promise.all(some.map((item, n) => settled(() => prepare(item, at + n))))))
  }
  return prepared
}

async function settled<P>(run: () => Promise<P>): Promise<Prepared<P>> {
  try {
    return { value: await run() }
  } catch (error) {
    return { refusal: itemRefusal(error) }
  }
}

/** Writes the items one after another. A refusal comes before anything of its item was written. */
async function commitEach<P>(
  prepared: readonly Prepared<P>[],
  commit: (value: P) => Promise<Omit<ItemResult, 'index'>>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  for (const [index, each] of prepared.entries()) {
    const done = 'refusal' in each ? each : await settled(() => commit(each.value))
    results.push('refusal' in done ? itemFailure(index, done.refusal) : { index, ...done.value })
  }
  return results
}

function outcomeOf<T extends object>(
  items: ItemResult[],
  counts: T,
): Outcome<T & { failed: number; items: ItemResult[] }> {
  const data = { ...counts, failed: countOf(items, 'failed'), items }
  const isChanged = items.some(({ status }) => status !== 'failed' && status !== 'unchanged')
  return isChanged ? changed(data) : unchanged(data)
}

const countOf = (items: readonly ItemResult[], status: ItemResult['status']): number =>
  items.filter((item) => item.status === status).length

/** The second of the same name would be judged without the first. */
const REPEATED = 'another item of this request is about the same pipeline'

/** The project and organization of an item, as they are compared; null for one that has none. */
function itemKey(item: unknown): string | null {
  const { project, organization } = (item ?? {}) as { project?: unknown; organization?: unknown }
  if (typeof project !== 'string' || typeof organization !== 'string') return null
  return JSON.stringify([keyOf(project.trim()), keyOf(organization.trim())])
}

const access = withFeature('bulk_operations', permission('pipelines:write'))

/** `POST /pipelines/bulk/create` */
export const bulkCreatePipelines = command({
  name: 'pipeline.pipeline.bulk-create',
  summary: 'Create many pipelines',
  http: { method: 'post', path: '/pipelines/bulk/create' },
  access,
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
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

const Ids = bulkList(Uuid, ITEMS_MAX)

const prepareIds = <P>(ids: readonly unknown[], prepare: (id: string) => Promise<P>) => {
  const keys = ids.map((id) => (typeof id === 'string' ? id : null))
  return prepareEach(ids, async (item, index) => {
    const id = bulkItem(Uuid, item, `/body/ids/${index}`)
    refuseRepeated(keys, index, REPEATED, 'ids')
    return prepare(id)
  })
}

/** `PUT /pipelines/bulk/update`: the same change to each. */
export const bulkUpdatePipelines = command({
  name: 'pipeline.pipeline.bulk-update',
  summary: 'Change many pipelines alike',
  http: { method: 'put', path: '/pipelines/bulk/update' },
  access,
  tenant: fromHeader,
  audit: ['pipeline.update'],
  input: { body: strictObject({ ids: Ids, data: UpdateBody }) },
  output: strictObject(counted('updated', 'unchanged')),
  errors: ['COMPLIANCE_SERVICE_UNAVAILABLE'],
  prepare: (context, { body: { ids, data } }) =>
    prepareIds(ids, (id): Promise<PreparedUpdate> => prepareUpdate(context, id, data, '/body/data')),
  async run(context, _, prepared) {
    const items = await commitEach(prepared, async (value) => {
      const { changed: isChanged, data } = await commitUpdate(context, value)
      const { pipeline, warnings, complianceWarnings } = data
      return { id: pipeline.id, status: isChanged ? 'updated' : 'unchanged', warnings, complianceWarnings }
    })
    return outcomeOf(items, { updated: countOf(items, 'updated'), unchanged: countOf(items, 'unchanged') })
  },
})

/** `POST /pipelines/bulk/delete` */
export const bulkDeletePipelines = command({
  name: 'pipeline.pipeline.bulk-delete',
  summary: 'Delete many pipelines',
  http: { method: 'post', path: '/pipelines/bulk/delete' },
  access,
  tenant: fromHeader,
  audit: ['pipeline.delete'],
  input: { body: strictObject({ ids: Ids }) },
  output: strictObject(counted('deleted')),
  errors: [],
  prepare: (context: PrepareContext, { body: { ids } }) =>
    prepareIds(ids, (id): Promise<PipelineRow> => ownPipeline(context, id)),
  async run(context: WriteContext<'pipeline.delete'>, _, prepared) {
    const items = await commitEach(prepared, async (stored) => {
      const { id } = await commitDelete(context, stored)
      return { id, status: 'deleted' as const }
    })
    return outcomeOf(items, { deleted: countOf(items, 'deleted') })
  },
})
