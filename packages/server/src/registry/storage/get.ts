/** `GET /admin/storage/{prefix}`: the storage that repositories use, from their last reading. */
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { registryTables } from '../tables.js'
import { ALL_IMAGES, isSeen, READ_IMAGES, requireRegistry } from '../visible.js'

const SHOWN_MAX = 1000
export const PREFIX = /^(?:org-[0-9a-f-]{1,36}(?:\/[a-z0-9._/-]*)?|system(?:\/[a-z0-9._/-]*)?)$/

/** @throws Refusal 400 */
export function checkedPrefix(prefix: string, path: string): string {
  if (prefix.length <= 255 && PREFIX.test(prefix)) return prefix
  throw invalidField(path, 'must begin with org-<id> or system', 'prefix')
}

/** The range of names with this prefix in byte order, so that an index can answer it. */
export const below = (prefix: string): readonly [string, string] => [prefix, `${prefix}\u{10ffff}`]

export const getStorage = query({
  name: 'registry.storage.get',
  summary: 'Get the storage that images use',
  description:
    'Of the repositories that the organization sees and whose names begin with this. Bytes of an organization count each blob once, even when several images use it.',
  http: { method: 'get', path: '/admin/storage/:prefix' },
  access: READ_IMAGES,
  tenant: fromHeader,
  acrossForSystemAdmins: ALL_IMAGES,
  input: {
    path: Type.Object({
      prefix: Type.String({ maxLength: 255, description: 'With `%2F` for each slash', examples: ['system/'] }),
    }),
  },
  output: strictObject({
    prefix: Type.String(),
    bytes: Type.Integer({ description: 'Each blob counted once' }),
    repositories: Type.Array(
      strictObject({ name: Type.String(), images: Type.Integer(), tags: Type.Integer(), bytes: Type.Integer() }),
      { description: `By name; at most ${SHOWN_MAX}` },
    ),
  }),
  errors: ['VALIDATION_ERROR', 'REGISTRY_NOT_CONFIGURED'],
  async run(context, { path: { prefix: asked } }) {
    const { db } = context
    requireRegistry(context.runtime)
    const prefix = checkedPrefix(asked, '/path/prefix')
    const [from, until] = below(prefix)
    const { registryRepositories: r, registryBlobs: b } = registryTables(db)
    const repositories = await db
      .select({ name: r.name, images: r.images, tags: r.tags, bytes: r.bytes })
      .from(r)
      .where(and(isSeen(context, r), gte(r.name, from), lt(r.name, until)))
      .orderBy(asc(r.name))
      .limit(SHOWN_MAX)
    const distinct = db
      .selectDistinct({ digest: b.digest, bytes: b.bytes })
      .from(b)
      .innerJoin(r, eq(r.name, b.repository))
      .where(and(isSeen(context, r), gte(b.repository, from), lt(b.repository, until)))
      .as('blobs_once')
    const [sum] = await db.select({ bytes: sql`coalesce(sum(${distinct.bytes}), 0)`.mapWith(Number) }).from(distinct)
    return { prefix, bytes: sum?.bytes ?? 0, repositories }
  },
})
