/**
 * Runs a share of the proof: every group of cases whose number falls to this shard.
 *
 * INVARIANT: a group depends on (seed, number) alone, so a failure repeats with `--seed S --group N` whatever the
 * number of workers.
 */
import type { Attributes, Evaluation, EvaluationContext, RuleSet } from '../src/index.js'
import { compileRules, evaluateRules } from '../src/index.js'
import { toModule } from '../src/standalone/index.js'
import { compareEvaluations, type Difference, isSame } from './compare.js'
import { type Group, generateGroup, TRIALS_PER_GROUP } from './generate/group.js'
import { oracle, oracleOrder } from './oracle.js'
import { Random } from './random.js'
import { readable } from './readable.js'
import { shrink } from './shrink.js'

export interface ShardRequest {
  readonly seed: number
  /** First group of this shard. */
  readonly first: number
  /** Distance to the next one: the number of shards. */
  readonly step: number
  /** First group that is not run any more. */
  readonly end: number
  /** Stop after so many differences. */
  readonly maxDifferences: number
  /** Whether failures are made small before they are reported. */
  readonly shrinks: boolean
}

export interface Failure {
  readonly at: string
  readonly group: number
  /** Both answers and the case, as text: its values may be such that no thread can hand them over. */
  readonly text: string
}

export interface ShardReport {
  readonly cases: number
  readonly oneShotCases: number
  readonly standaloneCases: number
  readonly violations: number
  readonly skipped: number
  readonly misconfigured: number
  /** Longest single evaluation of the engine, in milliseconds. */
  readonly slowestMs: number
  readonly failures: readonly Failure[]
}

/** One in so many groups is evaluated by the one-shot form too. */
const ONE_SHOT_EVERY = 16
/** One in so many becomes a standalone module; making one costs more than all its evaluations. */
const STANDALONE_EVERY = 64

export function runShard(request: ShardRequest, onProgress?: (cases: number) => void): ShardReport {
  const report = {
    cases: 0,
    oneShotCases: 0,
    standaloneCases: 0,
    violations: 0,
    skipped: 0,
    misconfigured: 0,
    slowestMs: 0,
  }
  const failures: Failure[] = []
  for (let number = request.first; number < request.end; number += request.step) {
    const group = makeGroup(request.seed, number)
    const forms = {
      oneShot: number % ONE_SHOT_EVERY < request.step,
      standalone: number % STANDALONE_EVERY < request.step,
    }
    const difference = compareGroup(group, forms, report)
    if (difference) {
      const stillFails = (candidate: Group) => compareGroup(candidate, forms, null) !== null
      const shrunk = request.shrinks ? shrink(group, stillFails) : group
      const { at, oracle, engine } = compareGroup(shrunk, forms, null) ?? difference
      failures.push({ at, group: number, text: readable({ oracle, engine, ...shrunk }) })
      if (failures.length >= request.maxDifferences) break
    }
    if (onProgress && report.cases % 4096 < TRIALS_PER_GROUP) onProgress(report.cases)
  }
  return { ...report, failures }
}

export const makeGroup = (seed: number, number: number): Group => generateGroup(new Random(seed, number))

type Tally = { -readonly [K in keyof Omit<ShardReport, 'failures'>]: number } | null
type Evaluate = (attributes: Attributes, context: EvaluationContext) => Evaluation

/** The first difference on a group: oracle against engine, then the engine's other forms against the engine. */
export function compareGroup(
  group: Group,
  forms: { readonly oneShot: boolean; readonly standalone: boolean },
  tally: Tally,
): Difference | null {
  const { rules, redact } = group
  try {
    const ruleSet = compileRules(rules, { redact })
    const order = oracleOrder(rules)
    if (!isSame(order, ruleSet.order)) return { at: 'order', oracle: order, engine: ruleSet.order }
    const standalone = forms.standalone ? loadModule(ruleSet) : null
    for (const trial of group.trials) {
      const { attributes, context } = trial
      const expected = oracle(rules, attributes, context, redact)
      const actual = timed(() => ruleSet.evaluate(attributes, context), tally)
      const difference = compareEvaluations(expected, actual)
      if (difference) return difference
      if (forms.oneShot) {
        const again = evaluateRules(rules, attributes, context, { redact })
        if (!isSame(actual, again)) return { at: 'evaluateRules', oracle: actual, engine: again }
        if (tally) tally.oneShotCases++
      }
      if (standalone) {
        const again = standalone(attributes, context)
        if (!isSame(actual, again)) return { at: 'standalone module', oracle: actual, engine: again }
        if (tally) tally.standaloneCases++
      }
      if (tally) count(actual, tally)
    }
  } catch (error) {
    return { at: 'throw', oracle: 'no throw', engine: error instanceof Error ? error.stack : String(error) }
  }
  return null
}

function count(verdict: Evaluation, tally: NonNullable<Tally>): void {
  tally.cases++
  tally.violations += verdict.violations.length
  tally.skipped += verdict.rulesSkipped
  tally.misconfigured += verdict.violations.filter((violation) => violation.issue !== null).length
}

/** The longest evaluation; one that looks slow is repeated, so that the scheduler of a busy machine is not blamed on it. */
function timed(evaluate: () => Evaluation, tally: Tally): Evaluation {
  const run = () => {
    const start = performance.now()
    const verdict = evaluate()
    return { verdict, ms: performance.now() - start }
  }
  const { verdict, ms } = run()
  if (tally && ms > tally.slowestMs && ms > 1) {
    tally.slowestMs = Math.max(tally.slowestMs, Math.min(ms, run().ms, run().ms, run().ms))
  }
  return verdict
}

/** Evaluates the module's text in place of `import()`, which would keep every module for ever. */
function loadModule(ruleSet: RuleSet): Evaluate {
  const source = toModule(ruleSet, { regex: 'inline' })
  return new Function(`${source.replace('export function evaluate', 'function evaluate')}\nreturn evaluate`)()
}
