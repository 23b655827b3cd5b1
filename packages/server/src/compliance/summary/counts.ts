/** Counts of the check log by day and by rule. The database adds them up, so few rows are read however many it has. */
import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables } from '../tables.js'

interface Period {
  readonly orgId: string
  /** Midnight in UTC, as the next. */
  readonly fromMs: number
  readonly untilMs: number
}

function countedIn(db: Db, { orgId, fromMs, untilMs }: Period, kinds: readonly string[]) {
  const { checkDays: t } = complianceTables(db)
  return and(
    // guard: the-counts-of-the-own-organization
    eq(t.orgId, orgId),
    gte(t.dayMs, fromMs),
    lt(t.dayMs, untilMs),
    inArray(t.kind, [...kinds]),
  )
}

/** For each day its checks by result and by severity. */
export async function countsByDay(db: Db, period: Period) {
  const { checkDays: t } = complianceTables(db)
  return db
    .select({ dayMs: t.dayMs, kind: t.kind, name: t.name, checks: sql`sum(${t.checks})`.mapWith(Number) })
    .from(t)
    .where(countedIn(db, period, ['result', 'severity']))
    .groupBy(t.dayMs, t.kind, t.name)
}

/** The rules that most checks violated, with the name of the last day. */
export async function countsByRule(db: Db, period: Period, limit: number) {
  const { checkDays: t } = complianceTables(db)
  const checks = sql`sum(${t.checks})`.mapWith(Number)
  // The days of a period have the same number of digits, so the greatest text is that of the last day.
  const lastName = sql<string>`max(CAST(${t.dayMs} AS text) || ' ' || coalesce(${t.label}, ${t.name}))`
  const rows = await db
    .select({ ruleId: t.name, lastName, checks })
    .from(t)
    .where(countedIn(db, period, ['rule']))
    .groupBy(t.name)
    .orderBy(desc(checks), asc(t.name))
    .limit(limit)
  return rows.map(({ ruleId, lastName, checks }) => ({
    ruleId,
    ruleName: lastName.slice(lastName.indexOf(' ') + 1),
    checks,
  }))
}
