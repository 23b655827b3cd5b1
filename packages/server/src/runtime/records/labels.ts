/**
 * The index table of labels, so that `?label.tier=gold` finds records by an index. Values are compared as texts: `3`
 * and `true` find the number and the boolean too. Source: spec platform 7 and 21; spec platform 25.4.
 */
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../store/db.js'
import type { Kit } from '../store/kit.js'
import { insertRows } from '../store/prepared.js'
import { LABEL_KEY, type Labels } from './catalog.js'
import { besideColumns, besideOf, inListOrder, type Wanted } from './index-tables.js'

/** The labels of one kind of record. */
export const labelTable = (k: Kit, name: string) =>
  k.table(
    name,
    {
      entityId: k.text('entity_id').notNull(),
      ...besideColumns(k),
      key: k.text('key').notNull(),
      value: k.text('value').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.orgId, t.entityId, t.key] }),
      k.index(`${name}_value`).on(t.orgId, t.key, t.value, ...inListOrder(t, t.entityId)),
    ],
  )

export type LabelTable = ReturnType<typeof labelTable>

/** Stores the labels of a record that has no stored labels. */
export async function putLabels(
  tx: Tx,
  table: LabelTable,
  row: Parameters<typeof besideOf>[0] & { readonly id: string; readonly labels: Labels },
): Promise<void> {
  const own = { entityId: row.id, ...besideOf(row) }
  const rows = Object.entries(row.labels).map(([key, value]) => ({ ...own, key, value: String(value) }))
  await insertRows(tx, table, rows)
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

/** The filters of a list by label: names that match a pattern, for `patterns` of `listOf`. */
export const LABEL_FILTERS = {
  [LABEL_KEY.replace('^', '^label\\.')]: {
    type: 'string',
    maxLength: 255,
    description: 'Has the label with this value',
  },
}

/** The labels that a query asks for, in the form by which a list is read. */
export const wantedLabels = (table: LabelTable, query: Readonly<Record<string, unknown>>): Wanted[] =>
  Object.entries(query)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value]) => ({
      table,
      entityId: table.entityId,
      is: and(eq(table.key, name.slice(PREFIX.length)), eq(table.value, String(value))),
    }))
