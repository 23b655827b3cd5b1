/**
 * Which days of a pipeline change with a deployment: its own day; the day of the next success (an earlier failure makes
 * it rework and a repair); and the day of the next success of the same commit (which becomes a redeploy).
 */
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { type DeploymentRow, reportingTables } from '../tables.js'
import type { Began } from './mark.js'
import { rowsAsTable } from './rows-as-table.js'

const ROWS_AT_ONCE = 200

type Changed = Pick<
  DeploymentRow,
  'pipelineId' | 'executionId' | 'attempt' | 'environment' | 'status' | 'completedMs' | 'sha'
>

/** @param before the deployments before the change, and @param after those after it, which the database already has. */
export async function daysOfDeployments(
  tx: Tx,
  orgId: string,
  before: readonly DeploymentRow[],
  after: readonly DeploymentRow[],
): Promise<Began[]> {
  const was = new Set(before.map(textOf))
  const is = new Set(after.map(textOf))
  const changed = [
    ...before.filter((row) => !is.has(textOf(row))),
    ...after.filter((row) => !was.has(textOf(row))),
  ].filter(({ completedMs }) => completedMs !== null)
  const own = changed.map(({ pipelineId, completedMs }) => ({ pipelineId, startedMs: completedMs as number }))
  // guard: a-deployment-changes-the-days-after-it-too
  return [...own, ...(await afterThem(tx, orgId, changed))]
}

const textOf = (row: DeploymentRow): string =>
  JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))

async function afterThem(tx: Tx, orgId: string, changed: readonly Changed[]): Promise<Began[]> {
  const over = changed.filter(({ status }) => status === 'succeeded' || status === 'failed')
  const found: Began[] = []
  for (let at = 0; at < over.length; at += ROWS_AT_ONCE) {
    const table = rowsAsTable(
      tx,
      ['text', 'text', 'bigint', 'text', 'integer', 'text'],
      over
        .slice(at, at + ROWS_AT_ONCE)
        .map(({ pipelineId, environment, completedMs, executionId, attempt, status, sha }) => [
          pipelineId,
          environment,
          completedMs,
          executionId,
          attempt,
          status === 'succeeded' ? (sha ?? '') : '',
        ]),
    )
    const later = sql`x.org_id = ${orgId} AND x.pipeline_id = v.column1 AND x.environment = v.column2 AND x.completed_ms >= v.column3 AND x.status = 'succeeded' AND NOT (x.execution_id = v.column4 AND x.attempt = v.column5)`
    const rows = await tx.rows<{ id: string; next_ms: number | string | null; same_ms: number | string | null }>(
      sql`SELECT v.column1 AS id, (SELECT MIN(x.completed_ms) FROM report_deployments x WHERE ${later}) AS next_ms, (SELECT MIN(x.completed_ms) FROM report_deployments x WHERE ${later} AND v.column6 <> '' AND x.sha = v.column6) AS same_ms FROM ${table}`,
    )
    for (const { id, next_ms: nextMs, same_ms: sameMs } of rows) {
      for (const ms of [nextMs, sameMs]) if (ms !== null) found.push({ pipelineId: id, startedMs: Number(ms) })
    }
  }
  return found
}

/** The days of deployments whose commit time changed. */
export async function daysOfCommits(tx: Tx, orgId: string, shas: readonly string[]): Promise<Began[]> {
  const { reportDeployments: t } = reportingTables(tx)
  const found: Began[] = []
  for (let at = 0; at < shas.length; at += ROWS_AT_ONCE) {
    const rows = await tx
      .select({ pipelineId: t.pipelineId, startedMs: t.completedMs })
      .from(t)
      .where(and(eq(t.orgId, orgId), inArray(t.sha, shas.slice(at, at + ROWS_AT_ONCE)), isNotNull(t.completedMs)))
    for (const { pipelineId, startedMs } of rows) if (startedMs !== null) found.push({ pipelineId, startedMs })
  }
  return found
}
