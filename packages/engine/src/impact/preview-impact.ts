/**
 * How many entities each rule would fail: the question is the check itself, so dates and exemptions are ignored. A rule about
 * the image of a plugin waits for it, as in a check.
 *
 * INVARIANT: memory does not grow with the number of entities.
 */
import { checkAttributes } from '../attributes/check-attributes.js'
import { rulesInForce } from '../rule-set/built-image.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, CompileOptions, Condition, LimitExcess, Rule, RuleSet, Target } from '../types.js'

export interface ImpactEntity {
  readonly id: string
  readonly name?: string | null
  /** Without it the entity is held against the rules of both targets. */
  readonly target?: Target
  readonly attributes: Attributes
}

export interface ImpactOptions extends Omit<CompileOptions, 'strict'> {
  /** `open` (default): every check counts. `evaluate`: a rule whose gate is closed counts neither way. */
  readonly gates?: 'open' | 'evaluate'
  /** Entities to look at; the rest is not read and `truncated` is set. */
  readonly maxEntities?: number
  /** Failing entities to name for each rule, 10 by default. */
  readonly maxSamples?: number
}

export interface ImpactSample {
  readonly entityType: Target | null
  readonly entityId: string
  readonly entityName: string | null
  readonly messages: readonly string[]
}

export interface RuleImpact {
  readonly ruleId: string
  readonly ruleName: string
  readonly target: Target
  /** Entities of the rule's target that were looked at. */
  readonly total: number
  readonly wouldPass: number
  readonly wouldFail: number
  /** Plugins whose image is not there: the rule reads it, and counts them neither way. */
  readonly waiting: number
  readonly truncated: boolean
  /** Failing entities with the smallest ids, ordered by id. */
  readonly samples: readonly ImpactSample[]
}

/** One result per rule, in evaluation order. Warnings count as failing; so does an entity that is over a limit. */
export const previewImpact = (
  rules: readonly Rule[],
  entities: Iterable<ImpactEntity>,
  options: ImpactOptions = {},
): RuleImpact[] => {
  const tally = new Tally(rules, options)
  for (const entity of entities) if (!tally.add(entity)) break
  return tally.results()
}

/** The same over an asynchronous source, such as a database cursor. */
export const previewImpactAsync = async (
  rules: readonly Rule[],
  entities: AsyncIterable<ImpactEntity> | Iterable<ImpactEntity>,
  options: ImpactOptions = {},
): Promise<RuleImpact[]> => {
  const tally = new Tally(rules, options)
  for await (const entity of entities) if (!tally.add(entity)) break
  return tally.results()
}

interface Count {
  readonly rule: Rule
  readonly ruleId: string
  total: number
  passed: number
  failed: number
  waiting: number
  readonly samples: ImpactSample[]
}

const DEFAULT_SAMPLES = 10

/** No rule of a question has dates, but for those that wait: they begin at the end of time. */
const ANY_TIME = 0

export class Tally {
  readonly #ruleSet: RuleSet
  readonly #options: ImpactOptions
  readonly #counts: readonly Count[]
  readonly #byId: ReadonlyMap<string, Count>
  readonly #byTarget: { readonly [target in Target]: readonly Count[] }
  readonly #maxSamples: number
  #entities = 0
  #truncated = false

