/** Reads the history for delivery metrics. It extends beyond the window on both sides, for links and redeploys. */
import { and, count, eq, inArray, type SQL } from 'drizzle-orm'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { environmentOf, readSettings } from '../dora-settings.js'
import type { Deployment, DoraSettings, History, Incident } from '../model.js'
import type { Asked } from '../report/report.js'
import { canDeploy, covers, type ReportScope, type ScopeQuery } from '../report/scope.js'
import { type DeploymentRow, reportingTables } from '../tables.js'
import type { Scope } from './compute.js'
import { type Link, linksOf } from './link.js'

export interface ReadHistory {
  readonly history: History
  readonly scope: Scope
  /** `run`: no event names an environment, so each run counts as a deployment. */
  readonly basis: 'deploy' | 'run' | null
  /** Registered pipelines with a deployment that succeeded or failed. */
  readonly deploying: number
}

/** The environment of runs when no event names one. */
export const RUN_ENVIRONMENT = 'default'

/**
 * Runs have no environment of their own. An incident in a headline environment is about them; one in another
 * environment stays there.
 */
export const ofRuns = <T extends Pick<Incident, 'environment'>>(
  incident: T,
  { headlineEnvironments }: Pick<DoraSettings, 'headlineEnvironments'>,
): T => (headlineEnvironments.includes(incident.environment) ? { ...incident, environment: RUN_ENVIRONMENT } : incident)

export async function readHistory(
  context: ReadContext,
  query: ScopeQuery,
  { scope, range }: Asked,
): Promise<ReadHistory> {
  const { db } = context
  const settings = await readSettings(db, tenantId(context))
  const deployed = await deploymentsOf(db, scope)
  const own = deployed.filter(({ pipelineId }) => covers(scope, pipelineId))
  const hasEnvironments = own.length > 0
  const deployments = hasEnvironments ? own : await runsOf(db, scope, query)
  const basis = hasEnvironments ? 'deploy' : deployments.length > 0 ? 'run' : null
  const ended = deployments.filter(({ status }) => status === 'succeeded' || status === 'failed')
  const shown = basis === 'run' ? { ...settings, headlineEnvironments: [RUN_ENVIRONMENT] } : settings
  const incidents = await incidentsWhere(db, scope.orgIds, settings)
  const told = {
    incidents: basis === 'run' ? incidents.map((each) => ofRuns(each, settings)) : incidents,
    links: await linksSet(db, scope),
  }
  // Links are computed over all pipelines. An incident that belongs to a deployment of another pipeline then does not
  // count for the requested ones.
  const links = linksOf({ ...told, deployments: hasEnvironments ? deployed : deployments, marks: [], settings: shown })
  const about = new Set(links.filter((link) => isAbout(scope, link)).map(({ incident }) => incident))
  return {
    history: {
      deployments,
      incidents: told.incidents.filter((incident) => about.has(incident)),
      links: told.links,
      marks: await marksOf(db, scope),
      settings: shown,
    },
    scope: await whatIsKnown(context, { scope, range }, deployments.length > 0),
    basis,
    deploying: [...new Set(ended.map(({ pipelineId }) => pipelineId))].filter((id) => canDeploy(scope, id)).length,
  }
}

/** What is known about the scope of a report, to explain a missing value. */
export async function whatIsKnown(
  { db, nowMs }: Pick<ReadContext, 'db' | 'nowMs'>,
  { scope, range }: Asked,
  hasDeployments: boolean,
): Promise<Scope> {
  const { reportParked: p } = reportingTables(db)
  const [parked] = await db
    .select({ rows: count() })
    .from(p)
    .where(inArray(p.orgId, [...scope.orgIds]))
  return {
    pipelines: scope.registered,
    hasEvents: hasDeployments || (await hasEvents(db, scope)),
    parked: parked?.rows ?? 0,
    isClamped: range.isClamped,
    nowMs,
  }
}

