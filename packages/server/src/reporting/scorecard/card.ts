/** The scorecard of one pipeline, from the history of its organization and what the rules say of it. */
import Type, { type Static } from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { headlineOf, restoreMetrics } from '../dora/compute.js'
import { metricsIn } from '../dora/get.js'
import type { ReadHistory } from '../dora/history.js'
import { type Judged, judge } from '../dora/judge.js'
import { whatIf } from '../dora/what-if.js'
import { LEVELS } from '../metric/band.js'
import { bucketStart, dayOf } from '../metric/bucket.js'
import { rounded } from '../metric/percentile.js'
import { daysOf, type History, type Window } from '../model.js'
import {
  type Compliance,
  complianceScore,
  deliveryScore,
  exactScore,
  GRADES,
  gradeOf,
  type Inputs,
  type Levels,
  nextBestFixes,
  pointsOf,
  type RankedFix,
  SCORED,
  type ScoredMetric,
} from './score.js'

const WEEKS = 12
const DAYS = 30
const FIXES_MAX = 5

const Level = nullable(choice(LEVELS))
const Count = Type.Integer({ minimum: 0 })
const Score = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const Scorecard = strictObject({
  pipelineId: Type.String(),
  project: Type.String(),
  pipelineName: Type.String(),
  score: Score,
  grade: nullable(choice(GRADES)),
  compliance: nullable(strictObject({ score: Score, rulesEvaluated: Count, violations: Count, warnings: Count })),
  dora: strictObject({
    score: Score,
    basis: nullable(choice(['deploy', 'run'])),
    environment: nullable(Type.String()),
    deploymentFrequency: Level,
    changeFailureRate: Level,
    leadTime: Level,
    meanTimeToRestore: Level,
  }),
  checks: Type.Array(
    strictObject({
      name: Type.String(),
      dimension: choice(['compliance', 'dora']),
      points: Type.Number({ description: 'Of the score; together they are the score before it is rounded' }),
      pointsMax: Type.Number(),
      says: Type.String(),
    }),
  ),
  nextBestFix: Type.Array(
    strictObject({
      kind: choice(['rule', 'metric']),
      name: Type.String(),
      newScore: Count,
      gain: Count,
      how: Type.String(),
    }),
    { description: 'What adds most first' },
  ),
  history: Type.Array(strictObject({ date: Type.String(), score: Score }), {
    description: 'The delivery half at the end of each of the last 12 weeks, from the deployments that are known now',
  }),
  degraded: Type.Array(choice(['compliance']), { description: 'What could not be asked' }),
  computedAt: Instant,
})

export interface Subject {
  readonly id: string
  readonly project: string
  readonly pipelineName: string
}

