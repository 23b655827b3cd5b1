/** Reads a list page by page: by the cursor if the server gives one, otherwise by the offset. */
import type { Session } from '../remote/session.js'
import type { JsonObject } from './resource.js'

export const PAGE_MAX = 1000

export interface PageInfo {
  readonly total: number
  readonly hasMore: boolean
  readonly nextCursor?: string
  readonly limit: number
  readonly offset: number
}

export interface Page {
  readonly records: readonly JsonObject[]
  readonly pagination: PageInfo
}

type Query = Readonly<Record<string, string>>

export async function fetchPage(session: Session, path: string, key: string, query: Query): Promise<Page> {
  const { data } = await session.send<JsonObject>({ method: 'GET', path, query })
  return { records: data[key] as JsonObject[], pagination: data.pagination as PageInfo }
}

export async function* everyRecord(session: Session, path: string, key: string, query: Query) {
  let place: Query = {}
  for (;;) {
    const page = await fetchPage(session, path, key, { ...query, ...place, limit: String(PAGE_MAX) })
    yield* page.records
    const { hasMore, nextCursor, offset } = page.pagination
    // An empty page that promises more would be requested forever.
    if (!hasMore || page.records.length === 0) return
    place = nextCursor === undefined ? { offset: String(offset + page.records.length) } : { cursor: nextCursor }
  }
}