async function hasEvents(db: Db, { orgIds, pipelines, isNarrowed }: ReportScope): Promise<boolean> {
  const { reportSteps: t } = reportingTables(db)
  const of = (pipelineId?: string) =>
    db
      .select({ pipelineId: t.pipelineId })
      .from(t)
      .where(and(inArray(t.orgId, [...orgIds]), pipelineId === undefined ? undefined : eq(t.pipelineId, pipelineId)))
      .limit(1)
  if (!isNarrowed) return (await of()).length > 0
  for (const id of pipelines.keys()) if ((await of(id)).length > 0) return true
  return false
}

/**
 * Includes deployments after the window: a later incident belongs to the latest deployment before the incident, not to
 * the last one in the window.
 */
async function deploymentsOf(db: Db, scope: ReportScope): Promise<Deployment[]> {
  const { reportDeployments: t, reportCommits: c } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select()
      .from(t)
      .where(inArray(t.orgId, [...scope.orgIds])),
  )
  const commits = await rowsAtOnce(
    db,
    db
      .select()
      .from(c)
      .where(inArray(c.orgId, [...scope.orgIds])),
  )
  const known = new Map(commits.map(({ orgId, sha, committedMs }) => [`${orgId} ${sha}`, committedMs]))
  return rows.map((row) => deploymentOf(row, row.sha === null ? undefined : known.get(`${row.orgId} ${row.sha}`)))
}

export function deploymentOf(row: DeploymentRow, committedMs?: number): Deployment {
  const { startedMs, completedMs, committedMs: own, ...rest } = row
  const times = [own, committedMs].filter((ms) => ms !== null && ms !== undefined)
  return {
    ...rest,
    startedAtMs: startedMs,
    completedAtMs: completedMs,
    committedAtMs: times.length === 0 ? null : Math.min(...(times as number[])),
  }
}

/** Each run as a deployment, for an organization whose events name no environment. */
async function runsOf(db: Db, scope: ReportScope, query: ScopeQuery): Promise<Deployment[]> {
  const { reportExecutions: t } = reportingTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(
      and(
        inArray(t.orgId, [...scope.orgIds]),
        query.pipelineId === undefined ? undefined : eq(t.pipelineId, query.pipelineId),
      ),
    )
  return rows
    .filter(({ pipelineId }) => covers(scope, pipelineId))
    .map(({ startedMs, completedMs, committedMs, durationMs: _, error: __, ...row }) => ({
      ...row,
      environment: RUN_ENVIRONMENT,
      tier: null,
      startedAtMs: startedMs,
      completedAtMs: completedMs,
      committedAtMs: committedMs,
      isRollback: false,
      isRework: false,
    }))
}

export async function marksOf(db: Db, scope: ReportScope): Promise<History['marks']> {
  const { reportOutcomes: t } = reportingTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(inArray(t.orgId, [...scope.orgIds]))
  return rows.filter(({ pipelineId }) => covers(scope, pipelineId))
}

/** The links that people set. */
export async function linksSet(db: Db, { orgIds }: ReportScope): Promise<History['links']> {
  const { reportLinks: l } = reportingTables(db)
  return db
    .select()
    .from(l)
    .where(inArray(l.orgId, [...orgIds]))
}

export async function incidentsWhere(
  db: Db,
  orgIds: readonly string[],
  settings: DoraSettings,
  where?: SQL,
): Promise<Incident[]> {
  const { reportIncidents: t } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select()
      .from(t)
      .where(and(inArray(t.orgId, [...orgIds]), where)),
  )
  return rows.map(({ openedMs, resolvedMs, ...row }) => ({
    ...row,
    environment: environmentOf(row, settings),
    openedAtMs: openedMs,
    resolvedAtMs: resolvedMs,
  }))
}

/** Whether an incident concerns the requested pipelines: it is linked to one of them, or names one. */
export const isAbout = (scope: ReportScope, { incident, deployment }: Link): boolean => {
  const pipelineId = deployment?.pipelineId ?? incident.pipelineId
  return !scope.isNarrowed || (pipelineId !== null && covers(scope, pipelineId))
}
