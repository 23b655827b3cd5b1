/** The live pipelines as scans and re-checks read them (compliance decisions 18). */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, type Placeholder, type SQL } from 'drizzle-orm'
import { containsText, equals } from '../runtime/operation/filters.js'
import { nameKey } from '../runtime/operation/name.js'
import type { Entity, EntityFilter, EntitySource } from '../runtime/records/entity.js'
import { isLive } from '../runtime/records/tombstone.js'
import type { Db } from '../runtime/store/db.js'
import { prepared } from '../runtime/store/prepared.js'
import { pipelineAttributes } from './pipeline/record.js'
import { findPipeline } from './pipeline/rows.js'
import { type PipelineRow, pipelineTables } from './tables.js'

const entity = (row: PipelineRow): Entity => ({
  id: row.id,
  name: row.pipelineName,
  revision: row.revision,
  attributes: pipelineAttributes(row),
})

function whereOf(db: Db, orgId: string, filter: EntityFilter = {}): SQL | undefined {
  const { pipelines: t } = pipelineTables(db)
  const { entityIds, name, accessModifier, isDefault } = filter
  return and(
    eq(t.orgId, orgId),
    isLive(t),
    entityIds === undefined ? undefined : inArray(t.id, [...entityIds]),
    name === undefined ? undefined : containsText(t.pipelineName, name),
    equals(t.accessModifier, accessModifier),
    isDefault === undefined ? undefined : isDefault ? isNotNull(t.defaultKey) : isNull(t.defaultKey),
  )
}

/** Each check of a pipeline that is not stored yet asks. */
const newestOfName = prepared((db, value: (name: 'orgId' | 'name' | 'nameKey') => Placeholder) => {
  const { pipelines: t } = pipelineTables(db)
  return (
    db
      .select({ id: t.id })
      .from(t)
      // The name in lower case asks for nothing more, but its index has the order of creation.
      .where(
        and(eq(t.orgId, value('orgId')), isLive(t), eq(t.nameKey, value('nameKey')), eq(t.pipelineName, value('name'))),
      )
      .orderBy(desc(t.createdAtMs), desc(t.id))
      .limit(1)
  )
})

export const pipelineEntities: EntitySource = {
  target: 'pipeline',
  async read(db, orgId, id) {
    const row = await findPipeline(db, orgId, id)
    return row === null || row.deletedAtMs !== null ? null : entity(row)
  },
  async page(db, orgId, { afterId, limit, filter }) {
    const { pipelines: t } = pipelineTables(db)
    const rows = await db
      .select()
      .from(t)
      .where(and(whereOf(db, orgId, filter), gt(t.id, afterId)))
      .orderBy(asc(t.id))
      .limit(limit)
    return rows.map(entity)
  },
  count: (db, orgId, filter) => db.$count(pipelineTables(db).pipelines, whereOf(db, orgId, filter)),
  async idOfName(db, orgId, name) {
    const [row] = await newestOfName(db, { orgId, name, nameKey: nameKey(name) })
    return row?.id ?? null
  },
}
