/** `GET /reports/execution/dora`: the five delivery metrics of each environment. Source: spec platform 18. */
import Type, { type Static } from 'typebox'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { countsDiffer, samplesDiffer, sharesDiffer } from '../metric/compare.js'
import { rounded } from '../metric/percentile.js'
import { daysOf, type Window } from '../model.js'
import type { Range } from '../report/range.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import {
  type Details,
  detailsOf,
  type EnvironmentMetrics,
  headlineIn,
  metricsOf,
  overallLevel,
  type RestoreMetrics,
  recoveriesOf,
  restoreMetrics,
} from './compute.js'
import { type Deliveries, type ReadDeliveries, readDeliveries, readFacts } from './deliveries.js'
import { type Explained, explainEnvironment, explainRecovery, explainRestore } from './explain.js'
import type { Judged } from './judge.js'
import type { Metric } from './metric.js'
import {
  EnvironmentField,
  type ExplainedField,
  LevelField,
  presentEnvironment,
  presentRestore,
  RestoreField,
} from './present.js'

export const DORA_ACCESS = withFeature('advanced_reporting', permission('reports:read'))

const Count = Type.Integer({ minimum: 0 })
const COLUMNS = [
  'environment',
  'deploymentFrequency.deployments',
  'deploymentFrequency.perDay',
  'deploymentFrequency.level',
  'changeFailureRate.rate',
  'changeFailureRate.attempts',
  'changeFailureRate.level',
  'leadTime.medianSeconds',
  'leadTime.level',
  'failedDeploymentRecovery.medianSeconds',
  'reworkRate.rate',
] as const

export const getDora = report({
  name: 'reporting.dora.get',
  summary: 'Read the five delivery metrics of each environment',
  description:
    'Each metric has its numerator, denominator, 95 % interval and band, or the one reason why there is none. `explain` adds what was counted and what was left out; `compare` adds the window before, and whether the change is statistically significant.',
  path: '/reports/execution/dora',
  access: DORA_ACCESS,
  query: { explain: Type.Optional(Type.Boolean()), compare: Type.Optional(Type.Boolean()) },
  output: {
    dora: strictObject({
      window: strictObject({ from: Instant, to: Instant, days: Type.Number() }),
      filters: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      headline: Type.String(),
      basis: nullable(Type.Unsafe<'deploy' | 'run'>({ type: 'string', enum: ['deploy', 'run'] })),
      blended: Type.Integer({ minimum: 0, description: 'Pipelines whose deployments are counted together' }),
      environments: Type.Array(EnvironmentField),
      meanTimeToRestore: RestoreField,
      coverage: strictObject(
        { registered: Count, deploying: Count, withoutDeploys: Count },
        { description: 'Of the registered pipelines, how many ever deployed' },
      ),
      overallLevel: LevelField,
    }),
  },
  forms: { csv: ({ dora }) => tableOf(dora.environments, COLUMNS) },
  async run(context, query, asked) {
    const isDetailed = query.explain === true || query.compare === true
    const read = await (isDetailed ? readFacts : readDeliveries)(context, query, asked)
    const { judged } = read
    const { window, echo } = asked.range
    const own = metricsIn(read.deliveries, query.environment, window, read)
    const earlier = previous(asked.range)
    const before =
      query.compare === true && earlier !== null ? metricsIn(read.deliveries, query.environment, earlier, read) : null
    const known = read.deliveries.environments.map(({ name }) => name)
    const details = (name: string, of: Window) => detailsOf(judged as Judged, name, of, context.nowMs)
    const environments = own.environments.map((each, at): Static<typeof EnvironmentField> => {
      const name = each.environment
      const shown = presentEnvironment(each, {
        isHeadline: own.headline.has(name),
        daysSinceFirst: sinceFirst(read.deliveries, name, window),
        known,
      })
      const was = before?.environments[at]
      return withMore(
        shown,
        query.explain === true ? explainAll(judged as Judged, name, window, details(name, window)) : {},
        was === undefined || earlier === null
          ? uncompared(query.compare)
          : compareAll(judged as Judged, [each, window], [was, earlier]),
      )
    })
    const restore = presentRestore(own.restore, own.headlineName, known)
    const { pipelineId, environment, project, organization, ownerId, label, includeDescendants } = query
    return {
      dora: {
        window: { from: echo.from, to: echo.to, days: rounded(daysOf(window), 3) },
        filters: { pipelineId, environment, project, organization, ownerId, label, includeDescendants },
        headline: own.headlineName,
        basis: read.basis,
        blended: read.blended,
        environments,
        meanTimeToRestore: {
          ...restore,
          ...(query.explain === true ? { explain: mutable(explainRestore(own.restore)) } : {}),
          ...(before === null
            ? query.compare === true
              ? { compare: UNCOMPARED }
              : {}
            : {
                compare: compareMedians(
                  own.restore.metric,
                  before.restore.metric,
                  secondsOf(own.restore),
                  secondsOf(before.restore),
                ),
              }),
        },
        coverage: {
          registered: asked.scope.registered,
          deploying: read.deploying,
          withoutDeploys: asked.scope.registered - read.deploying,
        },
        overallLevel: overallLevel(
          own.environments.filter((each) => own.headline.has(each.environment)),
          own.restore.metric,
        ),
      },
    }
  },
})

