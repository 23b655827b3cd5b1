/**
 * Labels beside their records, so that `?label.tier=gold` finds records by an index. Values are compared as texts: `3` and
 * `true` find the number and the boolean too. Source: platform decisions 7 and 21; rulings, Store (Search).
 */
import { and, eq, inArray } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../store/db.js'
import type { Kit } from '../store/kit.js'
import { type Narrowing, narrowBy } from '../store/narrow.js'
import { LABEL_KEY, type Labels } from './catalog.js'

/** The labels of one kind of record; its domain lists it as a tenant's table, shared when `is_shared`. */
export const labelTable = (k: Kit, name: string) =>
  k.table(
    name,
    {
      entityId: k.text('entity_id').notNull(),
      orgId: k.text('org_id').notNull(),
      /** Other organizations may read the record. */
      isShared: k.bool('is_shared').notNull(),
      key: k.text('key').notNull(),
      value: k.text('value').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.orgId, t.entityId, t.key] }),
      k.index(`${name}_value`).on(t.orgId, t.key, t.value, t.entityId),
    ],
  )

export type LabelTable = ReturnType<typeof labelTable>

export interface LabelsOf {
  readonly orgId: string
  readonly entityId: string
  readonly labels: Labels
  /** False unless said. */
  readonly isShared?: boolean
}

/** Sets the labels of a record to exactly these. */
export async function putLabels(
  tx: Tx,
  table: LabelTable,
  { orgId, entityId, labels, isShared = false }: LabelsOf,
): Promise<void> {
  await dropLabels(tx, table, orgId, [entityId])
  const rows = Object.entries(labels).map(([key, value]) => ({ entityId, orgId, isShared, key, value: String(value) }))
  if (rows.length > 0) await tx.insert(table).values(rows)
}

export async function dropLabels(
  tx: Tx,
  table: LabelTable,
  orgId: string,
  entityIds: readonly string[],
): Promise<void> {
  await tx.delete(table).where(and(eq(table.orgId, orgId), inArray(table.entityId, [...entityIds])))
}

const PREFIX = 'label.'

/** The filters of a list by label: names of the query that a pattern takes, as `patterns` of `listOf`. */
export const LABEL_FILTERS = {
  [LABEL_KEY.replace('^', '^label\\.')]: {
    type: 'string',
    maxLength: 255,
    description: 'Has the label with this value',
  },
}

/** The labels that a query asks for. */
export const labelsIn = (query: Readonly<Record<string, unknown>>): [key: string, value: string][] =>
  Object.entries(query)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value]) => [name.slice(PREFIX.length), String(value)])

/** Records of the organization with the label, as a condition on their `id`. */
export const matchLabel = (
  db: Db,
  table: LabelTable,
  id: SQLiteColumn,
  { orgId, key, value }: { orgId: string; key: string; value: string },
): Promise<Narrowing> =>
  narrowBy(db, {
    table,
    where: and(eq(table.orgId, orgId), eq(table.key, key), eq(table.value, value)),
    entityId: table.entityId,
    id,
  })
