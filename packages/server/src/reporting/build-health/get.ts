/** `GET /reports/execution/build-health`: the outcomes and durations of the stages of one pipeline. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, durationsOf, percentOf, stageRuns } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { stepsIn } from '../report/facts.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })
const Ms = nullable(Type.Number({ minimum: 0, description: 'Milliseconds' }))

export const getBuildHealth = report({
  name: 'reporting.build-health.get',
  summary: 'Read the health of the stages of a pipeline',
  description: '`pipelineId` is required.',
  path: '/reports/execution/build-health',
  output: {
    buildHealth: strictObject({
      stages: Type.Array(
        strictObject({
          stage: Type.String(),
          runs: Count,
          successes: Count,
          failures: Count,
          successRate: nullable(Type.Number()),
          p50Ms: Ms,
          p90Ms: Ms,
          p99Ms: Ms,
        }),
      ),
      totals: strictObject({ runs: Count, failures: Count, failureRate: nullable(Type.Number()) }),
    }),
  },
  forms: {
    csv: ({ buildHealth }) =>
      tableOf(buildHealth.stages, ['stage', 'runs', 'successes', 'failures', 'successRate', 'p50Ms', 'p90Ms', 'p99Ms']),
  },
  async run({ db }, query, { scope, range }) {
    if (query.pipelineId === undefined) throw invalidField('/query/pipelineId', 'is required', 'required')
    const runs = stageRuns(await stepsIn(db, scope, query, range.window)).filter(
      ({ isFailed, isSucceeded }) => isFailed || isSucceeded,
    )
    const failuresOf = (own: readonly { readonly isFailed: boolean }[]) => own.filter(({ isFailed }) => isFailed).length
    const stages = [...groupBy(runs, ({ stage }) => stage)].map(([stage, own]) => {
      const failures = failuresOf(own)
      const { p50Ms, p90Ms, p99Ms } = durationsOf(own)
      const successes = own.length - failures
      return {
        stage,
        runs: own.length,
        successes,
        failures,
        successRate: percentOf(successes, own.length),
        p50Ms,
        p90Ms,
        p99Ms,
      }
    })
    stages.sort((a, b) => byText(a.stage, b.stage))
    const failures = failuresOf(runs)
    return {
      buildHealth: { stages, totals: { runs: runs.length, failures, failureRate: percentOf(failures, runs.length) } },
    }
  },
})
