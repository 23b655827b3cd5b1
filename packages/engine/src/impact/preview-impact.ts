/**
 * Previews how many entities violate each rule. Only the checks count: dates and exemptions are ignored.
 *
 * A rule that reads the image of a plugin waits until the image exists, as in a check. INVARIANT: memory does not grow
 * with the number of entities.
 */
import { checkAttributes } from '../attributes/check-attributes.js'
import { rulesInForce } from '../rule-set/built-image.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, CompileOptions, Condition, LimitExcess, Rule, RuleSet, Target } from '../types.js'

export interface ImpactEntity {
  readonly id: string
  readonly name?: string | null
  /** When absent, the entity is evaluated with the rules of both targets. */
  readonly target?: Target
  readonly attributes: Attributes
}

export interface ImpactOptions extends Omit<CompileOptions, 'strict'> {
  /**
   * `open` (default): every check counts. `evaluate`: a rule whose gate is closed counts neither as passing nor as
   * failing.
   */
  readonly gates?: 'open' | 'evaluate'
  /**
   * The most entities to evaluate; no limit by default. When there are more, the others are not read and `truncated` is
   * true.
   */
  readonly maxEntities?: number
  /** The most failing entities to list for each rule; 10 by default. */
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
  /** The number of entities of the rule's target that were evaluated. */
  readonly total: number
  readonly wouldPass: number
  readonly wouldFail: number
  /**
   * The number of plugins without an image, when the rule reads the image. They count neither as passing nor as
   * failing.
   */
  readonly waiting: number
  readonly truncated: boolean
  /** The failing entities with the smallest ids, in ascending order of id. */
  readonly samples: readonly ImpactSample[]
}

/**
 * Returns one result for each rule, in evaluation order. A violation of severity `warning` counts as failing. An entity
 * that exceeds a limit fails every rule of its target.
 */
export const previewImpact = (
  rules: readonly Rule[],
  entities: Iterable<ImpactEntity>,
  options: ImpactOptions = {},
): RuleImpact[] => {
  const tally = new Tally(rules, options)
  for (const entity of entities) if (!tally.add(entity)) break
  return tally.results()
}

/** Like `previewImpact`, over an asynchronous source such as a database cursor. */
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

/**
 * Any instant will do: the rules have no dates here, except those that wait for an image and begin at the last possible
 * instant.
 */
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

  /** Evaluates an entity. Returns false when `maxEntities` was reached, so that the caller stops reading. */
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

  /** The number of failures of all rules together. */
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

/** A rule without a known target is misconfigured for entities of both targets. */
const isOfTarget = (rule: Rule, target: Target): boolean =>
  rule.target === target || (rule.target !== 'plugin' && rule.target !== 'pipeline')

const compileOptions = ({ limits, regex, redact }: ImpactOptions): CompileOptions => ({
  ...(limits === undefined ? {} : { limits }),
  ...(regex === undefined ? {} : { regex }),
  ...(redact === undefined ? {} : { redact }),
})

/** A copy of the rule that is in force whatever its dates and state are. With `gates: 'open'` it has no gates either. */
const questioned = (rule: Rule, gates: 'open' | 'evaluate'): Rule => ({
  ...rule,
  ...(gates === 'open' ? withoutGates(rule.conditions) : {}),
  isActive: true,
  isTemplate: false,
  deletedAt: null,
  effectiveFrom: null,
  effectiveUntil: null,
})

/** A rule that has only gates has no check. It stays misconfigured and must not fall back to its single check. */
const withoutGates = (conditions: Rule['conditions']): Partial<Rule> => {
  if (!Array.isArray(conditions) || conditions.length === 0) return {}
  const checks = (conditions as readonly Condition[]).flatMap((condition) => {
    if (typeof condition !== 'object' || condition === null) return [condition]
    const { dependsOnRule, ...check } = condition
    return dependsOnRule !== undefined && Object.keys(check).length === 0 ? [] : [check]
  })
  return checks.length > 0 ? { conditions: checks } : { conditions: null, field: null, operator: null }
}
