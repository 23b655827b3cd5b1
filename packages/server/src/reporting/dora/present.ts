/** The delivery metrics in the answer: rounded half up, with the numbers behind each. */
import Type, { type Static } from 'typebox'
import { choice, nullable, strictObject } from '../../runtime/operation/schema.js'
import { LEVELS } from '../metric/band.js'
import { rounded } from '../metric/percentile.js'
import { nextStep } from './advice.js'
import type { EnvironmentMetrics, RestoreMetrics } from './compute.js'
import { type MedianMetric, type Metric, WHYS } from './metric.js'

const Count = Type.Integer({ minimum: 0 })
const Amount = nullable(Type.Number({ minimum: 0 }))
export const LevelField = nullable(choice(LEVELS))

const METRIC = {
  numerator: Type.Number({ minimum: 0 }),
  denominator: Type.Number({ minimum: 0 }),
  why: nullable(choice(WHYS, { description: 'The one reason why there is no value' })),
  nextStep: nullable(Type.String({ description: 'What repairs it' })),
  level: LevelField,
  levelRange: nullable(
    Type.Array(choice(LEVELS), { minItems: 2, maxItems: 2, description: 'The bands of both ends of the interval' }),
  ),
  sure: nullable(Type.Boolean({ description: 'Whether the whole interval is in one band' })),
  interval: nullable(strictObject({ low: Type.Number(), high: Type.Number() }, { description: '95 %' })),
}
const Sample = strictObject({
  pipelineId: nullable(Type.String()),
  executionId: nullable(Type.String()),
  incidentId: nullable(Type.String()),
  at: Type.String(),
})
export const ExplainedField = Type.Optional(
  strictObject({
    candidates: Count,
    counted: Count,
    dropped: Type.Array(strictObject({ reason: Type.String(), count: Count, samples: Type.Array(Sample) })),
  }),
)
export const ComparedField = Type.Optional(
  strictObject({
    previous: Amount,
    change: nullable(Type.Number()),
    moreThanChance: nullable(Type.Boolean({ description: 'Null when there is too little data' })),
  }),
)
const MORE = { explain: ExplainedField, compare: ComparedField }

const Approximate = Type.Optional(
  Type.Boolean({ description: 'For more than 50,000 values: within 1 %, from sums of days' }),
)

export const EnvironmentField = strictObject({
  environment: Type.String(),
  headline: Type.Boolean(),
  deploymentFrequency: strictObject({ deployments: Count, perDay: Amount, sinceFirst: Amount, ...METRIC, ...MORE }),
  changeFailureRate: strictObject({
    rate: Amount,
    deployTimeFailures: Count,
    postDeployFailures: Count,
    attempts: Count,
    strictRate: Amount,
    strict: strictObject(METRIC),
    ...METRIC,
    ...MORE,
  }),
  leadTime: strictObject({
    deployments: Count,
    medianSeconds: Amount,
    meanSeconds: Amount,
    basis: nullable(choice(['commit'])),
    approximate: Approximate,
    ...METRIC,
    ...MORE,
  }),
  failedDeploymentRecovery: strictObject({
    recoveries: Count,
    open: Count,
    medianSeconds: Amount,
    meanSeconds: Amount,
    approximate: Approximate,
    ...METRIC,
    ...MORE,
  }),
  reworkRate: strictObject({ rate: Amount, rework: Count, deployments: Count, ...METRIC, ...MORE }),
})
export const RestoreField = strictObject({
  incidents: Count,
  restored: Count,
  open: Count,
  uncorrelated: Count,
  medianSeconds: Amount,
  meanSeconds: Amount,
  ...METRIC,
  ...MORE,
})

const round = (value: number | null, places: number): number | null => (value === null ? null : rounded(value, places))

function metricFields(metric: Metric, places: number, environment: string, known: readonly string[]) {
  const { numerator, denominator, why, level, levelRange, sure, interval } = metric
  return {
    numerator,
    denominator: rounded(denominator, 3),
    why,
    nextStep: nextStep(why, environment, known),
    level,
    levelRange: levelRange === null ? null : [...levelRange],
    sure,
    interval: interval === null ? null : { low: rounded(interval.low, places), high: rounded(interval.high, places) },
  }
}

export interface Presenting {
  readonly isHeadline: boolean
  /** Days since its first deployment, if that is after the start of the window. */
  readonly daysSinceFirst: number | null
  /** Names of the existing environments. */
  readonly known: readonly string[]
}

export function presentEnvironment(
  own: EnvironmentMetrics,
  { isHeadline, daysSinceFirst, known }: Presenting,
): Static<typeof EnvironmentField> {
  const {
    environment,
    tally,
    deploymentFrequency,
    changeFailureRate,
    strictRate,
    leadTime,
    failedDeploymentRecovery,
    reworkRate,
  } = own
  const fields = (metric: Metric, places: number) => metricFields(metric, places, environment, known)
  const seconds = (metric: MedianMetric) => ({
    medianSeconds: round(metric.value, 1),
    meanSeconds: round(metric.mean, 1),
    ...(metric.approximate ? { approximate: true } : {}),
    ...fields(metric, 1),
  })
  const deployments = tally.succeeded
  return {
    environment,
    headline: isHeadline,
    deploymentFrequency: {
      deployments,
      perDay: round(deploymentFrequency.value, 2),
      sinceFirst: daysSinceFirst === null || deployments === 0 ? null : rounded(deployments / daysSinceFirst, 2),
      ...fields(deploymentFrequency, 2),
    },
    changeFailureRate: {
      rate: round(changeFailureRate.value, 1),
      deployTimeFailures: tally.failed,
      postDeployFailures: tally.flagged,
      attempts: deployments + tally.failed,
      strictRate: round(strictRate.value, 1),
      strict: fields(strictRate, 1),
      ...fields(changeFailureRate, 1),
    },
    leadTime: { deployments, basis: leadTime.value === null ? null : 'commit', ...seconds(leadTime) },
    failedDeploymentRecovery: {
      recoveries: failedDeploymentRecovery.numerator,
      open: own.openRecoveries,
      ...seconds(failedDeploymentRecovery),
    },
    reworkRate: {
      rate: round(reworkRate.value, 1),
      rework: reworkRate.numerator,
      deployments,
      ...fields(reworkRate, 1),
    },
  }
}

export function presentRestore(
  { metric, samples, open, uncorrelated }: RestoreMetrics,
  environment: string,
  known: readonly string[],
): Static<typeof RestoreField> {
  return {
    incidents: samples.filter(({ via }) => via === 'incident').length + open.length,
    restored: samples.length,
    open: open.length,
    uncorrelated,
    medianSeconds: round(metric.value, 1),
    meanSeconds: round(metric.mean, 1),
    ...metricFields(metric, 1, environment, known),
  }
}
