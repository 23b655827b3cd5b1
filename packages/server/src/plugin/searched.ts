/** What `GET /search` finds in this domain: the organization's own plugins, and shared ones. */
import { type FoundRecord, idIn, type SearchAsked, type SearchSource } from '../runtime/operation/search-source.js'
import { findShown, type ListPart, partsOf } from '../runtime/records/visible.js'
import type { Db } from '../runtime/store/db.js'
import { partOfQuery } from './plugin/filter.js'
import { READ_PLUGINS } from './read-access.js'
import { pluginTables } from './tables.js'

async function findPlugins(db: Db, { key, text, limit }: SearchAsked): Promise<FoundRecord[]> {
  const { plugins: t } = pluginTables(db)
  const id = idIn(text)
  const parts: ListPart[] = []
  // The search has no filter by owner, so the caller's identity is not needed.
  const context = { db, principal: { kind: 'anonymous' } } as const
  for (const query of [...(id === null ? [] : [{ id }]), { name: text }]) {
    for (const part of partsOf(key)) parts.push(await partOfQuery(context, part, { ...query, isActive: 'all' }))
  }
  return findShown(db, { table: t, parts, id: t.id, name: t.name, detail: t.version, limit })
}

export const PLUGIN_SEARCHES: readonly SearchSource[] = [{ kind: 'plugin', access: READ_PLUGINS, find: findPlugins }]
