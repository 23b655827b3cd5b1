/**
 * `POST /reports/execution/dora/what-if`: which change would move a metric to another band, or the effect of a given
 * change.
 */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { choice, nullable, strictObject } from '../../runtime/operation/schema.js'
import { LEVELS } from '../metric/band.js'
import { rounded } from '../metric/percentile.js'
import { sampleOfValues } from '../metric/sample.js'
import { daysOf } from '../model.js'
import { RANGE_QUERY, RangeEcho, rangeOf } from '../report/range.js'
import { OVER_TEAMS } from '../report/report.js'
import { SCOPE_QUERY, scopeOf } from '../report/scope.js'
import { retentionOf } from '../retention.js'
import { NoEnvironmentField, noEnvironment } from './advice.js'
import { readDeliveries } from './deliveries.js'
import { DORA_ACCESS, metricsIn } from './get.js'
import { LevelField } from './present.js'
import { applied, type Basis, type Change, outcomeOf, whatIf } from './what-if.js'

const METRICS = ['deploymentFrequency', 'changeFailureRate', 'leadTime', 'meanTimeToRestore'] as const
const Count = Type.Integer({ minimum: 0, maximum: 1_048_576 })
const Seconds = strictObject({ count: Count, seconds: Type.Number({ minimum: 0, maximum: 1e9 }) })
const ChangeField = strictObject({
  cleanDeployments: Type.Optional(Count),
  failedDeployments: Type.Optional(Count),
  leadTimes: Type.Optional(Seconds),
  restores: Type.Optional(Seconds),
})
const Value = nullable(Type.Number())
const StepField = nullable(strictObject({ change: ChangeField, level: choice(LEVELS), says: Type.String() }))
const MetricField = strictObject({
  value: Value,
  level: LevelField,
  up: StepField,
  down: StepField,
  after: Type.Optional(strictObject({ value: Value, level: LevelField })),
})

export const simulateDora = query({
  name: 'reporting.dora.simulate',
  summary: 'Calculate what would change the band of a delivery metric',
  description:
    'Without `change`: the smallest change that gives a better band (`up`) and a worse band (`down`). With it: `after`, the metric with the change added to the window.',
  http: { method: 'post', path: '/reports/execution/dora/what-if' },
  access: DORA_ACCESS,
  tenant: fromHeader,
  acrossWhen: OVER_TEAMS,
  snapshot: true,
  input: {
    query: Type.Object({ includeDescendants: SCOPE_QUERY.includeDescendants }),
    body: strictObject({ ...SCOPE_QUERY, ...RANGE_QUERY, change: Type.Optional(ChangeField) }),
  },
  output: strictObject({
    whatIf: strictObject({
      environment: Type.String(),
      deploymentFrequency: MetricField,
      changeFailureRate: MetricField,
      leadTime: MetricField,
      meanTimeToRestore: MetricField,
      nextStep: NoEnvironmentField,
    }),
    range: RangeEcho,
  }),
  errors: ['NOT_FOUND'],
  async run(context, { query, body: { change, from, to, ...filters } }) {
    const { factDays } = await retentionOf(context)
    const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    const range = rangeOf(window, factDays, context.nowMs)
    const asked = { ...filters, includeDescendants: filters.includeDescendants ?? query.includeDescendants ?? false }
    const read = await readDeliveries(context, asked, { scope: await scopeOf(context, asked), range })
    const own = metricsIn(read.deliveries, filters.environment, range.window, read)
    const metrics = own.environments.find(({ environment }) => environment === own.headlineName)
    if (metrics === undefined) throw invalidField('/body/environment', 'is not an environment', 'environment')
    const basis: Basis = {
      days: daysOf(range.window),
      succeeded: metrics.deploymentFrequency.numerator,
      failures: metrics.changeFailureRate.numerator,
      attempts: metrics.changeFailureRate.denominator,
      leads: metrics.tally.leads,
      restores: sampleOfValues(own.restore.samples.map(({ fromMs, toMs }) => toMs - fromMs)),
    }
    const answers = METRICS.map((metric) => [metric, answerOf(metric, basis, change as Change | undefined)])
    const known = read.deliveries.environments.map(({ name }) => name)
    const next = { nextStep: noEnvironment(filters.environment, known) }
    const found = { environment: own.headlineName, ...Object.fromEntries(answers), ...next }
    return { whatIf: found, range: range.echo } as never
  },
})

function answerOf(metric: (typeof METRICS)[number], basis: Basis, change: Change | undefined) {
  const { value, level, up, down } = whatIf(metric, basis)
  const shown = (each: number | null) =>
    each === null ? null : rounded(each, metric === 'deploymentFrequency' ? 2 : 1)
  const after = change === undefined ? undefined : outcomeOf(metric, applied(basis, change))
  return {
    value: shown(value),
    level,
    up,
    down,
    ...(after === undefined ? {} : { after: { value: shown(after.value), level: after.level } }),
  }
}
