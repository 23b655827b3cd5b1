/** Counts checks by day, in the transaction that writes them, so that a trend is read without the log. */
import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Tx } from '../../runtime/store/db.js'
import { type OnConflict, upsertRows } from '../../runtime/store/prepared.js'
import { type CheckRow, complianceTables } from '../tables.js'

/** Each daily count is split over this many rows, so that concurrent checks rarely wait for the same row lock. */
const SHARES = 8

interface Counted {
  readonly ruleId: string
  readonly ruleName: string
  readonly severity: string
}

type DayRow = ReturnType<typeof complianceTables>['checkDays']['$inferSelect']

export async function countChecks(tx: Tx, rows: readonly CheckRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const share = shareOf(first.id)
  const counts = new Map<string, DayRow>()
  for (const row of rows) {
    const dayMs = Math.floor(row.createdAtMs / DAY_MS) * DAY_MS
    const add = (kind: string, name: string, label: string | null): void => {
      const id = `${row.orgId} ${dayMs} ${share} ${kind} ${name}`
      const checks = (counts.get(id)?.checks ?? 0) + 1
      counts.set(id, { id, orgId: row.orgId, dayMs, kind, name, label, checks })
    }
    const violations = row.violations as readonly Counted[]
    add('result', row.result, null)
    for (const severity of new Set(violations.map((each) => each.severity))) add('severity', severity, null)
    for (const [id, label] of new Map(violations.map((each) => [each.ruleId, each.ruleName]))) add('rule', id, label)
  }
  const { checkDays: t } = complianceTables(tx)
  // Every transaction locks the rows in the same order, so that two of them never deadlock.
  const rowsInOrder = [...counts.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  await upsertRows(tx, t, rowsInOrder, [t.id], ADDED)
}

const ADDED: OnConflict<ReturnType<typeof complianceTables>['checkDays']> = {
  set: (t) => ({ checks: sql`${t.checks} + excluded.checks`, label: sql`excluded.label` }),
}

const shareOf = (id: string): number => (id.charCodeAt(id.length - 1) + id.charCodeAt(id.length - 2)) % SHARES
