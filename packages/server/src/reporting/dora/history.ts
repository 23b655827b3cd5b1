/** Reads the history that delivery metrics are computed from: before and after the window too, for links and redeploys. */
import { and, count, eq, inArray, or } from 'drizzle-orm'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { readSettings } from '../incident-settings/read.js'
import type { Deployment, History } from '../model.js'
import type { Asked } from '../report/report.js'
import { covers, type ReportScope, type ScopeQuery } from '../report/scope.js'
import { type DeploymentRow, reportingTables } from '../tables.js'
import type { Scope } from './compute.js'

export interface ReadHistory {
  readonly history: History
  readonly scope: Scope
  /** `run`: nobody tells of environments, so each run counts as a deployment. */
  readonly basis: 'deploy' | 'run' | null
  readonly deploying: number
}

/** The environment of runs where nobody tells of one. */
export const RUN_ENVIRONMENT = 'default'

export async function readHistory(
  context: ReadContext,
  query: ScopeQuery,
  { scope, range }: Asked,
): Promise<ReadHistory> {
  const { db, nowMs } = context
  const settings = await readSettings(db, tenantId(context))
  const deployed = await deploymentsOf(db, scope, query)
  const hasEnvironments = deployed.length > 0
  const deployments = hasEnvironments ? deployed : await runsOf(db, scope, query)
  const basis = hasEnvironments ? 'deploy' : deployments.length > 0 ? 'run' : null
  const ended = deployments.filter(({ status }) => status === 'succeeded' || status === 'failed')
  const { reportParked: p } = reportingTables(db)
  const [parked] = await db
    .select({ rows: count() })
    .from(p)
    .where(inArray(p.orgId, [...scope.orgIds]))
  return {
    history: {
      deployments,
      ...(await incidentsOf(db, scope, query)),
      marks: await marksOf(db, scope),
      settings: basis === 'run' ? { ...settings, headlineEnvironments: [RUN_ENVIRONMENT] } : settings,
    },
    scope: {
      pipelines: scope.registered,
      hasEvents: deployments.length > 0 || (await hasEvents(db, scope)),
      parked: parked?.rows ?? 0,
      isClamped: range.isClamped,
      nowMs,
    },
    basis,
    deploying: new Set(ended.map(({ pipelineId }) => pipelineId)).size,
  }
}

async function hasEvents(db: Db, { orgIds, pipelines, isNarrowed }: ReportScope): Promise<boolean> {
  const { reportSteps: t } = reportingTables(db)
  const rows = await db
    .selectDistinct({ pipelineId: t.pipelineId })
    .from(t)
    .where(inArray(t.orgId, [...orgIds]))
  return rows.some(({ pipelineId }) => !isNarrowed || pipelines.has(pipelineId))
}

/** Those after the window too: an incident after it is the doing of the latest one before the incident, not of the last one in the window. */
async function deploymentsOf(db: Db, scope: ReportScope, query: ScopeQuery): Promise<Deployment[]> {
  const { reportDeployments: t, reportCommits: c } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select()
      .from(t)
      .where(
        and(
          inArray(t.orgId, [...scope.orgIds]),
          query.pipelineId === undefined ? undefined : eq(t.pipelineId, query.pipelineId),
        ),
      ),
  )
  const own = rows.filter(({ pipelineId }) => covers(scope, pipelineId))
  const commits = await rowsAtOnce(
    db,
    db
      .select()
      .from(c)
      .where(inArray(c.orgId, [...scope.orgIds])),
  )
  const known = new Map(commits.map(({ orgId, sha, committedMs }) => [`${orgId} ${sha}`, committedMs]))
  return own.map((row) => deploymentOf(row, row.sha === null ? undefined : known.get(`${row.orgId} ${row.sha}`)))
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

/** Each run as a deployment, for an organization that tells of no environment. */
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

async function marksOf(db: Db, scope: ReportScope): Promise<History['marks']> {
  const { reportOutcomes: t } = reportingTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(inArray(t.orgId, [...scope.orgIds]))
  return rows.filter(({ pipelineId }) => covers(scope, pipelineId))
}

/** Of some pipelines alone: the incidents that name one of them, and those that people linked to one; others may be anybody's. */
async function incidentsOf(
  db: Db,
  scope: ReportScope,
  query: ScopeQuery,
): Promise<Pick<History, 'incidents' | 'links'>> {
  const { reportIncidents: t, reportLinks: l } = reportingTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(inArray(t.orgId, [...scope.orgIds]))
  const links = await db
    .select()
    .from(l)
    .where(inArray(l.orgId, [...scope.orgIds]))
  const causes = scope.isNarrowed ? await causesOutside(db, scope, query) : null
  const incidents = rows.map(({ openedMs, resolvedMs, ...row }) => ({
    ...row,
    openedAtMs: openedMs,
    resolvedAtMs: resolvedMs,
  }))
  if (causes === null) return { incidents, links }
  const manual = new Map(links.map((link) => [`${link.orgId} ${link.incidentId}`, link.pipelineId]))
  return {
    incidents: incidents.filter((incident) => {
      const pipelineId = manual.get(`${incident.orgId} ${incident.incidentId}`) ?? incident.pipelineId
      return pipelineId === null ? causes(incident) : covers(scope, pipelineId)
    }),
    links,
  }
}

/** Whether an incident is put down to one of the pipelines that are asked for, when all pipelines are looked at. */
async function causesOutside(db: Db, scope: ReportScope, _query: ScopeQuery) {
  const { reportDeployments: t } = reportingTables(db)
  const rows = await db
    .select({
      orgId: t.orgId,
      pipelineId: t.pipelineId,
      environment: t.environment,
      completedMs: t.completedMs,
      sha: t.sha,
    })
    .from(t)
    .where(and(inArray(t.orgId, [...scope.orgIds]), or(eq(t.status, 'succeeded'))))
  return (incident: History['incidents'][number]): boolean => {
    let latest: (typeof rows)[number] | undefined
    for (const row of rows) {
      if (row.orgId !== incident.orgId || row.environment !== incident.environment) continue
      if ((row.completedMs ?? Number.POSITIVE_INFINITY) > incident.openedAtMs) continue
      if (
        incident.sha !== null &&
        row.sha !== null &&
        !row.sha.startsWith(incident.sha) &&
        !incident.sha.startsWith(row.sha)
      )
        continue
      if (latest === undefined || (row.completedMs ?? 0) > (latest.completedMs ?? 0)) latest = row
    }
    return latest !== undefined && covers(scope, latest.pipelineId)
  }
}