/** As long as the window, but not before what is kept: deployments that were removed are not missing ones. */
function previous({ window: { fromMs, toMs }, factsFromMs }: Range): Window | null {
  // guard: a-comparison-ends-where-the-kept-history-does
  const earlier = { fromMs: Math.max(fromMs - (toMs - fromMs), factsFromMs), toMs: fromMs }
  return earlier.fromMs < earlier.toMs ? earlier : null
}

const explainAll = (judged: Judged, name: string, window: Window, details: Details): More => ({
  ...explainEnvironment(judged, details),
  failedDeploymentRecovery: explainRecovery(judged, name, window),
})

const UNCOMPARED = { previous: null, change: null, moreThanChance: null }
const uncompared = (isAsked: boolean | undefined): More =>
  isAsked === true ? Object.fromEntries(METRICS.map((name) => [name, UNCOMPARED])) : {}

/** The headline environment first, then by name. A requested environment is returned alone and is the headline. */
export function metricsIn(
  deliveries: Deliveries,
  environment: string | undefined,
  window: Window,
  { scope }: Pick<ReadDeliveries, 'scope'>,
) {
  const { environments, settings } = deliveries
  const { headline, present, headlineName } = headlineIn(environments, settings, environment)
  const names = new Set(environments.map(({ name }) => name))
  const rest = [...names].filter((name) => !present.includes(name)).sort()
  const listed =
    environment === undefined ? [...(present.length > 0 ? present : [headlineName]), ...rest] : [environment]
  return {
    headline,
    headlineName,
    environments: [...new Set(listed)].map((name) =>
      metricsOf(name, deliveries.tally(name, window), deliveries, {
        window,
        scope,
        isKnown: names.has(name),
        isAnyKnown: names.size > 0,
      }),
    ),
    restore: restoreMetrics(deliveries, headline, window, scope.nowMs),
  }
}

function sinceFirst({ environments }: Deliveries, environment: string, { fromMs, toMs }: Window): number | null {
  const first = environments.find(({ name }) => name === environment)?.firstMs
  return first === undefined ? null : daysOf({ fromMs: Math.max(fromMs, first), toMs })
}

type Shown = Static<typeof EnvironmentField>
const METRICS = [
  'deploymentFrequency',
  'changeFailureRate',
  'leadTime',
  'failedDeploymentRecovery',
  'reworkRate',
] as const
type More = Partial<Record<(typeof METRICS)[number], unknown>>

const mutable = (value: Explained): Static<NonNullable<typeof ExplainedField>> => value as never

function withMore(shown: Shown, explained: More, compared: More): Shown {
  const added = METRICS.map((name) => [
    name,
    {
      ...shown[name],
      ...(explained[name] === undefined ? {} : { explain: explained[name] }),
      ...(compared[name] === undefined ? {} : { compare: compared[name] }),
    },
  ])
  return { ...shown, ...Object.fromEntries(added) }
}

type Measured = readonly [metrics: EnvironmentMetrics, window: Window]

function compareAll(judged: Judged, [now, window]: Measured, [before, earlier]: Measured): More {
  const rates = (name: 'changeFailureRate' | 'reworkRate') => {
    const [a, b] = [now[name], before[name]]
    return compared(a, b, 1, sharesDiffer(a.numerator, a.denominator, b.numerator, b.denominator))
  }
  const [count, countBefore] = [now.deploymentFrequency.numerator, before.deploymentFrequency.numerator]
  const leads = ({ tally }: EnvironmentMetrics) => tally.leads.sorted ?? []
  const recovered = (of: Window) => secondsOf({ samples: recoveriesOf(judged, now.environment, of) })
  return {
    deploymentFrequency: compared(
      now.deploymentFrequency,
      before.deploymentFrequency,
      2,
      countsDiffer(count, daysOf(window), countBefore, daysOf(earlier)),
    ),
    changeFailureRate: rates('changeFailureRate'),
    reworkRate: rates('reworkRate'),
    leadTime: compareMedians(now.leadTime, before.leadTime, leads(now), leads(before)),
    failedDeploymentRecovery: compareMedians(
      now.failedDeploymentRecovery,
      before.failedDeploymentRecovery,
      recovered(window),
      recovered(earlier),
    ),
  }
}

const secondsOf = ({ samples }: Pick<RestoreMetrics, 'samples'>): number[] =>
  samples.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000)

const compareMedians = (now: Metric, before: Metric, values: readonly number[], valuesBefore: readonly number[]) =>
  compared(now, before, 1, samplesDiffer(values, valuesBefore))

const compared = (now: Metric, before: Metric, places: number, moreThanChance: boolean | null) => ({
  previous: before.value === null ? null : rounded(before.value, places),
  change: now.value === null || before.value === null ? null : rounded(now.value - before.value, places),
  moreThanChance,
})
