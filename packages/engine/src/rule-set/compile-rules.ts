/** Compiles rules to a rule set: they are read once, arranged once for each target, and evaluated often. */
import { arrange, type Outline, resolver } from '../compile/arrange.js'
import { outlineOf } from '../compile/outline.js'
import { makePlan, type Plan } from '../compile/plan.js'
import { type CompiledRule, compileRule, isLive, ruleIdentity } from '../compile/rule.js'
import { Workshop } from '../compile/workshop.js'
import { RuleError, reporter } from '../errors.js'
import type { OnExempt } from '../evaluate/decide.js'
import { Evaluator } from '../evaluate/evaluator.js'
import { createSafeRegex } from '../regex/index.js'
import type {
  Attributes,
  BriefContext,
  BriefEvaluation,
  BriefViolation,
  CompileOptions,
  Evaluation,
  EvaluationContext,
  EvaluationOf,
  Rule,
  RuleIssue,
  RuleSet,
  Target,
  Violation,
} from '../types.js'
import { isObject } from '../value/own.js'

/**
 * Compiles rules for repeated evaluation. The rules are not read again afterwards: compile again after a change.
 *
 * @throws {RuleError} with every issue, when `strict` is set and there is at least one.
 * @throws {TypeError} when `rules` is not a list.
 */
export const compileRules = (rules: readonly Rule[], options: CompileOptions = {}): RuleSet => {
  if (!Array.isArray(rules)) throw new TypeError('rules must be a list')
  const compilation = new Compilation(rules, options)
  if (options.strict === true && compilation.issues.length > 0) throw new RuleError(compilation.issues)
  return compilation
}

/**
 * Compiles rules, evaluates one entity and discards the rule set. Use `compileRules` to evaluate more than one entity.
 *
 * @throws {RuleError} when `options.strict` is set and a rule has an issue.
 * @throws {TypeError} when `rules` is not a list or `attributes` is not an object.
 */
export const evaluateRules = (
  rules: readonly Rule[],
  attributes: Attributes,
  context?: EvaluationContext,
  options?: CompileOptions,
): Evaluation => compileRules(rules, options).evaluate(attributes, context)

/** Returns the compiled form of a rule set. A rule set that this module did not make is compiled again from its rules. */
export const compilationOf = (ruleSet: RuleSet): Compilation =>
  ruleSet instanceof Compilation ? ruleSet : new Compilation(ruleSet.rules, ruleSet.options)

interface LiveRule {
  readonly rule: Rule
  readonly outline: Outline
}

export class Compilation implements RuleSet {
  readonly issues: readonly RuleIssue[]
  readonly order: readonly string[]
  readonly rules: readonly Rule[]
  readonly options: CompileOptions
  readonly #live: readonly LiveRule[]
  readonly #dormant: ReadonlySet<string>
  readonly #compiled: ReadonlyMap<Outline, CompiledRule>
  readonly #workshop: Workshop
  readonly #redact: boolean
  readonly #whole: Evaluator
  readonly #byTarget = new Map<Target, Evaluator>()

  constructor(rules: readonly Rule[], options: CompileOptions) {
    const duplicates: RuleIssue[] = []
    const dormant = new Set<string>()
    this.#live = takeLive(rules, dormant, duplicates)
    this.#dormant = dormant
    this.options = options
    this.#redact = options.redact !== false
    this.#workshop = new Workshop(options, options.regex ?? createSafeRegex())

    const order = this.#arranged(this.#live)
    const compiled = new Map<Outline, CompiledRule>()
    for (const { live } of order.placed) {
      const { id, name } = live.outline
      compiled.set(live.outline, compileRule(live.rule, id, name, this.#workshop))
    }
    this.#compiled = compiled
    const plan = this.#plan(order)
    this.#whole = new Evaluator(plan, this.#redact)
    this.order = order.placed.map(({ live }) => live.outline.id)
    this.rules = order.placed.map(({ live }) => live.rule)
    this.issues = [...plan.rules.flatMap((rule) => [...rule.compiled.issues, ...rule.issues]), ...duplicates]
  }

  evaluate(attributes: Attributes, context: BriefContext): BriefEvaluation
  /** @param waived Receives each exempt rule. */
  evaluate(attributes: Attributes, context?: EvaluationContext, waived?: OnExempt): Evaluation
  evaluate(
    attributes: Attributes,
    context?: EvaluationContext | BriefContext,
    waived?: OnExempt,
  ): EvaluationOf<Violation | BriefViolation> {
    if (!isObject(attributes)) throw new TypeError('attributes must be an object')
    return this.#of(context?.target).run(attributes, context, waived)
  }

  /** Returns the plan that `evaluate` runs for a target. */
  planFor(target: Target | undefined): Plan {
    return this.#of(target).plan
  }

  /** Returns the evaluator of one target, or of all. Its rules are arranged when they are first asked for. */
  #of(target: Target | undefined): Evaluator {
    if (target === undefined) return this.#whole
    const known = this.#byTarget.get(target)
    if (known !== undefined) return known
    const part = this.#live.filter(({ outline }) => outline.target === null || outline.target === target)
    const evaluator =
      part.length === this.#live.length ? this.#whole : new Evaluator(this.#plan(this.#arranged(part)), this.#redact)
    if (target === 'plugin' || target === 'pipeline') this.#byTarget.set(target, evaluator)
    return evaluator
  }

  #arranged(part: readonly LiveRule[]): Arranged {
    const outlines = part.map(({ outline }) => outline)
    const everywhere = part === this.#live ? outlines : this.#live.map(({ outline }) => outline)
    const resolve = resolver(outlines, everywhere, this.#dormant)
    const { order, cycles } = arrange(outlines, resolve)
    const positions = new Int32Array(outlines.length)
    const placed = order.map((index, position) => {
      positions[index] = position
      return { live: part[index] as LiveRule, cycle: cycles[index] ?? null }
    })
    return {
      placed,
      position: (reference, target) => {
        const index = resolve(reference, target)
        return index < 0 ? index : (positions[index] as number)
      },
    }
  }

  #plan(arranged: Arranged): Plan {
    const ordered = arranged.placed.map(({ live, cycle }) => ({
      compiled: this.#compiled.get(live.outline) as CompiledRule,
      cycle,
    }))
    return makePlan(ordered, arranged.position, this.#workshop)
  }
}

interface Arranged {
  readonly placed: readonly { readonly live: LiveRule; readonly cycle: readonly string[] | null }[]
  readonly position: (reference: string, target: Target | null) => number
}

/** Collects the live rules. Of two live rules with one id the first counts, and the second is reported. */
const takeLive = (rules: readonly Rule[], dormant: Set<string>, duplicates: RuleIssue[]): LiveRule[] => {
  const taken = new Set<string>()
  const live: LiveRule[] = []
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index] as Rule
    const { id, name } = ruleIdentity(rule, index)
    if (!isLive(rule)) {
      dormant.add(id)
    } else if (taken.has(id)) {
      reporter(id, name, duplicates)(
        '/id',
        'duplicate_id',
        `another rule before this one has the id \`${id}\``,
        'give each rule its own id or name',
      )
    } else {
      taken.add(id)
      live.push({ rule, outline: outlineOf(rule, id, name) })
    }
  }
  return live
}
