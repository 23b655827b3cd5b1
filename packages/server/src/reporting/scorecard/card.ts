/** The scorecard of one pipeline, from the history of its organization and its compliance check. */
import Type, { type Static } from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { headlineOf, restoredIn } from '../dora/compute.js'
import type { Deliveries } from '../dora/deliveries.js'
import { applied, type Basis, type Change, outcomeOf, whatIf } from '../dora/what-if.js'
import { type Level as Band, LEVELS } from '../metric/band.js'
import { bucketStart, dayOf } from '../metric/bucket.js'
import { rounded } from '../metric/percentile.js'
import { sampleOfValues } from '../metric/sample.js'
import { daysOf, type Window } from '../model.js'
import type { CardSource } from './read.js'
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
    nextBestFix: nextBestFixes(inputs, reachedFrom(delivery), FIXES_MAX).map((fix) => shownFix(fix, delivery)),
    history: weeksOf(weeks, nowMs),
    degraded: compliance === 'degraded' ? ['compliance'] : [],
    computedAt: toIso(nowMs),
  }
}

type Delivery = ReturnType<typeof deliveryOf>

/** The headline environment, else the first one that has a deployment. */
function deliveryOf(deliveries: Deliveries, window: Window) {
  const headline = headlineOf(deliveries.environments, deliveries.settings)
  const names = deliveries.environments.map(({ name }) => name).sort()
  const environment = [...headline].find((name) => names.includes(name)) ?? names[0] ?? null
  const tally = environment === null ? null : deliveries.tally(environment, window)
  const restores = environment === null ? [] : restoredIn(deliveries, new Set([environment]), window)
  const { succeeded, failed, flagged } = tally ?? { succeeded: 0, failed: 0, flagged: 0 }
  const basis: Basis = {
    days: daysOf(window),
    succeeded,
    failures: failed + flagged,
    attempts: succeeded + failed,
    leads: tally?.leads ?? sampleOfValues([]),
    restores: sampleOfValues(restores.map(({ fromMs, toMs }) => toMs - fromMs)),
  }
  return { environment, levels: levelsOf(basis), basis }
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

const reachedFrom =
  ({ basis, levels }: Delivery) =>
  (metric: ScoredMetric, to: Band): Levels => {
    const change = whatIf(metric, basis).up?.change
    return change === undefined ? { ...levels, [metric]: to } : levelsOf(applied(basis, asDeployed(change)))
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

function shownFix({ fix, newScore, gain }: RankedFix, { basis }: Delivery) {
  if (fix.kind === 'rule') {
    return { kind: 'rule' as const, name: fix.rule.name, newScore, gain, how: fix.rule.message }
  }
  const says = whatIf(fix.metric, basis).up?.says
  const how = says ?? `bring ${WORDS[fix.metric]} from ${fix.from} to ${fix.to}`
  return { kind: 'metric' as const, name: fix.metric, newScore, gain, how }
}

/** For each week, the score of the 30 days before its end. */
function weeksOf(deliveries: Deliveries, nowMs: number): { date: string; score: number | null }[] {
  const thisWeek = bucketStart(nowMs, 'week')
  return Array.from({ length: WEEKS }, (_, at) => {
    const toMs = thisWeek - (WEEKS - 1 - at) * 7 * DAY_MS
    const { levels } = deliveryOf(deliveries, { fromMs: toMs - DAYS * DAY_MS, toMs })
    const score = deliveryScore(levels)
    return { date: dayOf(toMs), score: score === null ? null : rounded(score, 1) }
  })
}
