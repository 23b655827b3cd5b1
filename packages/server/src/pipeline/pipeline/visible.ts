/**
 * Which pipelines and templates an organization sees: its own, the public ones of its parent, the public ones of the system
 * organization. Each part is asked by itself, so that each is read along an index in the order of the list, and the parts
 * are merged. Source: platform decisions 3.11.
 */
import { and, eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ReadContext } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { tenantKey } from './check.js'

/** The rows of one organization, as far as the caller sees them. */
export interface Part {
  readonly orgId: string
  /** Another organization's: only what it shares. */
  readonly isShared: boolean
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
}

export type Scope = 'own' | 'shared' | 'all'

/** Own rows first, then the parent's, then the system's. */
export function partsOf(context: ReadContext, scope: Scope = 'all'): Part[] {
  const { orgId, readableOrgIds } = tenantKey(context)
  const read: Part['read'] = (run) => run(context.db)
  const shared = readableOrgIds.filter((id) => id !== orgId).map((id) => ({ orgId: id, isShared: true, read }))
  return [...(scope === 'shared' ? [] : [{ orgId, isShared: false, read }]), ...(scope === 'own' ? [] : shared)]
}

/** The organization of the part, and that the row is shared where it is another's. */
export const inPart = (
  part: Part,
  table: { readonly orgId: SQLiteColumn; readonly accessModifier: SQLiteColumn },
): SQL | undefined => and(eq(table.orgId, part.orgId), part.isShared ? eq(table.accessModifier, 'public') : undefined)

export interface Placed<Row> {
  readonly value: string | number
  readonly id: string
  readonly row: Row
}

export interface MergePage {
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/**
 * A page over several ordered parts. Where only one part has rows the database itself skips to the offset; else each part
 * gives so many as could stand before the end of the page.
 */
export async function mergePages<Row>(
  parts: readonly ((limit: number, offset: number) => Promise<Placed<Row>[]>)[],
  { order, limit, offset }: MergePage,
): Promise<Row[]> {
  const [own, ...others] = parts
  if (own === undefined) return []
  const beside = (await Promise.all(others.map((fetch) => fetch(offset + limit, 0)))).filter(({ length }) => length > 0)
  if (beside.length === 0) return (await own(limit, offset)).map(({ row }) => row)
  const all = [...beside.flat(), ...(await own(offset + limit, 0))]
  all.sort(order === 'asc' ? before : (a, b) => before(b, a))
  return all.slice(offset, offset + limit).map(({ row }) => row)
}

const before = <Row>(a: Placed<Row>, b: Placed<Row>): number => compare(a.value, b.value) || compare(a.id, b.id)

/** As both databases compare: texts byte by byte. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}
