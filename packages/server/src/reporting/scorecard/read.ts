/**
 * The input of an organization's scorecards: for each pipeline its own deployments, and the incidents that are
 * attributed to it among all pipelines.
 */
import { DAY_MS } from '../../runtime/clock.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { saidIn } from '../dora/cause.js'
import { headlineOf } from '../dora/compute.js'
import { canSum, type Deliveries, deliveriesOf, type ReadDeliveries, readFacts, summed } from '../dora/deliveries.js'
import { whatIsKnown } from '../dora/history.js'
import { type Judged, judge } from '../dora/judge.js'
import { readSettings } from '../dora-settings.js'
import { groupBy } from '../group.js'
import { bucketStart, dayStart } from '../metric/bucket.js'
import type { History } from '../model.js'
import { rangeOf } from '../report/range.js'
import type { Asked } from '../report/report.js'
import { scopeOf } from '../report/scope.js'
import { retentionOf } from '../retention.js'
import { deploymentSumsIn, environmentsByPipeline } from '../rollup/read-deployments.js'
import { DAYS, WEEKS } from './score.js'

export interface CardSource extends Pick<ReadDeliveries, 'scope' | 'basis'> {
  /** The deliveries of the last 30 days, and of the previous weeks. */
  of(pipelineId: string): { readonly now: Deliveries; readonly weeks: Deliveries }
}

/** The headline environment, else the first one that has a deployment. */
export function environmentOf({
  environments,
  settings,
}: Pick<Deliveries, 'environments' | 'settings'>): string | null {
  const headline = headlineOf(environments, settings)
  const names = environments.map(({ name }) => name).sort()
  return [...headline].find((name) => names.includes(name)) ?? names[0] ?? null
}

/** Of the pipelines of one organization. */
export async function readCards(context: ReadContext): Promise<CardSource> {
  const { db, nowMs } = context
  const { factDays } = await retentionOf(context)
  // Not only the pipelines that are asked for: whether runs count as deployments depends on all.
  const asked: Asked = { scope: await scopeOf(context, {}), range: rangeOf({}, factDays, nowMs) }
  const settings = await readSettings(db, tenantId(context))
  const { scope } = asked
  const asking = { db, scope, query: {}, nowMs, reworkRefs: settings.reworkRefs, byPipeline: true, isBrief: true }
  const weeksTo = bucketStart(nowMs, 'week')
  const weeks = { fromMs: weeksTo - ((WEEKS - 1) * 7 + DAYS) * DAY_MS, toMs: weeksTo }
  const isSummed = await canSum(context, asked, settings)
  const environments = isSummed ? await environmentsByPipeline({ ...asking, window: weeks }) : new Map()
  if (environments.size === 0) return fromFacts(await readFacts(context, {}, asked), nowMs)
  const chosen = new Set([...environments.values()].map((own) => environmentOf({ environments: own, settings })))
  const [environment = null] = chosen
  // Most pipelines have the same headline environment. Then nothing is read of any other.
  const query = chosen.size === 1 && environment !== null ? { environment } : {}
  const nowFrom = nowMs - DAYS * DAY_MS
  const firstDay = dayStart(nowFrom)
  const all = await deploymentSumsIn({ ...asking, query, window: { fromMs: weeks.fromMs, toMs: nowMs } })
  // The first of the last 30 days counts only in part.
  const begin = await deploymentSumsIn({ ...asking, query, window: { fromMs: nowFrom, toMs: firstDay + DAY_MS } })
  const byPipeline = <T extends { readonly pipelineId: string }>(rows: readonly T[]) =>
    groupBy(rows, ({ pipelineId }) => pipelineId)
  const parts = {
    now: byPipeline([...begin, ...all.filter(({ dayMs }) => dayMs > firstDay)]),
    weeks: byPipeline(all),
  }
  const said = await saidIn(db, scope, settings, { fromMs: weeks.fromMs, toMs: nowMs })
  const links = groupBy(said.links, ({ deployment, incident }) => deployment?.pipelineId ?? incident.pipelineId ?? '')
  const restorations = groupBy(said.restorations, ({ failed }) => failed.pipelineId)
  const flagged = groupBy(said.flagged, (each) => each.pipelineId)
  return {
    scope: await whatIsKnown(context, asked, true),
    basis: 'deploy',
    of(pipelineId) {
      const common = {
        environments: environments.get(pipelineId) ?? [],
        settings,
        said: {
          links: links.get(pipelineId) ?? [],
          restorations: restorations.get(pipelineId) ?? [],
          flagged: flagged.get(pipelineId) ?? [],
        },
        // What still runs is of no band.
        open: [],
        nowMs,
      }
      return {
        now: summed({ ...common, sums: parts.now.get(pipelineId) ?? [] }),
        weeks: summed({ ...common, sums: parts.weeks.get(pipelineId) ?? [] }),
      }
    },
  }
}

function fromFacts({ judged, scope, basis }: ReadDeliveries, nowMs: number): CardSource {
  return {
    scope,
    basis,
    of(pipelineId) {
      const own = deliveriesOf(judge(historyOf(judged as Judged, pipelineId)), nowMs)
      return { now: own, weeks: own }
    },
  }
}

/** The history of one pipeline: its deployments, and the incidents that are attributed to it among all pipelines. */
function historyOf(all: Judged, pipelineId: string): History {
  const { history, links } = all
  const own = new Set(
    links
      .filter(({ deployment, incident }) => (deployment?.pipelineId ?? incident.pipelineId) === pipelineId)
      .map(({ incident }) => incident.incidentId),
  )
  const of = <T extends { readonly pipelineId: string }>(rows: readonly T[]) =>
    rows.filter((row) => row.pipelineId === pipelineId)
  return {
    deployments: of(history.deployments),
    marks: of(history.marks),
    links: of(history.links),
    incidents: history.incidents.filter(({ incidentId }) => own.has(incidentId)),
    settings: history.settings,
  }
}
