/**
 * Many pipelines in one request. Each item runs like the single operation and has its own result; a refused item does
 * not affect the others. If an item has no result because the rules or the quotas do not answer, the whole request is
 * refused and nothing is stored, so that the caller can repeat it unchanged. Source: spec platform 8.3; spec platform
 * 8.1.
 */
import Type, { type TInteger } from 'typebox'
import type { Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, type Outcome, unchanged } from '../../runtime/operation/context.js'
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
import { ViolationSchema, type Warning, WarningSchema } from './check.js'

export const ITEMS_MAX = 100

/** Verdicts that are requested concurrently. */
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

export const counted = <const K extends string>(...names: K[]) => ({
  ...(Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })])) as unknown as Record<K, TInteger>),
  failed: Type.Integer({ minimum: 0 }),
  items: Type.Array(Item),
})

type Prepared<P> = { readonly value: P } | { readonly refusal: Refusal }

/** Prepares the items a few at a time; a refusal becomes the result of its item. */
export async function prepareEach<T, P>(items: readonly T[], prepare: (item: T, index: number) => Promise<P>) {
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

/** Writes the items one after another. An item is refused before any of it was written. */
export async function commitEach<P>(
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

export function outcomeOf<T extends object>(
  items: ItemResult[],
  counts: T,
): Outcome<T & { failed: number; items: ItemResult[] }> {
  const data = { ...counts, failed: countOf(items, 'failed'), items }
  const isChanged = items.some(({ status }) => status !== 'failed' && status !== 'unchanged')
  return isChanged ? changed(data) : unchanged(data)
}

export const countOf = (items: readonly ItemResult[], status: ItemResult['status']): number =>
  items.filter((item) => item.status === status).length

/** A second item of the same name would be checked without the first one. */
export const REPEATED = 'another item of this request changes the same pipeline'

export const access = withFeature('bulk_operations', permission('pipelines:write'))

export const Ids = bulkList(Uuid, ITEMS_MAX)

export const prepareIds = <P>(ids: readonly unknown[], prepare: (id: string) => Promise<P>) => {
  const keys = ids.map((id) => (typeof id === 'string' ? id : null))
  return prepareEach(ids, async (item, index) => {
    const id = bulkItem(Uuid, item, `/body/ids/${index}`)
    refuseRepeated(keys, index, REPEATED, 'ids')
    return prepare(id)
  })
}
