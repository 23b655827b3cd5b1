/** The sums of a day's deployments, which can be added up. Pure: they depend only on the units. */
import { getTableColumns } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { groupBy } from '../group.js'
import { addTo, binOf, flatOf, newBins } from '../metric/bins.js'
import { dayStart } from '../metric/bucket.js'
import { ascending, ascendingOf } from '../metric/percentile.js'
import { EXACT_MAX, partOf, type SamplePart } from '../metric/sample.js'
import type { DailyDeploymentsRow, ReportingTables } from '../tables.js'
import type { Unit } from './units.js'

export interface DeploymentSums {
  readonly environment: string
  /** Empty for the sum of all pipelines. */
  readonly pipelineId: string
  readonly dayMs: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  readonly rework: number
  readonly undated: number
  readonly production: number
  readonly firstMs: number
  readonly leads: SamplePart
  readonly repairs: SamplePart
}

/** Sums by day. @param lanes the units of a pipeline and environment, ordered by end. */
export function sumsOfUnits(lanes: readonly (readonly Unit[])[]): DeploymentSums[] {
  const found: DeploymentSums[] = []
  for (const units of lanes) {
    for (let from = 0; from < units.length; ) {
      const dayMs = dayStart((units[from] as Unit).completedMs)
      let to = from + 1
      while (to < units.length && (units[to] as Unit).completedMs < dayMs + DAY_MS) to++
      found.push(sumsOfPart(units.slice(from, to), dayMs))
      from = to
    }
  }
  return found
}

function sumsOfPart(own: readonly Unit[], dayMs: number): DeploymentSums {
  const [{ environment, pipelineId }] = own as [Unit]
  let [succeeded, failed, rework, undated, production] = [0, 0, 0, 0, 0]
  let firstMs = Number.POSITIVE_INFINITY
  const leads: number[] = []
  const repairs: number[] = []
  for (const { status, isRework, isUndated, tier, startedMs, leadMs, repairMs } of own) {
    if (status === 'succeeded') succeeded++
    else if (status === 'failed') failed++
    if (status === 'succeeded' && isRework) rework++
    if (isUndated) undated++
    if (tier === 'production') production++
    firstMs = Math.min(firstMs, startedMs)
    if (leadMs !== null) leads.push(leadMs)
    for (const ms of repairMs) repairs.push(ms)
  }
  return {
    environment,
    pipelineId,
    dayMs,
    succeeded,
    failed,
    canceled: own.length - succeeded - failed,
    rework,
    undated,
    production,
    firstMs,
    leads: partOf(ascending(leads)),
    repairs: partOf(ascending(repairs)),
  }
}

/** Sums of all pipelines, by environment. @param sums of one day, each of one pipeline. */
export function ofAllPipelines(sums: readonly DeploymentSums[]): DeploymentSums[] {
  return [...groupBy(sums, ({ environment }) => environment).values()].map((own) => {
    const [first] = own as [DeploymentSums]
    const total = (of: (each: DeploymentSums) => number): number => own.reduce((sum, each) => sum + of(each), 0)
    return {
      environment: first.environment,
      pipelineId: '',
      dayMs: first.dayMs,
      succeeded: total((each) => each.succeeded),
      failed: total((each) => each.failed),
      canceled: total((each) => each.canceled),
      rework: total((each) => each.rework),
      undated: total((each) => each.undated),
      production: total((each) => each.production),
      firstMs: own.reduce((least, { firstMs }) => Math.min(least, firstMs), Number.POSITIVE_INFINITY),
      leads: merged(own.map(({ leads }) => leads)),
      repairs: merged(own.map(({ repairs }) => repairs)),
    }
  })
}

function merged(parts: readonly SamplePart[]): SamplePart {
  const values = ascendingOf(parts.map((part) => part.values ?? []))
  const bins = newBins()
  for (const value of values) addTo(bins, binOf(value), 1)
  return {
    count: values.length,
    sumMs: parts.reduce((sum, { sumMs }) => sum + sumMs, 0),
    values: values.length > EXACT_MAX ? null : values,
    bins: flatOf(bins),
  }
}

export const rowOf = (orgId: string, { leads, repairs, ...sums }: DeploymentSums): DailyDeploymentsRow => ({
  orgId,
  ...sums,
  leads: leads.count,
  leadSumMs: leads.sumMs,
  leadBins: leads.bins,
  leadValues: leads.values,
  repairs: repairs.count,
  repairSumMs: repairs.sumMs,
  repairBins: repairs.bins,
  repairValues: repairs.values,
})

export type Table = ReportingTables['reportDailyDeployments']
type ListName = 'leadBins' | 'leadValues' | 'repairBins' | 'repairValues'
/** The columns to read in addition to the counts. */
export type Lists = Partial<Record<ListName, true>>
type Row = Omit<DailyDeploymentsRow, 'orgId' | ListName> & Partial<Pick<DailyDeploymentsRow, ListName>>

/** The columns of a row, and what it says; lists that are not read stay empty. */
export function readingOf(t: Table, lists: Lists) {
  const { orgId: _, leadBins, repairBins, repairValues, leadValues, ...counts } = getTableColumns(t)
  const columns = {
    ...counts,
    ...(lists.leadBins === undefined ? {} : { leadBins }),
    ...(lists.repairBins === undefined ? {} : { repairBins }),
    ...(lists.repairValues === undefined ? {} : { repairValues }),
    ...(lists.leadValues === undefined ? {} : { leadValues }),
  }
  return { columns, toSums: sumsOfRow }
}

export const sumsOfRow = (row: Row): DeploymentSums => ({
  environment: row.environment,
  pipelineId: row.pipelineId,
  dayMs: row.dayMs,
  succeeded: row.succeeded,
  failed: row.failed,
  canceled: row.canceled,
  rework: row.rework,
  undated: row.undated,
  production: row.production,
  firstMs: row.firstMs,
  leads: { count: row.leads, sumMs: row.leadSumMs, values: row.leadValues ?? null, bins: row.leadBins ?? null },
  repairs: {
    count: row.repairs,
    sumMs: row.repairSumMs,
    values: row.repairValues ?? null,
    bins: row.repairBins ?? null,
  },
})

const NONE: SamplePart = { count: 0, sumMs: 0, values: null, bins: null }

/** Only outcomes and lead times. Reading a row costs by its columns. */
export function briefReading({ pipelineId, dayMs, environment, succeeded, failed, leads, leadValues }: Table) {
  const toSums = (row: Row): DeploymentSums => ({
    environment: row.environment,
    pipelineId: row.pipelineId,
    dayMs: row.dayMs,
    succeeded: row.succeeded,
    failed: row.failed,
    canceled: 0,
    rework: 0,
    undated: 0,
    production: 0,
    firstMs: row.dayMs,
    leads: row.leads === 0 ? NONE : { count: row.leads, sumMs: 0, values: row.leadValues ?? null, bins: null },
    repairs: NONE,
  })
  return { columns: { pipelineId, dayMs, environment, succeeded, failed, leads, leadValues }, toSums }
}
