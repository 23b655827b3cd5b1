/**
 * Many pipelines in one request. Each item goes the way of the single operation and has an answer of its own; one that is
 * refused leaves the others as they are. Where an item has no answer, because the rules or the places can not be asked, the whole
 * request is refused and nothing is kept: it can be sent again as it is. Source: platform decisions 8.3; rulings, Quotas and checks.
 */
import Type, { type TInteger } from 'typebox'
import { Refusal } from '../../runtime/errors.js'
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
import { itemRefusal } from '../../runtime/records/bulk.js'
import { keyOf } from '../props/check.js'
import type { PipelineRow } from '../tables.js'
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
  code: Type.Optional(Type.String({ description: 'The code of the refusal' })),
  message: Type.Optional(Type.String()),
  details: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
})

interface ItemResult {
  index: number
  id?: string
  status: 'created' | 'updated' | 'deleted' | 'unchanged' | 'failed'
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

const failed = (index: number, { code, message, details }: Refusal): ItemResult => ({
  index,
  status: 'failed',
  code,
  message,
  ...(details === undefined ? {} : { details }),
})

/** Writes the items one after another. A refusal comes before anything of its item was written. */
async function commitEach<P>(
  prepared: readonly Prepared<P>[],
  commit: (value: P) => Promise<Omit<ItemResult, 'index'>>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  for (const [index, each] of prepared.entries()) {
    const done = 'refusal' in each ? each : await settled(() => commit(each.value))
    results.push('refusal' in done ? failed(index, done.refusal) : { index, ...done.value })
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

/** The first of the same name keeps its turn: the second was judged without it. */
function refuseRepeated(keys: readonly string[], index: number): void {
  if (keys.indexOf(keys[index] ?? '') === index) return
  throw new Refusal('DUPLICATE_ENTRY', 'another item of this request is about the same pipeline', {
    details: { field: 'project' },
  })
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
  input: { body: strictObject({ pipelines: Type.Array(CreateBody, { minItems: 1, maxItems: ITEMS_MAX }) }) },
  output: strictObject(counted('created', 'updated')),
  errors: ['COMPLIANCE_SERVICE_UNAVAILABLE'],
  prepare(context, { body: { pipelines } }) {
    const keys = pipelines.map(({ project, organization }) =>
      JSON.stringify([keyOf(project.trim()), keyOf(organization.trim())]),
    )
    return prepareEach(pipelines, async (body, index): Promise<PreparedCreate> => {
      refuseRepeated(keys, index)
      return prepareCreate(context, body, { at: `/body/pipelines/${index}` })
    })
  },
  async run(context, _, prepared) {
    const items = await commitEach(prepared, async (value) => {
      const { pipeline, created } = await commitCreate(context, value)
      return { id: pipeline.id, status: created ? 'created' : 'updated' }
    })
    return outcomeOf(items, { created: countOf(items, 'created'), updated: countOf(items, 'updated') })
  },
})

const Ids = Type.Array(Uuid, { minItems: 1, maxItems: ITEMS_MAX, uniqueItems: true })

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
    prepareEach(ids, (id): Promise<PreparedUpdate> => prepareUpdate(context, id, data, '/body/data')),
  async run(context, _, prepared) {
    const items = await commitEach(prepared, async (value) => {
      const { changed: isChanged, data } = await commitUpdate(context, value)
      return { id: data.pipeline.id, status: isChanged ? 'updated' : 'unchanged' }
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
    prepareEach(ids, (id): Promise<PipelineRow> => ownPipeline(context, id)),
  async run(context: WriteContext<'pipeline.delete'>, _, prepared) {
    const items = await commitEach(prepared, async (stored) => {
      const { id } = await commitDelete(context, stored)
      return { id, status: 'deleted' as const }
    })
    return outcomeOf(items, { deleted: countOf(items, 'deleted') })
  },
})
