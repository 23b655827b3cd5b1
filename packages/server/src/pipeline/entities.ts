/** The live pipelines for scans and re-checks (spec compliance 18). */
import { looseName } from '@plumbline/engine'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { type Entity, type EntityFilter, type EntitySource, wantedOf } from '../runtime/inventory.js'
import { containsName, equals } from '../runtime/operation/filters.js'
import { isLive } from '../runtime/records/soft-delete.js'
import type { Db } from '../runtime/store/db.js'
import { pipelineAttributes } from './pipeline/record.js'
import { findByKey, storedPipeline } from './pipeline/rows.js'
import { type PipelineRow, pipelineTables } from './tables.js'

const entity = (row: PipelineRow): Entity => ({
  id: row.id,
  name: row.pipelineName,
  revision: row.revision,
  attributes: pipelineAttributes(row),
})

/** The key in the form that the table stores. */
const storedKey = ({ project, organization }: { readonly project: string; readonly organization: string }) => ({
  projectKey: looseName(project),
  organizationKey: looseName(organization),
})

function whereOf(db: Db, orgId: string, filter: EntityFilter = {}): SQL | undefined {
  const { pipelines: t } = pipelineTables(db)
  const { entityIds, name, accessModifier, isDefault } = filter
  return and(
    eq(t.orgId, orgId),
    isLive(t),
    entityIds === undefined ? undefined : inArray(t.id, [...entityIds]),
    name === undefined ? undefined : containsName(t.nameKey, name),
    equals(t.accessModifier, accessModifier),
    isDefault === undefined ? undefined : isDefault ? isNotNull(t.defaultKey) : isNull(t.defaultKey),
  )
}

export const pipelineEntities: EntitySource = {
  target: 'pipeline',
  async read(db, orgId, id) {
    const row = await storedPipeline(db, orgId, id)
    return row === null || row.deletedAtMs !== null ? null : entity(row)
  },
  async page(db, orgId, { afterId, limit, filter, offset = 0, order = 'asc' }) {
    const { pipelines: t } = pipelineTables(db)
    const rows = await db
      .select()
      .from(t)
      .where(and(whereOf(db, orgId, filter), gt(t.id, afterId)))
      .orderBy(order === 'asc' ? asc(t.id) : desc(t.id))
      .limit(limit)
      .offset(offset)
    return rows.map(entity)
  },
  count: (db, orgId, filter) => db.$count(pipelineTables(db).pipelines, whereOf(db, orgId, filter)),
  async idOfKey(db, orgId, key) {
    if (!('project' in key)) return null
    const row = await findByKey(db, orgId, storedKey(key))
    return row === null || row.deletedAtMs !== null ? null : row.id
  },
  async find(db, orgId, { ids, keys }) {
    const { pipelines: t } = pipelineTables(db)
    const projects = keys.flatMap((key) => ('project' in key ? [storedKey(key).projectKey] : []))
    if (ids.length + projects.length === 0) return []
    const rows = await db
      .select({ id: t.id, name: t.pipelineName, project: t.project, organization: t.organization })
      .from(t)
      .where(and(eq(t.orgId, orgId), isLive(t), or(inArray(t.id, [...ids]), inArray(t.projectKey, projects))))
    return wantedOf(
      rows.map(({ id, name, project, organization }) => ({ id, name, key: { project, organization } })),
      { ids, keys },
    )
  },
}