  constructor(rules: readonly Rule[], options: ImpactOptions) {
    const gates = options.gates ?? 'open'
    this.#ruleSet = compileRules(
      rules.map((rule) => questioned(rule, gates)),
      compileOptions(options),
    )
    this.#options = options
    this.#maxSamples = options.maxSamples ?? DEFAULT_SAMPLES
    this.#counts = this.#ruleSet.rules.map((rule, index) => ({
      rule,
      ruleId: this.#ruleSet.order[index] as string,
      total: 0,
      passed: 0,
      failed: 0,
      waiting: 0,
      samples: [],
    }))
    this.#byId = new Map(this.#counts.map((count) => [count.ruleId, count]))
    const of = (target: Target): readonly Count[] => this.#counts.filter(({ rule }) => isOfTarget(rule, target))
    this.#byTarget = { plugin: of('plugin'), pipeline: of('pipeline') }
  }

  /** False when no further entity is wanted. */
  add(entity: ImpactEntity): boolean {
    if (this.#entities === (this.#options.maxEntities ?? Number.POSITIVE_INFINITY)) {
      this.#truncated = true
      return false
    }
    this.#entities += 1
    const excess = checkAttributes(entity.attributes, this.#options.limits)
    if (excess === null) this.#evaluate(entity)
    else this.#refuse(entity, excess)
    return true
  }

  /** How many of what was looked at fail, over all rules. */
  get failures(): number {
    return this.#counts.reduce((sum, { failed }) => sum + failed, 0)
  }

  results(): RuleImpact[] {
    return this.#counts.map(({ rule, ruleId, total, passed, failed, waiting, samples }) => ({
      ruleId,
      ruleName: rule.name,
      target: rule.target,
      total,
      wouldPass: passed,
      wouldFail: failed,
      waiting,
      truncated: this.#truncated,
      samples,
    }))
  }

  #evaluate(entity: ImpactEntity): void {
    const { attributes, target } = entity
    const { ruleSet, waiting } = rulesInForce(this.#ruleSet, target, attributes)
    const result = ruleSet.evaluate(attributes, { ...(target === undefined ? {} : { target }), now: ANY_TIME })
    for (const count of this.#concerned(entity)) {
      count.total += 1
      count.passed += 1
    }
    for (const { ruleId } of result.skipped) {
      const count = this.#byId.get(ruleId)
      if (count !== undefined) count.passed -= 1
    }
    for (const { ruleId } of waiting) {
      const count = this.#byId.get(ruleId)
      if (count !== undefined) count.waiting += 1
    }
    for (const { ruleId, message } of result.violations) {
      const count = this.#byId.get(ruleId)
      if (count === undefined) continue
      count.passed -= 1
      this.#fail(count, entity, message)
    }
  }

  #refuse(entity: ImpactEntity, { limit, max, actual }: LimitExcess): void {
    for (const count of this.#concerned(entity)) {
      count.total += 1
      this.#fail(count, entity, `the attributes exceed the limit \`${limit}\`: ${actual}, at most ${max}`)
    }
  }

  #concerned(entity: ImpactEntity): readonly Count[] {
    const { target } = entity
    return target === undefined ? this.#counts : this.#byTarget[target]
  }

  #fail(count: Count, entity: ImpactEntity, message: string): void {
    count.failed += 1
    const { samples } = count
    let at = samples.length
    while (at > 0 && (samples[at - 1] as ImpactSample).entityId > entity.id) at -= 1
    if (at >= this.#maxSamples) return
    const sample: ImpactSample = {
      entityType: entity.target ?? null,
      entityId: entity.id,
      entityName: entity.name ?? null,
      messages: [message],
    }
    samples.splice(at, 0, sample)
    if (samples.length > this.#maxSamples) samples.pop()
  }
}

/** A rule of no known target is misconfigured for every entity. */
const isOfTarget = (rule: Rule, target: Target): boolean =>
  rule.target === target || (rule.target !== 'plugin' && rule.target !== 'pipeline')

const compileOptions = ({ limits, regex, redact }: ImpactOptions): CompileOptions => ({
  ...(limits === undefined ? {} : { limits }),
  ...(regex === undefined ? {} : { regex }),
  ...(redact === undefined ? {} : { redact }),
})

/** The rule as a question about its check: in force whatever its dates and state, its gates open if so asked. */
const questioned = (rule: Rule, gates: 'open' | 'evaluate'): Rule => ({
  ...rule,
  ...(gates === 'open' ? withoutGates(rule.conditions) : {}),
  isActive: true,
  isTemplate: false,
  deletedAt: null,
  effectiveFrom: null,
  effectiveUntil: null,
})

/** A rule of gates alone has no check: it stays misconfigured instead of falling back to its single check. */
const withoutGates = (conditions: Rule['conditions']): Partial<Rule> => {
  if (!Array.isArray(conditions) || conditions.length === 0) return {}
  const checks = (conditions as readonly Condition[]).flatMap((condition) => {
    if (typeof condition !== 'object' || condition === null) return [condition]
    const { dependsOnRule, ...check } = condition
    return dependsOnRule !== undefined && Object.keys(check).length === 0 ? [] : [check]
  })
  return checks.length > 0 ? { conditions: checks } : { conditions: null, field: null, operator: null }
}
