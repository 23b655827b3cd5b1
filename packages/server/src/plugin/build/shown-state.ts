/**
 * The state of a build as users see it. A build that a builder could take now is `waiting`. A build whose back-off is
 * not over, or whose organization is at its limit of active builds, is `delayed`, whichever of the two its row stores.
 * Source: spec platform 11 (states).
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { ReadContext } from '../../runtime/operation/context.js'
import { pluginTables } from '../tables.js'

const PENDING = ['waiting', 'delayed']

/**
 * The state as a column of `build_jobs`. The inner count stops at the limit, along the index of the organization's
 * states.
 */
export function shownState({ nowMs, runtime }: Pick<ReadContext, 'nowMs' | 'runtime'>): SQL<string> {
  const perOrgMax = runtime.settings.PLUGIN_MAX_BUILDS_PER_ORG
  // Columns are written by name: in a list of columns the query builder omits the table, and the name would mean the
  // inner table.
  const active = sql`(SELECT count(*) FROM (SELECT 1 AS one FROM build_jobs AS running
    WHERE running.org_id = build_jobs.org_id AND running.state = 'active' LIMIT ${perOrgMax}) AS counted)`
  return sql<string>`CASE WHEN build_jobs.state NOT IN ('waiting', 'delayed') THEN build_jobs.state
    WHEN build_jobs.run_at_ms > ${nowMs} OR ${active} >= ${perOrgMax} THEN 'delayed' ELSE 'waiting' END`
}

/** Rows in this state, selected by the stored state first. */
export function isShownAs(context: Pick<ReadContext, 'db' | 'nowMs' | 'runtime'>, state: string): SQL | undefined {
  const { buildJobs: t } = pluginTables(context.db)
  return PENDING.includes(state) ? and(inArray(t.state, PENDING), eq(shownState(context), state)) : eq(t.state, state)
}
