/** The scorecard of one pipeline, from the history of its organization and its compliance check. */
import Type, { type Static } from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { restoredIn, type Told } from '../dora/compute.js'
import type { Deliveries } from '../dora/deliveries.js'
import type { RollingTally } from '../dora/rolling.js'
import { applied, type Basis, type Change, outcomeOf, type Step, stepUp } from '../dora/what-if.js'
import { type Level as Band, LEVELS } from '../metric/band.js'
import { bucketStart, dayOf } from '../metric/bucket.js'
import { rounded } from '../metric/percentile.js'
import { sampleOfValues } from '../metric/sample.js'
import { daysOf, type Window } from '../model.js'
import { type CardSource, environmentOf } from './read.js'
import {
  type Compliance,
  complianceScore,
  DAYS,
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
  WEEKS,
} from './score.js'

const FIXES_MAX = 5

const Level = nullable(choice(LEVELS))
const Count = Type.Integer({ minimum: 0 })
const Score = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const Scorecard = strictObject({
  pipelineId: Type.String(),
  orgId: Type.String(),
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
      points: Type.Number({ description: 'Part of the score; the parts add up to the score before rounding' }),
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
    { description: 'The largest gain first' },
  ),
  history: Type.Array(strictObject({ date: Type.String(), score: Score }), {
    description: 'The delivery half at the end of each of the last 12 weeks, from the deployments that are known now',
  }),
  degraded: Type.Array(choice(['compliance']), { description: 'What could not be evaluated' }),
  computedAt: Instant,
})

export interface Subject {
  readonly id: string
  readonly orgId: string
  readonly project: string
  readonly pipelineName: string
}

export function cardOf(
  { id, orgId, project, pipelineName }: Subject,
  source: CardSource,
  compliance: Compliance | 'degraded' | null,
): Static<typeof Scorecard> {
  const { nowMs } = source.scope
  const { now: deliveries, weeks } = source.of(id)
  const delivery = deliveryOf(deliveries, { fromMs: nowMs - DAYS * DAY_MS, toMs: nowMs })
  const inputs: Inputs = { compliance: compliance === 'degraded' ? null : compliance, levels: delivery.levels }
  const exact = exactScore(inputs)
  const score = exact === null ? null : Math.round(exact)
  const known = inputs.compliance
  const deliveryPoints = deliveryScore(delivery.levels)
  return {
    pipelineId: id,
    orgId,
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
      basis: deliveries.environments.length === 0 ? null : source.basis,
      environment: delivery.environment,
      ...delivery.levels,
    },
    checks: checksOf(inputs),
    nextBestFix: fixesOf(inputs, delivery),
    history: weeksOf(weeks, nowMs),
    degraded: compliance === 'degraded' ? ['compliance'] : [],
    computedAt: toIso(nowMs),
  }
}

type Delivery = ReturnType<typeof deliveryOf>

function deliveryOf(deliveries: Deliveries, window: Window) {
  const environment = environmentOf(deliveries)
  const basis =
    environment === null ? NOTHING : basisOf(deliveries, environment, window, deliveries.tally(environment, window))
  return { environment, levels: levelsOf(basis), basis }
}

const NOTHING: Basis = {
  days: DAYS,
  succeeded: 0,
  failures: 0,
  attempts: 0,
  leads: sampleOfValues([]),
  restores: sampleOfValues([]),
}

function basisOf(told: Told, environment: string, window: Window, tally: RollingTally): Basis {
  const { succeeded, failed, flagged, leads } = tally
  const restores = restoredIn(told, new Set([environment]), window)
  return {
    days: daysOf(window),
    succeeded,
    failures: failed + flagged,
    attempts: succeeded + failed,
    leads,
    restores: sampleOfValues(restores.map(({ fromMs, toMs }) => toMs - fromMs)),
  }
}

function levelsOf(basis: Basis): Levels {
  const level = (metric: ScoredMetric) => outcomeOf(metric, basis).level
  return {
    deploymentFrequency: level('deploymentFrequency'),
    changeFailureRate: level('changeFailureRate'),
    leadTime: level('leadTime'),
    meanTimeToRestore: level('meanTimeToRestore'),
  }
}

function fixesOf(inputs: Inputs, { basis, levels }: Delivery): Static<typeof Scorecard>['nextBestFix'] {
  const ups = new Map<ScoredMetric, Step | null>()
  const reached = (metric: ScoredMetric, to: Band): Levels => {
    const up = stepUp(metric, basis)
    ups.set(metric, up)
    return up === null ? { ...levels, [metric]: to } : levelsOf(applied(basis, asDeployed(up.change)))
  }
  return nextBestFixes(inputs, reached, FIXES_MAX).map((fix) => shownFix(fix, ups))
}

/** Deployments that shorten the lead time are clean deployments too. */
const asDeployed = (change: Change): Change =>
  change.leadTimes === undefined ? change : { ...change, cleanDeployments: change.leadTimes.count }

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

function shownFix({ fix, newScore, gain }: RankedFix, ups: ReadonlyMap<ScoredMetric, Step | null>) {
  if (fix.kind === 'rule') {
    return { kind: 'rule' as const, name: fix.rule.name, newScore, gain, how: fix.rule.message }
  }
  const says = ups.get(fix.metric)?.says
  const how = says ?? `bring ${WORDS[fix.metric]} from ${fix.from} to ${fix.to}`
  return { kind: 'metric' as const, name: fix.metric, newScore, gain, how }
}

/** For each week, the score of the 30 days before its end. */
function weeksOf(deliveries: Deliveries, nowMs: number): { date: string; score: number | null }[] {
  const thisWeek = bucketStart(nowMs, 'week')
  const windows = Array.from({ length: WEEKS }, (_, at) => {
    const toMs = thisWeek - (WEEKS - 1 - at) * 7 * DAY_MS
    return { fromMs: toMs - DAYS * DAY_MS, toMs }
  })
  const environment = environmentOf(deliveries)
  const tallies = environment === null ? [] : deliveries.rolling(environment, windows)
  return windows.map((window, at) => {
    const tally = tallies[at]
    const basis =
      environment === null || tally === undefined ? NOTHING : basisOf(deliveries, environment, window, tally)
    const score = deliveryScore(levelsOf(basis))
    return { date: dayOf(window.toMs), score: score === null ? null : rounded(score, 1) }
  })
}
