/** `GET /reports/execution/dora`: the five delivery metrics of each environment. Source: spec platform 18. */
import Type, { type Static } from 'typebox'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { countsDiffer, samplesDiffer, sharesDiffer } from '../metric/compare.js'
import { rounded } from '../metric/percentile.js'
import { daysOf, type Window } from '../model.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import {
  type EnvironmentMetrics,
  environmentMetrics,
  headlineOf,
  overallLevel,
  type RestoreMetrics,
  restoreMetrics,
} from './compute.js'
import { type Explained, explainEnvironment, explainRestore } from './explain.js'
import { type ReadHistory, readHistory } from './history.js'
import { type Judged, judge } from './judge.js'
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
    'Each metric has its numerator, denominator, 95 % interval and band, or the one reason why there is none. `explain` adds what was counted and what was not; `compare` the window before, and whether the change is more than chance.',
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
      coverage: strictObject({ registered: Count, deploying: Count, withoutDeploys: Count }),
      overallLevel: LevelField,
    }),
  },
  forms: { csv: ({ dora }) => tableOf(dora.environments, COLUMNS) },
  async run(context, query, asked) {
    const read = await readHistory(context, query, asked)
    const judged = judge(read.history)
    const { window, echo } = asked.range
    const own = metricsIn(judged, query.environment, window, read)
    const before = query.compare === true ? metricsIn(judged, query.environment, previous(window), read) : null
    const known = [...new Set(read.history.deployments.map(({ environment }) => environment))]
    const environments = own.environments.map((each, at): Static<typeof EnvironmentField> => {
      const shown = presentEnvironment(each, {
        isHeadline: own.headline.has(each.environment),
        daysSinceFirst: sinceFirst(judged, each.environment, window),
        known,
      })
      return withMore(
        shown,
        query.explain === true ? explainEnvironment(judged, each) : {},
        before === null ? {} : compareAll(each, before.environments[at], window),
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
        blended: new Set(
          own.environments.flatMap(({ sorted }) =>
            [...sorted.succeeded, ...sorted.failed].map((unit) => unit.pipelineId),
          ),
        ).size,
        environments,
        meanTimeToRestore: {
          ...restore,
          ...(query.explain === true ? { explain: mutable(explainRestore(own.restore)) } : {}),
          ...(before === null
            ? {}
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
          withoutDeploys: Math.max(0, asked.scope.registered - read.deploying),
        },
        overallLevel: overallLevel(
          own.environments.filter((each) => own.headline.has(each.environment)),
          own.restore.metric,
        ),
      },
    }
  },
})

const previous = ({ fromMs, toMs }: Window): Window => ({ fromMs: fromMs - (toMs - fromMs), toMs: fromMs })

/** The headline first, then by name. With an environment asked for, that one alone, which then is the headline. */
export function metricsIn(
  judged: Judged,
  environment: string | undefined,
  window: Window,
  { scope }: Pick<ReadHistory, 'scope'>,
) {
  const headline = environment === undefined ? headlineOf(judged.history) : new Set([environment])
  const names = new Set(judged.history.deployments.map((each) => each.environment))
  const present = [...headline].filter((name) => names.has(name))
  const headlineName = present[0] ?? [...headline][0] ?? 'production'
  const rest = [...names].filter((name) => !present.includes(name)).sort()
  const listed =
    environment === undefined ? [...(present.length > 0 ? present : [headlineName]), ...rest] : [environment]
  return {
    headline,
    headlineName,
    environments: [...new Set(listed)].map((name) => environmentMetrics(judged, name, window, scope)),
    restore: restoreMetrics(judged, headline, window, scope.nowMs),
  }
}

function sinceFirst({ history }: Judged, environment: string, { fromMs, toMs }: Window): number | null {
  const first = history.deployments
    .filter((each) => each.environment === environment)
    .reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Number.POSITIVE_INFINITY)
  return Number.isFinite(first) ? daysOf({ fromMs: Math.max(fromMs, first), toMs }) : null
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

function compareAll(now: EnvironmentMetrics, before: EnvironmentMetrics | undefined, window: Window): More {
  if (before === undefined) return {}
  const days = daysOf(window)
  const rates = (name: 'changeFailureRate' | 'reworkRate') => {
    const [a, b] = [now[name], before[name]]
    return compared(a, b, 1, sharesDiffer(a.numerator, a.denominator, b.numerator, b.denominator))
  }
  const [count, countBefore] = [now.deploymentFrequency.numerator, before.deploymentFrequency.numerator]
  return {
    deploymentFrequency: compared(
      now.deploymentFrequency,
      before.deploymentFrequency,
      2,
      countsDiffer(count, days, countBefore, days),
    ),
    changeFailureRate: rates('changeFailureRate'),
    reworkRate: rates('reworkRate'),
    leadTime: compareMedians(
      now.leadTime,
      before.leadTime,
      now.leadSamples.map(({ seconds }) => seconds),
      before.leadSamples.map(({ seconds }) => seconds),
    ),
    failedDeploymentRecovery: compareMedians(
      now.failedDeploymentRecovery,
      before.failedDeploymentRecovery,
      secondsOf({ samples: now.recoverySamples }),
      secondsOf({ samples: before.recoverySamples }),
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
