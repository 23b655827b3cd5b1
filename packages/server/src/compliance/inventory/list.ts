/**
 * `GET /compliance/inventory`: the stored records with their attributes exactly as rules read them, so that a client
 * can evaluate them without the server.
 */
import { effectiveAttributes } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import type { Entity, EntitySource } from '../../runtime/inventory.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { LIMIT_DEFAULT, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { Target } from '../rule/schema.js'

const MiB = 1024 ** 2
/** Of one page, in bytes: attributes may be as long as their limits allow. */
const BYTES_MAX = 8 * MiB
const READ_AT_ONCE = 100

const InventoryEntity = strictObject({
  id: Uuid,
  name: Type.String(),
  target: Target,
  revision: Type.Integer(),
  attributes: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The attributes that `field` of a rule reads',
  }),
})

const Filters = strictObject({
  target: Target,
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name' })),
})

const list = listOf({
  key: 'entities',
  item: InventoryEntity,
  sortBy: ['id'],
  sortOrder: 'asc',
  filters: Filters.properties,
})

interface Wanted {
  readonly orgId: string
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
  readonly filter: { readonly name?: string }
}

export const listInventory = query({
  name: 'compliance.inventory.list',
  summary: 'List the stored records with the attributes that rules read',
  description:
    'Plugins or pipelines of the organization, by id, each as a scan gives it to the rules: a verdict on them is the verdict of the server. A page ends early, with `hasMore`, when its attributes are long; continue with `offset` plus the number of entities.',
  http: { method: 'get', path: '/compliance/inventory' },
  access: permission('compliance:read', 'plugins:read', 'pipelines:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, runtime, ...context }, { query: asked }) {
    const wanted = asked as unknown as Static<typeof Filters> & PageQuery
    const { target, name, limit = LIMIT_DEFAULT, offset = 0, sortOrder: order = 'asc' } = wanted
    const orgId = tenantId({ ...context, runtime })
    const source = runtime.entities?.find((each) => each.target === target)
    const filter = name === undefined ? {} : { name }
    const total = source === undefined ? 0 : await source.count(db, orgId, filter)
    const found = source === undefined ? [] : await readPage(db, source, { orgId, limit, offset, order, filter })
    const entities = found.map((entity) => ({ ...entity, target }))
    return { entities, pagination: { total, limit, offset, hasMore: offset + entities.length < total } }
  },
})

async function readPage(db: Db, source: EntitySource, { orgId, limit, offset, order, filter }: Wanted) {
  const shown: Entity[] = []
  let bytes = 0
  while (shown.length < limit) {
    const wanted = Math.min(READ_AT_ONCE, limit - shown.length)
    const more = await source.page(db, orgId, {
      afterId: '',
      limit: wanted,
      offset: offset + shown.length,
      order,
      filter,
    })
    for (const entity of more) {
      const { attributes } = effectiveAttributes(source.target, entity.attributes)
      bytes += JSON.stringify(attributes).length
      // guard: a-page-of-the-inventory-ends
      if (bytes > BYTES_MAX && shown.length > 0) return shown
      shown.push({ ...entity, attributes })
    }
    if (more.length < wanted) return shown
  }
  return shown
}
