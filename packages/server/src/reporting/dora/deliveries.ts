/** The input of delivery metrics: daily sums where they suffice, else every deployment. Both give the same result. */
import { inArray } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { readSettings } from '../dora-settings.js'
import { groupBy } from '../group.js'
import { dayStart } from '../metric/bucket.js'
import { EXACT_MAX, sampleOf } from '../metric/sample.js'
import { DEFAULT_DORA_SETTINGS, type DoraSettings, isWithin, type Window } from '../model.js'
import type { Asked } from '../report/report.js'
import type { ScopeQuery } from '../report/scope.js'
import type { DeploymentSums } from '../rollup/deployment-sums.js'
import {
  deployingIn,
  deploymentSumsIn,
  environmentsOf,
  type KnownEnvironment,
  openIn,
} from '../rollup/read-deployments.js'
import { reportingTables } from '../tables.js'
import { type Said, saidIn } from './cause.js'
import { type Binned, detailsOf, headlineIn, type Scope, STALE_MS, type Tally, type Told, tallyOf } from './compute.js'
import { type ReadHistory, readHistory, whatIsKnown } from './history.js'
import { type Judged, judge } from './judge.js'
import { type RollingTally, rollingTallies } from './rolling.js'

export interface Deliveries extends Told {
  readonly environments: readonly KnownEnvironment[]
  readonly settings: DoraSettings
  /** @param isBinned whether medians may come from bins; by default, their number decides. */
  tally(environment: string, window: Window, isBinned?: Binned): Tally
  /** @param windows of whole days, which may overlap. */
  rolling(environment: string, windows: readonly Window[]): readonly RollingTally[]
}

export interface ReadDeliveries {
  readonly deliveries: Deliveries
  readonly scope: Scope
  /** `run`: no event names an environment, so each run counts as a deployment. */
  readonly basis: ReadHistory['basis']
  readonly deploying: number
  /** Pipelines with deployments in the window that succeeded or failed. */
  readonly blended: number
  /** The individual deployments, if all were read. */
  readonly judged: Judged | null
}

export function deliveriesOf(judged: Judged, nowMs: number): Deliveries {
  const { deployments, settings } = judged.history
  const environments = [...groupBy(deployments, ({ environment }) => environment)].map(([name, own]) => ({
    name,
    isProduction: own.some(({ tier }) => tier === 'production'),
    firstMs: own.reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Number.POSITIVE_INFINITY),
  }))
  const { links, restorations } = judged
  const tally: Deliveries['tally'] = (environment, window, isBinned) =>
    tallyOf(detailsOf(judged, environment, window, nowMs), isBinned)
  return {
    environments,
    settings,
    links,
    restorations,
    tally,
    rolling: (environment, windows) => windows.map((window) => tally(environment, window)),
  }
}

/** Reads every deployment. */
export async function readFacts(context: ReadContext, query: ScopeQuery, asked: Asked): Promise<ReadDeliveries> {
  const { history, scope, basis, deploying } = await readHistory(context, query, asked)
  const judged = judge(history)
  const within = history.deployments.filter(
    ({ status, completedAtMs, environment }) =>
      (status === 'succeeded' || status === 'failed') &&
      isWithin(completedAtMs as number, asked.range.window) &&
      (query.environment === undefined || query.environment === environment),
  )
  return {
    deliveries: deliveriesOf(judged, context.nowMs),
    scope,
    basis,
    deploying,
    blended: new Set(within.map(({ pipelineId }) => pipelineId)).size,
    judged,
  }
}

/** What can be read as daily sums; null where the settings do not allow it, or no event names an environment. */
async function summable(context: ReadContext, query: ScopeQuery, asked: Asked) {
  const { db, nowMs } = context
  const settings = await readSettings(db, tenantId(context))
  if (!(await canSum(context, asked, settings))) return null
  const { scope, range } = asked
  const asking = { db, scope, query, window: range.window, nowMs, reworkRefs: settings.reworkRefs }
  const environments = await environmentsOf(asking)
  return environments.length === 0 ? null : { asking, environments, settings }
}

/** Reads daily sums if possible. */
export async function readDeliveries(context: ReadContext, query: ScopeQuery, asked: Asked): Promise<ReadDeliveries> {
  const found = await summable(context, query, asked)
  if (found === null) return readFacts(context, query, asked)
  const { asking, environments, settings } = found
  const { db, scope, window, nowMs } = asking
  const said = await saidIn(db, scope, settings, window)
  const sums = await deploymentSumsIn(asking)
  const { ever, within } = await deployingIn(asking)
  const blended = new Set(within)
  for (const { pipelineId, succeeded, failed } of sums) {
    if (pipelineId !== '' && succeeded + failed > 0) blended.add(pipelineId)
  }
  return {
    deliveries: summed({ environments, settings, said, sums, open: await openIn(asking), nowMs }),
    scope: await whatIsKnown(context, asked, true),
    basis: 'deploy',
    deploying: ever,
    blended: blended.size,
    judged: null,
  }
}

