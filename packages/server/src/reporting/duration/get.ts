/** `GET /reports/execution/duration`: the durations of each pipeline's runs. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, durationsOf } from '../execution/arithmetic.js'
import { PIPELINE_FIELDS, pipelineOf } from '../execution/pipeline-row.js'
import { groupBy } from '../group.js'
import { addJoined, addTo, type Bins, binOf, newBins, percentileOfBins } from '../metric/bins.js'
import { rounded } from '../metric/percentile.js'
import { type RunSums, type Timed, timedIn } from '../report/facts.js'
import { report } from '../report/report.js'
import type { ReportScope } from '../report/scope.js'
import { tableOf } from '../report/table.js'
import { hasSwept, sourceOf, type TimedSums, timedByPipeline } from '../rollup/read.js'

const Ms = nullable(Type.Number({ minimum: 0, description: 'Milliseconds' }))

export const getDuration = report({
  name: 'reporting.duration.get',
  summary: 'Read how long the runs of each pipeline take',
  description: 'Of runs that succeeded or failed. Percentiles are interpolated between ranks.',
  path: '/reports/execution/duration',
  output: {
    pipelines: Type.Array(
      strictObject({
        ...PIPELINE_FIELDS,
        avgMs: Ms,
        minMs: Ms,
        maxMs: Ms,
        p50Ms: Ms,
        p95Ms: Ms,
        executions: Type.Integer({ minimum: 0 }),
      }),
    ),
    approximate: Type.Boolean({
      description: 'Percentiles are within 1 %: there are more than 50,000 runs, or single runs were removed',
    }),
  },
  forms: {
    csv: ({ pipelines }) =>
      tableOf(pipelines, ['id', 'project', 'pipelineName', 'avgMs', 'minMs', 'maxMs', 'p50Ms', 'p95Ms', 'executions']),
  },
  readsSums: true,
  async run({ db, nowMs }, query, { scope, range }) {
    const asking = { db, scope, query, window: range.window, nowMs }
    const source = await sourceOf(asking, 'timed')
    const sums = await timedByPipeline(asking, source)
    const facts = source.facts.filter(({ durations }) => durations.length > 0)
    const runs = [...sums, ...facts.map(partOf)].reduce((all, { timed }) => all + timed, 0)
    const approximate = runs > EXACT_MAX || (await hasSwept(asking, source))
    const pipelines = approximate
      ? approximately(scope, sums, facts)
      : exactly(scope, await timedIn(db, scope, query, range.window))
    return {
      pipelines: pipelines.sort((a, b) => (b.avgMs ?? 0) - (a.avgMs ?? 0) || byText(a.id, b.id)),
      approximate,
    }
  },
})

/** Above this number of runs, percentiles come from bins. */
const EXACT_MAX = 50_000

const exactly = (scope: ReportScope, executions: readonly Timed[]) =>
  [...groupBy(executions, ({ pipelineId }) => pipelineId)].map(([id, own]) => {
    const { avgMs, minMs, maxMs, p50Ms, p95Ms } = durationsOf(own)
    return { ...pipelineOf(scope, id, own[0]?.orgId ?? ''), avgMs, minMs, maxMs, p50Ms, p95Ms, executions: own.length }
  })

function approximately(scope: ReportScope, sums: readonly TimedSums[], facts: readonly RunSums[]) {
  const bins = new Map<string, Bins>()
  const binsOf = (id: string): Bins => {
    const own: Bins = bins.get(id) ?? newBins()
    bins.set(id, own)
    return own
  }
  for (const { pipelineId, bins: joined } of sums) addJoined(binsOf(pipelineId), joined)
  for (const { pipelineId, durations } of facts) {
    const own = binsOf(pipelineId)
    for (const ms of durations) addTo(own, binOf(ms), 1)
  }
  const parts = groupBy([...sums, ...facts.map(partOf)], ({ pipelineId }) => pipelineId)
  return [...parts].flatMap(([id, own]) => {
    const timed = own.reduce((all, each) => all + each.timed, 0)
    if (timed === 0) return []
    const known = own.filter((each) => each.timed > 0)
    const at = (fraction: number) => rounded(percentileOfBins(binsOf(id), fraction), 1)
    return {
      ...pipelineOf(scope, id, own[0]?.orgId ?? ''),
      avgMs: rounded(own.reduce((all, each) => all + each.sumMs, 0) / timed, 1),
      minMs: known.reduce((least, each) => Math.min(least, each.minMs as number), Number.POSITIVE_INFINITY),
      maxMs: known.reduce((most, each) => Math.max(most, each.maxMs as number), 0),
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      executions: timed,
    }
  })
}

const partOf = ({ orgId, pipelineId, durations }: RunSums) => ({
  orgId,
  pipelineId,
  timed: durations.length,
  sumMs: durations.reduce((sum, ms) => sum + ms, 0),
  minMs: durations.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY),
  maxMs: durations.reduce((most, ms) => Math.max(most, ms), 0),
})
