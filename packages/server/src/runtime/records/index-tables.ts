/**
 * Index tables: rows in separate tables by which records are found, such as labels, keywords, and referenced plugins.
 *
 * Each row repeats the columns by which a list is read. So its index gives the page in the order of the default list,
 * and the count, without reading the records (ADR 53). The domain writes the rows again with every change of their
 * record.
 */
import { and, eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../store/db.js'
import { type Narrowing, narrowBy, narrowed, residual } from '../store/index-table-filters.js'
import type { Kit } from '../store/kit.js'
import { inPart, type ListPart, type Part } from './visible.js'

/** List the table as a tenant's, shared when `is_shared`. */
export const besideColumns = (k: Kit) => ({
  orgId: k.text('org_id').notNull(),
  /** Other organizations may read the record. */
  isShared: k.bool('is_shared').notNull(),
  isActive: k.bool('is_active').notNull(),
  createdAtMs: k.epochMs('created_at_ms').notNull(),
})

type BesideColumns = Record<keyof ReturnType<typeof besideColumns>, SQLiteColumn>

/**
 * The columns that follow the value in an index: the order of the list, then the columns that are compared in each row.
 */
export const inListOrder = (t: BesideColumns, entityId: SQLiteColumn) =>
  [t.createdAtMs, entityId, t.isActive, t.isShared] as const

interface Shown {
  readonly orgId: string
  readonly accessModifier: string
  readonly isActive: boolean
  readonly createdAtMs: number
}

/** The columns of a record's index rows, whatever the value is. */
export const besideOf = ({ orgId, accessModifier, isActive, createdAtMs }: Shown) => ({
  orgId,
  isShared: accessModifier === 'public',
  isActive,
  createdAtMs,
})

/** A value that the listed records must have. */
export interface Wanted {
  readonly table: SQLiteTable & BesideColumns
  /** The column that names the record. */
  readonly entityId: SQLiteColumn
  readonly is: SQL | undefined
}

type Records = SQLiteTable & Record<'id' | 'orgId' | 'accessModifier' | 'isActive', SQLiteColumn>

export interface Question {
  readonly part: Part
  readonly table: Records
  /** The condition that a record is not deleted; undefined when deleted records are listed too. */
  readonly live: SQL | undefined
  readonly isActive: boolean | 'all'
  /**
   * Conditions on the record's own columns, each with an index. The first one is used to read, so put the most
   * selective first.
   */
  readonly leading: readonly (SQL | undefined)[]
  /** Conditions that are compared with each row. */
  readonly compared: readonly (SQL | undefined)[]
  readonly wanted: readonly Wanted[]
  readonly texts: readonly Narrowing[]
  /** True when the list is in the order of creation. */
  readonly isByCreation: boolean
}

const given = (conditions: readonly (SQL | undefined)[]): SQL[] =>
  conditions.filter((each): each is SQL => each !== undefined)

/** Returns the conditions of one part of a list, and the index table along which it is read, if there is one. */
export async function listPart(db: Db, question: Question): Promise<ListPart> {
  const { part, table, live, isActive, wanted, texts, isByCreation } = question
  const [first, ...more] = wanted
  const own = [...given(question.leading), ...given(question.compared)]
  if (isByCreation && first !== undefined && more.length === 0 && texts.length === 0) {
    const { table: beside, entityId, is } = first
    const where = and(
      eq(beside.orgId, part.orgId),
      is,
      isActive === 'all' ? undefined : eq(beside.isActive, isActive),
      part.isShared ? eq(beside.isShared, true) : undefined,
    )
    return {
      where: and(inPart(part, table), ...own),
      lead: { table: beside, where, id: entityId, sortedBy: beside.createdAtMs, isAlone: own.length === 0 },
    }
  }
  const [lead, ...rest] = [...given(question.leading), ...(isActive === false ? [eq(table.isActive, false)] : [])]
  const compared = [...rest, ...given(question.compared), ...(isActive === true ? [eq(table.isActive, true)] : [])]
  // guard: the-list-of-plugins
  const conditions = and(inPart(part, table), live, lead, ...compared.map((each) => residual(db, each)))
  const narrowings = [...texts]
  for (const { table: beside, entityId, is } of wanted) {
    const where = and(eq(beside.orgId, part.orgId), is)
    narrowings.push(await narrowBy(db, { table: beside, where, entityId, id: table.id }))
  }
  const where = narrowed(db, conditions, narrowings)
  const led = narrowings.find(({ matches }) => matches !== undefined)
  if (led?.matches === undefined || narrowings.some(({ isFew }) => isFew)) return { where }
  const others = narrowings.filter((each) => each !== led)
  const among = { matches: led.matches, where: narrowed(db, conditions, others) }
  const isAlone = isByCreation && own.length === 0 && others.length === 0
  if (led.ranked === undefined || !isAlone) return { where, among }
  const { ranked } = led
  const matching = and(
    ranked.where,
    isActive === 'all' ? undefined : eq(ranked.isActive, isActive),
    // guard: what-is-shared-is-what-is-public-deep-in-a-list-of-many-matches-too
    part.isShared ? eq(ranked.isShared, true) : undefined,
  )
  return { where, among, ranked: { ...ranked, where: matching } }
}