const NOTHING_SAID: Said = { links: [], restorations: [], flagged: [] }

/**
 * Reads what a trend shows: outcomes and lead times of the headline environment. Incidents and marks change neither, and
 * open deployments are in neither.
 */
export async function readTrend(
  context: ReadContext,
  query: ScopeQuery,
  asked: Asked,
): Promise<Pick<ReadDeliveries, 'deliveries' | 'judged'>> {
  const found = await summable(context, query, asked)
  if (found === null) return readFacts(context, query, asked)
  const { asking, environments, settings } = found
  const { headlineName: environment } = headlineIn(environments, settings, query.environment)
  const sums = await deploymentSumsIn({ ...asking, query: { ...query, environment }, isBrief: true })
  const parts = { environments, settings, said: NOTHING_SAID, sums, open: [], nowMs: asking.nowMs }
  return { deliveries: summed(parts), judged: null }
}

/**
 * Sums are made with the settings of the organization that owns the deployments, and they never count rollbacks as
 * failures.
 */
export async function canSum(
  { db }: Pick<ReadContext, 'db'>,
  { scope: { orgIds } }: Asked,
  { rollbackFails, reworkRefs }: DoraSettings,
): Promise<boolean> {
  if (rollbackFails) return false
  if (orgIds.length === 1) return true
  const { reportSettings: t } = reportingTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(inArray(t.orgId, [...orgIds]))
  const refs = new Map(rows.map(({ orgId, settings }) => [orgId, settings.reworkRefs]))
  const wanted = JSON.stringify(reworkRefs)
  return orgIds.every((id) => JSON.stringify(refs.get(id) ?? DEFAULT_DORA_SETTINGS.reworkRefs) === wanted)
}

export interface Summing {
  readonly environments: readonly KnownEnvironment[]
  readonly settings: DoraSettings
  readonly said: Said
  readonly sums: readonly DeploymentSums[]
  readonly open: readonly { readonly environment: string; readonly startedMs: number }[]
  readonly nowMs: number
}

export function summed({ environments, settings, said, sums, open, nowMs }: Summing): Deliveries {
  let byDay: ReadonlyMap<string, readonly DeploymentSums[]> | null = null
  const days = (environment: string, { fromMs, toMs }: Window): DeploymentSums[] => {
    const found: DeploymentSums[] = []
    byDay ??= groupBy(sums, (each) => `${each.environment} ${each.dayMs}`)
    for (let day = dayStart(fromMs); day < toMs; day += DAY_MS)
      found.push(...(byDay.get(`${environment} ${day}`) ?? []))
    return found
  }
  const { links, restorations, flagged } = said
  return {
    environments,
    settings,
    links,
    restorations,
    rolling: (environment, windows) =>
      rollingTallies(
        sums.filter((each) => each.environment === environment),
        flagged.filter((each) => each.environment === environment),
        windows,
      ),
    tally(environment, window, isBinned) {
      const own = days(environment, window)
      const total = (of: (each: DeploymentSums) => number): number => own.reduce((sum, each) => sum + of(each), 0)
      const started = open.filter((each) => each.environment === environment && isWithin(each.startedMs, window))
      const stale = started.filter(({ startedMs }) => startedMs <= nowMs - STALE_MS).length
      const isMany = (kind: 'leads' | 'repairs') =>
        total((each) => each[kind].count) > EXACT_MAX ||
        own.some((each) => each[kind].count > 0 && each[kind].bins !== null)
      return {
        succeeded: total((each) => each.succeeded),
        failed: total((each) => each.failed),
        canceled: total((each) => each.canceled),
        running: started.length - stale,
        stale,
        flagged: flagged.filter(
          (each) => each.environment === environment && isWithin(each.completedAtMs as number, window),
        ).length,
        rework: total((each) => each.rework),
        undated: total((each) => each.undated),
        leads: sampleOf(
          own.map(({ leads }) => leads),
          isBinned?.leads ?? isMany('leads'),
        ),
        repairs: sampleOf(
          own.map(({ repairs }) => repairs),
          isBinned?.repairs ?? isMany('repairs'),
        ),
      }
    },
  }
}
