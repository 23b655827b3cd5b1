/**
 * The effect of incidents and marks on deployments, for reports that read deployments as sums: it looks up the
 * deployment that caused each incident. The links equal those of `linksOf` over all facts.
 */
import { and, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { groupBy } from '../group.js'
import {
  type Deployment,
  type DoraSettings,
  deployedKey,
  type History,
  type Incident,
  inOrder,
  isWithin,
  unitKey,
  type Window,
} from '../model.js'
import type { ReportScope } from '../report/scope.js'
import { rowsAsTable } from '../rollup/rows-as-table.js'
import { reportingTables } from '../tables.js'
import { deploymentOf, incidentsWhere, isAbout, linksSet, marksOf } from './history.js'
import { restorationsOf } from './judge.js'
import { type Link, linksOf } from './link.js'

const AT_ONCE = 100
/** With more links than this that people set, all incidents are read. */
const LINKS_MAX = 500

export interface Said {
  readonly links: readonly Link[]
  readonly restorations: ReturnType<typeof restorationsOf>
  /** Successes that turned out to be failures. */
  readonly flagged: readonly Deployment[]
}

/** The incidents, links and marks that a report about the window needs. */
export async function saidIn(db: Db, scope: ReportScope, settings: DoraSettings, window: Window): Promise<Said> {
  const manual = await linksSet(db, scope)
  const marks = await marksOf(db, scope)
  const named = await ofExecutions(db, scope.orgIds, [...manual, ...marks])
  const incidents = await incidentsAbout(db, scope, manual, { ...reachOf(marks, named, window), settings })
  const deployments = [...named, ...(await latestBefore(db, incidents, settings))]
  const known = [...new Map(deployments.map((each) => [unitKey(each), each])).values()]
  const history: History = { deployments: known, incidents, links: manual, marks, settings }
  const links = linksOf(history).filter((link) => isAbout(scope, link))
  const successes = groupBy(known.filter(({ status }) => status === 'succeeded').sort(inOrder), deployedKey)
  const flagged = new Map<string, Deployment>()
  for (const { deployment } of links) if (deployment !== null) flagged.set(unitKey(deployment), deployment)
  for (const mark of marks) {
    const unit = mark.outcome === 'failed' ? successes.get(deployedKey(mark))?.at(-1) : undefined
    if (unit !== undefined) flagged.set(unitKey(unit), unit)
  }
  return { links, restorations: restorationsOf(marks), flagged: [...flagged.values()] }
}

/**
 * Extends the window backwards when a mark in it says that a deployment is restored. An earlier incident that this
 * deployment caused has precedence over the mark, and it began after the deployment.
 */
function reachOf(marks: History['marks'], named: readonly Deployment[], window: Window): Window {
  const key = ({ pipelineId, executionId }: { pipelineId: string; executionId: string }) =>
    `${pipelineId}\n${executionId}`
  const restored = new Set(
    marks.filter(({ outcome, atMs }) => outcome === 'restored' && isWithin(atMs, window)).map(key),
  )
  const ends = named
    .filter((each) => restored.has(key(each)))
    .map(({ completedAtMs }) => completedAtMs ?? window.fromMs)
  return { fromMs: Math.min(window.fromMs, ...ends), toMs: window.toMs }
}

/**
 * Incidents that were open in this time, started in it, or started shortly after: a deployment at its end may have
 * caused them.
 */
async function incidentsAbout(
  db: Db,
  { orgIds }: ReportScope,
  manual: History['links'],
  { fromMs, toMs, settings }: Window & { readonly settings: DoraSettings },
): Promise<Incident[]> {
  const { reportIncidents: t } = reportingTables(db)
  const about = and(
    lt(t.openedMs, toMs + settings.incidentWindowHours * 3_600_000),
    or(isNull(t.resolvedMs), gte(t.resolvedMs, fromMs), gte(t.openedMs, fromMs)),
  )
  const linked = manual.map(({ incidentId }) => incidentId)
  return incidentsWhere(
    db,
    orgIds,
    settings,
    linked.length > LINKS_MAX ? undefined : or(about, linked.length === 0 ? undefined : inArray(t.incidentId, linked)),
  )
}

/** All deployments of these executions. */
async function ofExecutions(
  db: Db,
  orgIds: readonly string[],
  named: readonly { readonly pipelineId: string; readonly executionId: string }[],
): Promise<Deployment[]> {
  const { reportDeployments: t } = reportingTables(db)
  const found: Deployment[] = []
  for (let at = 0; at < named.length; at += AT_ONCE) {
    const some = named
      .slice(at, at + AT_ONCE)
      .map((each) => and(eq(t.pipelineId, each.pipelineId), eq(t.executionId, each.executionId)))
    const rows = await rowsAtOnce(
      db,
      db
        .select()
        .from(t)
        .where(and(inArray(t.orgId, [...orgIds]), or(...some))),
    )
    found.push(...rows.map((row) => deploymentOf(row)))
  }
  return found
}

/** For each incident, the last successful deployments to its environment before it opened, which are its candidates. */
async function latestBefore(
  db: Db,
  incidents: readonly Incident[],
  { incidentWindowHours }: DoraSettings,
): Promise<Deployment[]> {
  if (incidents.length === 0) return []
  const { reportDeployments: t } = reportingTables(db)
  const table = rowsAsTable(
    db,
    ['text', 'text', 'bigint', 'bigint', 'text', 'text'],
    incidents.map(({ orgId, environment, openedAtMs, pipelineId, sha }) => [
      orgId,
      environment,
      openedAtMs,
      openedAtMs - incidentWindowHours * 3_600_000,
      pipelineId ?? '',
      sha ?? '',
    ]),
  )
  const last = sql.raw(
    "(SELECT s.completed_ms FROM report_deployments s WHERE s.org_id = v.column1 AND s.environment = v.column2 AND s.completed_ms <= v.column3 AND s.completed_ms >= v.column4 AND s.status = 'succeeded' AND (v.column5 = '' OR s.pipeline_id = v.column5) AND (v.column6 = '' OR substr(s.sha, 1, length(v.column6)) = v.column6 OR substr(v.column6, 1, length(s.sha)) = s.sha) ORDER BY s.completed_ms DESC LIMIT 1)",
  )
  const ended = await rowsAtOnce(
    db,
    db
      .select()
      .from(t)
      .where(
        sql`(${t.orgId}, ${t.environment}, ${t.completedMs}) IN (SELECT v.column1, v.column2, ${last} FROM ${table})`,
      ),
  )
  return ended.map((row) => deploymentOf(row))
}