/** The history of one pipeline: its deployments, and the incidents that are put down to it among all pipelines. */
export function historyOf(all: Judged, pipelineId: string): History {
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

export function cardOf(
  { id, project, pipelineName }: Subject,
  all: Judged,
  read: Pick<ReadHistory, 'scope' | 'basis'>,
  compliance: Compliance | 'degraded' | null,
): Static<typeof Scorecard> {
  const { nowMs } = read.scope
  const judged = judge(historyOf(all, id))
  const delivery = deliveryOf(judged, { fromMs: nowMs - DAYS * DAY_MS, toMs: nowMs }, read)
  const inputs: Inputs = { compliance: compliance === 'degraded' ? null : compliance, levels: delivery.levels }
  const exact = exactScore(inputs)
  const score = exact === null ? null : Math.round(exact)
  const known = inputs.compliance
  const deliveryPoints = deliveryScore(delivery.levels)
  return {
    pipelineId: id,
    project,
    pipelineName,
    score,
    grade: gradeOf(score),
    compliance:
      known === null
        ? null
        : {
            score: complianceScore(known),
            rulesEvaluated: known.rules,
            violations: known.violated.length,
            warnings: known.warned.length,
          },
    dora: {
      score: deliveryPoints === null ? null : rounded(deliveryPoints, 1),
      basis: judged.history.deployments.length === 0 ? null : read.basis,
      environment: delivery.environment,
      ...delivery.levels,
    },
    checks: checksOf(inputs),
    nextBestFix: nextBestFixes(inputs, FIXES_MAX).map((fix) => shownFix(fix, delivery)),
    history: weeksOf(judged, read),
    degraded: compliance === 'degraded' ? ['compliance'] : [],
    computedAt: toIso(nowMs),
  }
}

type Delivery = ReturnType<typeof deliveryOf>

/** The headline environment, else the first that has a deployment. */
function deliveryOf(judged: Judged, window: Window, read: Pick<ReadHistory, 'scope'>) {
  const headline = headlineOf(judged.history)
  const names = [...new Set(judged.history.deployments.map((each) => each.environment))].sort()
  const environment = [...headline].find((name) => names.includes(name)) ?? names[0] ?? null
  const metrics = environment === null ? undefined : metricsIn(judged, environment, window, read).environments[0]
  const restore = environment === null ? null : restoreMetrics(judged, new Set([environment]), window, window.toMs)
  const levels: Levels = {
    deploymentFrequency: metrics?.deploymentFrequency.level ?? null,
    changeFailureRate: metrics?.changeFailureRate.level ?? null,
    leadTime: metrics?.leadTime.level ?? null,
    meanTimeToRestore: restore?.metric.level ?? null,
  }
  const basis = {
    days: daysOf(window),
    succeeded: metrics?.deploymentFrequency.numerator ?? 0,
    failures: metrics?.changeFailureRate.numerator ?? 0,
    attempts: metrics?.changeFailureRate.denominator ?? 0,
    leadSeconds: metrics?.leadSamples.map(({ seconds }) => seconds) ?? [],
    restoreSeconds: restore?.samples.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000) ?? [],
  }
  return { environment, levels, basis }
}

const WORDS: Readonly<Record<ScoredMetric, string>> = {
  deploymentFrequency: 'deployment frequency',
  changeFailureRate: 'change failure rate',
  leadTime: 'lead time',
  meanTimeToRestore: 'time to restore',
}

function checksOf({ compliance, levels }: Inputs): Static<typeof Scorecard>['checks'] {
  const own = complianceScore(compliance)
  const known = SCORED.filter((metric) => levels[metric] !== null)
  const [ofRules, ofDelivery] = own === null ? [0, 100] : known.length === 0 ? [100, 0] : [50, 50]
  const rules =
    own === null || compliance === null
      ? []
      : [
          {
            name: 'rules',
            dimension: 'compliance' as const,
            points: rounded((ofRules * own) / 100, 2),
            pointsMax: ofRules,
            says: `${compliance.rules - compliance.violated.length - compliance.warned.length} of ${compliance.rules} rules pass`,
          },
        ]
  const metrics = known.map((metric) => {
    const level = levels[metric] as (typeof LEVELS)[number]
    const pointsMax = ofDelivery / known.length
    const points = (pointsMax * pointsOf(level)) / 100
    return {
      name: metric,
      dimension: 'dora' as const,
      points: rounded(points, 2),
      pointsMax: rounded(pointsMax, 2),
      says: `${WORDS[metric]} is ${level}`,
    }
  })
  return [...rules, ...metrics]
}

function shownFix({ fix, newScore, gain }: RankedFix, { basis }: Delivery) {
  if (fix.kind === 'rule') {
    return { kind: 'rule' as const, name: fix.rule.name, newScore, gain, how: fix.rule.message }
  }
  const says = whatIf(fix.metric, basis).up?.says
  const how = says ?? `bring ${WORDS[fix.metric]} from ${fix.from} to ${fix.to}`
  return { kind: 'metric' as const, name: fix.metric, newScore, gain, how }
}

/** Each week's end, and the 30 days before it. */
function weeksOf(judged: Judged, read: Pick<ReadHistory, 'scope'>): { date: string; score: number | null }[] {
  const thisWeek = bucketStart(read.scope.nowMs, 'week')
  return Array.from({ length: WEEKS }, (_, at) => {
    const toMs = thisWeek - (WEEKS - 1 - at) * 7 * DAY_MS
    const { levels } = deliveryOf(judged, { fromMs: toMs - DAYS * DAY_MS, toMs }, read)
    const score = deliveryScore(levels)
    return { date: dayOf(toMs), score: score === null ? null : rounded(score, 1) }
  })
}
