/** What `GET /search` finds in this domain: the organization's own pipelines and templates, and shared ones. */
import { type FoundRecord, idIn, type SearchAsked, type SearchSource } from '../runtime/operation/search-source.js'
import { findShown, type ListPart, partsOf } from '../runtime/records/visible.js'
import type { Db } from '../runtime/store/db.js'
import { partOfQuery as pipelinesOf } from './pipeline/filter.js'
import { READ_PIPELINES } from './read-access.js'
import { pipelineTables } from './tables.js'
import { partOfQuery as templatesOf } from './template/filter.js'

export const PIPELINE_SEARCHES: readonly SearchSource[] = [
  { kind: 'pipeline', access: READ_PIPELINES, find: findPipelines },
  { kind: 'template', access: READ_PIPELINES, find: findTemplates },
]

/** The search has no filter by owner, so the caller's identity is not needed. */
const anybody = { principal: { kind: 'anonymous' } } as const

async function findPipelines(db: Db, { key, text, limit }: SearchAsked): Promise<FoundRecord[]> {
  const { pipelines: t } = pipelineTables(db)
  const parts: ListPart[] = []
  for (const query of askedFor(text, (name) => ({ pipelineName: `${name}~` }))) {
    for (const part of partsOf(key)) parts.push(await pipelinesOf(anybody, db, part, { ...query, isActive: 'all' }))
  }
  return findShown(db, { table: t, parts, id: t.id, name: t.pipelineName, detail: t.project, limit })
}

async function findTemplates(db: Db, { key, text, limit }: SearchAsked): Promise<FoundRecord[]> {
  const { pipelineTemplates: t } = pipelineTables(db)
  const parts: ListPart[] = []
  for (const query of askedFor(text, (name) => ({ name }))) {
    for (const part of partsOf(key))
      parts.push(await templatesOf({ ...anybody, db }, part, { ...query, isActive: 'all' }))
  }
  return findShown(db, { table: t, parts, id: t.id, name: t.name, detail: t.category, limit })
}

/** Searches by a part of the name, and by a whole id. */
function askedFor<Q>(text: string, byName: (name: string) => Q): readonly (Q | { id: string })[] {
  const id = idIn(text)
  return id === null ? [byName(text)] : [{ id }, byName(text)]
}
