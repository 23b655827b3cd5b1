/** `GET /images`: the repositories that the caller may see, from the last reading of the registry. */
import { and, gt } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { registryTables } from '../tables.js'
import { ALL_IMAGES, isSeen, READ_IMAGES, requireRegistry } from '../visible.js'

const Listed = strictObject({
  repository: Type.String(),
  orgId: Uuid,
  images: Type.Integer({ description: 'With a tag and without' }),
  tags: Type.Integer(),
  bytes: Type.Integer({ description: 'Each blob once' }),
  createdAt: Instant,
  updatedAt: Instant,
})

const list = listOf({
  key: 'repositories',
  item: Listed,
  filters: {
    last: Type.Optional(Type.String({ maxLength: 255, description: 'Names after this one' })),
    nonEmpty: Type.Optional(Type.Boolean({ description: 'With at least one tag' })),
  },
  sortBy: ['repository', 'createdAt'],
  sortOrder: 'asc',
})

export const listImages = query({
  name: 'registry.image.list',
  summary: 'List repositories of images',
  description:
    'Those of the organization and of the system organization. A pushed image is listed once the server has read it from the registry.',
  http: { method: 'get', path: '/images' },
  access: READ_IMAGES,
  tenant: fromHeader,
  acrossForSystemAdmins: ALL_IMAGES,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR', 'REGISTRY_NOT_CONFIGURED'],
  async run(context, { query: asked }) {
    requireRegistry(context.runtime)
    const { db } = context
    const { registryRepositories: t } = registryTables(db)
    const { last, nonEmpty } = asked as { last?: string; nonEmpty?: boolean }
    const where = and(
      isSeen(context, t),
      last === undefined ? undefined : gt(t.name, last),
      nonEmpty === true ? gt(t.tags, 0) : undefined,
    )
    return list.page(db, {
      table: t,
      where,
      columns: { repository: t.name, createdAt: t.createdAtMs },
      id: t.name,
      query: asked,
      present: ({ name, orgId, images, tags, bytes, createdAtMs, updatedAtMs }) => ({
        ...{ repository: name, orgId, images, tags, bytes },
        createdAt: toIso(createdAtMs),
        updatedAt: toIso(updatedAtMs),
      }),
    })
  },
})
