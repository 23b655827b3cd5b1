/**
 * An organization leaves whole: the purges of the domains leave no row of it in any table, except where the row is kept
 * for a stated reason. A new table is covered without a new test.
 */
import { type Column, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { DOMAINS } from '../src/domains.js'
import { heldClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import type { Tx } from '../src/runtime/store/db.js'
import type { Tenancy } from '../src/runtime/store/table-set.js'
import { TABLE_SETS } from '../src/schema.js'
import { sqliteStore } from './support/stores.js'

const ORG = '00000000-0000-7000-8000-00000000aaaa'
const NOW_MS = Date.UTC(2026, 0, 1)

/** Tables whose rows stay when their organization is purged. */
const EVIDENCE = 'evidence outlives its organization; retention deletes it'
const STAYS: Readonly<Record<string, string>> = {
  idempotency_keys: 'a sweep deletes them after a day',
  jobs: 'a worker runs them, and a sweep deletes them',
  audit_outbox: EVIDENCE,
  organizations: 'the job of the purge deletes it, after every domain',
  audit_events: EVIDENCE,
  audit_heads: EVIDENCE,
  audit_checkpoints: EVIDENCE,
  audit_anchors: EVIDENCE,
}

interface Table {
  readonly name: string
  readonly table: SQLiteTable
  readonly column: string
}

const tables: readonly Table[] = TABLE_SETS.flatMap((set) =>
  Object.entries(set.tenancy as Record<string, Tenancy>).flatMap(([key, tenancy]) =>
    tenancy.kind === 'tenant'
      ? [
          {
            name: getTableName(set.sqlite[key] as never),
            table: set.sqlite[key] as SQLiteTable,
            column: tenancy.column,
          },
        ]
      : [],
  ),
)

/** A row of the organization with the columns that a row must have. */
const rowOf = ({ table, column }: Table): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table as unknown as Record<string, Column>).flatMap(([key, each]) =>
      each.name === column || (each.notNull && !each.hasDefault) ? [[key, cellOf(each, column)]] : [],
    ),
  )

/** One text for every column, so that rows of parts name the row that they belong to. */
function cellOf({ name, dataType }: Column, orgColumn: string): unknown {
  if (name === orgColumn) return ORG
  if (dataType === 'boolean') return false
  if (dataType === 'number') return 1
  return dataType === 'json' ? {} : 'the one'
}

const rowsOf = async (tx: Tx, { table, column }: Table): Promise<number> =>
  (
    await tx
      .select({ one: sql`1` })
      .from(table)
      .where(sql`${sql.identifier(column)} = ${ORG}`)
  ).length

it('a purge deletes its row of every table', async () => {
  const store = await sqliteStore()
  try {
    await store.system.write(async (tx) => {
      for (const each of tables) await tx.insert(each.table).values(rowOf(each))
    })
    for (const { registration } of DOMAINS) {
      for (let gone = 1; gone > 0; ) {
        gone = await store.system.write((tx) => registration.purge(tx, ORG, 500, NOW_MS, async () => undefined))
      }
    }
    const left = await store.system.write(async (tx) => {
      const found: string[] = []
      for (const each of tables) if ((await rowsOf(tx, each)) > 0) found.push(each.name)
      return found
    })
    expect(
      left.filter((name) => !Object.hasOwn(STAYS, name)),
      'delete them in `purge` of registration.ts',
    ).toEqual([])
    expect(
      Object.keys(STAYS).filter((name) => !left.includes(name)),
      'is purged: take it out of STAYS',
    ).toEqual([])
  } finally {
    await store.close()
  }
})

it('an erased person owns no record', async () => {
  const store = await sqliteStore()
  const owned = tables.filter(({ table }) => 'ownerId' in table && 'ownerType' in table)
  try {
    await store.system.write(async (tx) => {
      for (const each of owned)
        await tx.insert(each.table).values({ ...rowOf(each), ownerId: 'one', ownerType: 'user' })
    })
    const tools = { clock: heldClock(NOW_MS), ids: createIds(heldClock(NOW_MS)), store }
    for (const { registration } of DOMAINS) await store.system.write((tx) => registration.erase(tx, 'one', tools))
    const left = await store.system.write(async (tx) => {
      const found: string[] = []
      for (const { name, table } of owned)
        if ((await tx.select({ one: sql`1` }).from(table).where(sql`owner_id = 'one'`)).length > 0) found.push(name)
      return found
    })
    expect(owned.length).toBeGreaterThan(2)
    expect(left, 'take the owner out in `erase` of registration.ts').toEqual([])
  } finally {
    await store.close()
  }
})
