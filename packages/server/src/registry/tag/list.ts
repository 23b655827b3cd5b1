/** `GET /images/{name}/tags`. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { NAME_IN_PATH } from '../path.js'
import { registryTables } from '../tables.js'
import { ALL_IMAGES, isSeen, READ_IMAGES, seenRepository } from '../visible.js'

const list = listOf({
  key: 'tags',
  item: strictObject({
    tag: Type.String(),
    digest: Type.String(),
    bytes: Type.Integer({ description: 'Of everything that a pull fetches' }),
    createdAt: Instant,
  }),
  sortBy: ['tag', 'createdAt'],
  sortOrder: 'asc',
})

export const listTags = query({
  name: 'registry.tag.list',
  summary: 'List the tags of a repository',
  http: { method: 'get', path: '/images/:name/tags' },
  access: READ_IMAGES,
  tenant: fromHeader,
  acrossForSystemAdmins: ALL_IMAGES,
  input: { path: Type.Object({ name: NAME_IN_PATH }), query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'REGISTRY_NOT_CONFIGURED'],
  async run(context, { path: { name }, query: asked }) {
    seenRepository(context, name)
    const { db } = context
    const { registryRepositories: r, registryTags: t } = registryTables(db)
    const [found] = await db
      .select({ name: r.name })
      .from(r)
      .where(and(eq(r.name, name), isSeen(context, r)))
    if (found === undefined) throw notFound('Repository')
    return list.page(db, {
      table: t,
      where: and(eq(t.repository, name), isSeen(context, t)),
      columns: { tag: t.tag, createdAt: t.createdAtMs },
      id: t.tag,
      query: asked,
      present: ({ tag, digest, bytes, createdAtMs }) => ({ tag, digest, bytes, createdAt: toIso(createdAtMs) }),
    })
  },
})
