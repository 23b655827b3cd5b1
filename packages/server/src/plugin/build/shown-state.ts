/**
 * The state of a build as people see it. `waiting` is one that a builder could take now; one whose back-off is not over, or
 * whose organization has as many active builds as it may, is `delayed`, whatever its row was left as. Source: spec platform
 * 11 (states).
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { ReadContext } from '../../runtime/operation/context.js'
import { pluginTables } from '../tables.js'

const PENDING = ['waiting', 'delayed']

/** As a column of rows of `build_jobs`. The count ends at the limit, along the index of the organization's states. */
export function shownState({ nowMs, runtime }: Pick<ReadContext, 'nowMs' | 'runtime'>): SQL<string> {
  const perOrgMax = runtime.settings.PLUGIN_MAX_BUILDS_PER_ORG
  // By name: the builder leaves the table out in a list of columns, and the inner one would be meant.
  const active = sql`(SELECT count(*) FROM (SELECT 1 AS one FROM build_jobs AS running
    WHERE running.org_id = build_jobs.org_id AND running.state = 'active' LIMIT ${perOrgMax}) AS counted)`
  return sql<string>`CASE WHEN build_jobs.state NOT IN ('waiting', 'delayed') THEN build_jobs.state
    WHEN build_jobs.run_at_ms > ${nowMs} OR ${active} >= ${perOrgMax} THEN 'delayed' ELSE 'waiting' END`
}

/** Rows of this state, found by the stored one. */
export function isShownAs(context: Pick<ReadContext, 'db' | 'nowMs' | 'runtime'>, state: string): SQL | undefined {
  const { buildJobs: t } = pluginTables(context.db)
  return PENDING.includes(state) ? and(inArray(t.state, PENDING), eq(shownState(context), state)) : eq(t.state, state)
}
