/**
 * Compares two rule sets: how the meaning of each rule changes, and how verdicts change for entities that are given or
 * constructed.
 *
 * INVARIANT: the engine has evaluated every witness with both rule sets. When no witness is found and no proof either,
 * the change is `undecided`, never "the same".
 */
import { isLive, ruleIdentity } from '../compile/rule.js'
import type { GroupCache } from '../domain/conjunction.js'
import { and, type Formula, not, solveFormula } from '../domain/formula.js'
import type { Search } from '../domain/literal.js'
import { modelRules, type RuleModel } from '../domain/rule-model.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, CompileOptions, Evaluation, Rule, RuleSet, Target } from '../types.js'
import { own } from '../value/own.js'
import { EntityGroups } from './entity-groups.js'
import type { EntityDifference, RuleDifference, RuleSetDiff, Standing } from './rule-set-diff.js'
import { type Side, sided, withoutSide } from './sided-rules.js'

export interface DiffEntity {
  readonly id: string
  readonly name?: string
  /** When absent, the rules of both targets are evaluated. */
  readonly target?: Target
  readonly attributes: Attributes
}

export interface DiffOptions extends Pick<CompileOptions, 'limits' | 'regex'> {
  /** Entities to compare on; iterated once. When absent, entities are constructed from the rules. */
  readonly entities?: Iterable<DiffEntity>
  /** The most entities listed in each group; 10 by default. */
  readonly maxSamples?: number
}

/**
 * Compares two rule sets. Rules are matched by id, or by name when they have no id.
 *
 * Exemptions are ignored. Dates are ignored too: a rule with dates counts as in force.
 */
export const diffRules = (before: readonly Rule[], after: readonly Rule[], options: DiffOptions = {}): RuleSetDiff => {
  const comparison = new Comparison(before, after, options)
  const rules = comparison.ruleDifferences()
  const groups = new EntityGroups(options.maxSamples ?? 10)
  let entities: number | null = null
  if (options.entities === undefined) comparison.constructEntities(rules, groups)
  else {
    entities = 0
    for (const entity of options.entities) {
      entities += 1
      groups.add(comparison.compareEntity(entity.attributes, entity.target ?? null, entity))
    }
  }
  return {
    rules,
    unchanged: comparison.unchanged,
    newlyBlocked: groups.of('newlyBlocked'),
    newlyAllowed: groups.of('newlyAllowed'),
    newlyWarned: groups.of('newlyWarned'),
    entities,
  }
}

/** Keys whose change cannot change a verdict. */
const cosmeticKeys: ReadonlySet<string> = new Set([
  'id',
  'orgId',
  'name',
  'description',
  'priority',
  'scope',
  'tags',
  'policyIds',
  'policyId',
  'propagateToChildren',
  'suppressNotification',
  'forkedFromRuleId',
  'version',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedBy',
  'purgeAfter',
  'source',
])

const differingKeys = (before: Rule, after: Rule): string[] => {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  const text = (rule: Rule, key: string): string => JSON.stringify(own(rule, key) ?? null)
  return [...keys].filter((key) => text(before, key) !== text(after, key)).sort()
}

interface Pair {
  readonly id: string
  readonly before: RuleModel | null
  readonly after: RuleModel | null
}

const isWarning = (rule: RuleModel): boolean => rule.compiled.severity === 'warning'

class Comparison {
  unchanged = 0
  readonly #engines: { readonly before: RuleSet; readonly after: RuleSet }
  readonly #pairs: readonly Pair[]
  readonly #sides: { readonly before: readonly RuleModel[]; readonly after: readonly RuleModel[] }
  readonly #cache: GroupCache = new Map()
  readonly #originals = new Map<string, Rule>()

  constructor(before: readonly Rule[], after: readonly Rule[], options: DiffOptions) {
    const compileOptions: CompileOptions = {
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.regex === undefined ? {} : { regex: options.regex }),
    }
    this.#engines = { before: compileRules(before, compileOptions), after: compileRules(after, compileOptions) }
    const model = modelRules([...sided(before, 'before'), ...sided(after, 'after')], compileOptions)
    const inOrder = [...model.rules].sort((a, b) => a.position - b.position)
    this.#sides = {
      before: inOrder.filter(({ position }) => position < before.length),
      after: inOrder.filter(({ position }) => position >= before.length),
    }
    for (const [side, rules] of [['before', before] as const, ['after', after] as const]) {
      rules.forEach((rule, position) => {
        const id = `${side} ${ruleIdentity(rule, position).id}`
        if (isLive(rule) && !this.#originals.has(id)) this.#originals.set(id, rule)
      })
    }
    this.#pairs = pairRules(this.#sides.before, this.#sides.after)
  }

  ruleDifferences(): RuleDifference[] {
    const differences: RuleDifference[] = []
    for (const pair of this.#pairs) {
      const difference = this.#ruleDifference(pair)
      if (difference === null) this.unchanged += 1
      else differences.push(difference)
    }
    return differences
  }

  #ruleDifference({ id, before, after }: Pair): RuleDifference | null {
    const rule = after ?? before
    const parts = {
      id,
      name: rule === null ? id : withoutSide(rule.name),
      target: rule?.compiled.target ?? null,
      severity: { before: before?.compiled.severity ?? null, after: after?.compiled.severity ?? null },
    }
    if (before === null || after === null) {
      const formula = (after ?? before)?.violated
      const witness = formula === undefined ? null : this.#look(formula, after === null ? 'before' : 'after', id)
      return {
        ...parts,
        change: before === null ? 'added' : 'removed',
        keys: [],
        stricter: before === null ? witness : null,
        laxer: after === null ? witness : null,
        reason: before === null ? 'the rule is new or newly in force' : 'the rule is gone or no longer in force',
      }
    }
    const [old, now] = [this.#originals.get(before.id), this.#originals.get(after.id)]
    const keys = old === undefined || now === undefined ? [] : differingKeys(old, now)
    const stricter = this.#ask(and([after.violated, not(before.violated)]))
    const laxer = this.#ask(and([before.violated, not(after.violated)]))
    const found = {
      stricter: this.#confirmed(stricter, 'after', id),
      laxer: this.#confirmed(laxer, 'before', id),
    }
    const outside = before.compiled.target !== after.compiled.target || isWarning(before) !== isWarning(after)
    const dated = before.compiled.from !== after.compiled.from || before.compiled.until !== after.compiled.until
    if (found.stricter !== null || found.laxer !== null || outside || dated) {
      return { ...parts, change: 'changed', keys, ...found, reason: changeWords(before, after, found, dated) }
    }
    const doubt = [stricter, laxer].find(({ status }) => status !== 'none')
    if (doubt !== undefined) {
      const reason = doubt.status === 'unknown' ? doubt.reason : 'the constructed entity is judged alike by the engine'
      return { ...parts, change: 'undecided', keys, ...found, reason }
    }
    if (keys.length === 0) return null
    const meant = keys.filter((key) => !cosmeticKeys.has(key))
    const reason =
      meant.length === 0
        ? 'only keys changed that no verdict depends on'
        : 'both versions are violated by exactly the same entities'
    return { ...parts, change: 'cosmetic', keys, ...found, reason }
  }

  #ask(formula: Formula): Search<Attributes> {
    return solveFormula(formula, { cache: this.#cache })
  }

  #look(formula: Formula, side: Side, id: string): Attributes | null {
    const result = this.#ask(formula)
    if (result.status !== 'found') return null
    const { violations } = this.#engines[side].evaluate(result.value)
    return violations.some(({ ruleId }) => ruleId === id) ? result.value : null
  }

  /** Returns the witness when the engine confirms that the rule is violated on this side only; otherwise null. */
  #confirmed(result: Search<Attributes>, side: Side, id: string): Attributes | null {
    if (result.status !== 'found') return null
    const violatedOn = (which: Side): boolean =>
      this.#engines[which].evaluate(result.value).violations.some(({ ruleId }) => ruleId === id)
    return violatedOn(side) && !violatedOn(side === 'after' ? 'before' : 'after') ? result.value : null
  }

  /** Evaluates one entity with both rule sets. */
  compareEntity(
    attributes: Attributes,
    target: Target | null,
    entity: { readonly id: string; readonly name?: string } | null,
  ): EntityDifference {
    const context = target === null ? {} : { target }
    const before = this.#engines.before.evaluate(attributes, context)
    const after = this.#engines.after.evaluate(attributes, context)
    return {
      id: entity?.id ?? null,
      name: entity?.name ?? null,
      target,
      before: standingOf(before),
      after: standingOf(after),
      rules: oneSided(before, after),
      witness: entity === null ? attributes : null,
    }
  }

  /** For each rule that changed, constructs an entity whose standing changes with it, when one can be found. */
  constructEntities(differences: readonly RuleDifference[], groups: EntityGroups): void {
    const seen = new Set<string>()
    for (const difference of differences) {
      if (difference.change === 'cosmetic') continue
      const pair = this.#pairs.find(({ id }) => id === difference.id)
      for (const witness of pair === undefined ? [] : this.#standingWitnesses(pair)) {
        const name = `${difference.target} ${JSON.stringify(witness)}`
        if (seen.has(name)) continue
        seen.add(name)
        groups.add(this.compareEntity(witness, difference.target, null))
      }
    }
  }

  /**
   * Entities whose standing depends on this rule: it violates them on one side, and nothing of equal weight stops them
   * on the other side.
   */
  *#standingWitnesses({ before, after }: Pair): Generator<Attributes> {
    for (const [mine, side] of [
      [after, 'before'],
      [before, 'after'],
    ] as const) {
      if (mine === null) continue
      const counterpart = side === 'before' ? before : after
      const lighter = counterpart !== null && isWarning(counterpart) && !isWarning(mine)
      const goes = lighter || counterpart === null ? mine.violated : and([mine.violated, not(counterpart.violated)])
      const heavy = (rule: RuleModel): boolean => isWarning(mine) || !isWarning(rule)
      const others = this.#sides[side].filter((rule) => rule.compiled.target === mine.compiled.target && heavy(rule))
      const related = others.filter((rule) => [...rule.attributes].some((key) => mine.attributes.has(key)))
      for (const stopping of [related, others]) {
        const still = stopping.filter((rule) => !(lighter && rule === counterpart))
        const result = this.#ask(and([goes, ...still.map(({ violated }) => not(violated))]))
        if (result.status !== 'found') continue
        const { before: old, after: now } = this.compareEntity(result.value, mine.compiled.target, null)
        if (old === now) continue
        yield result.value
        break
      }
    }
  }
}

const pairRules = (before: readonly RuleModel[], after: readonly RuleModel[]): Pair[] => {
  const plain = (model: RuleModel): string => withoutSide(model.id)
  const old = new Map(before.map((model) => [plain(model), model]))
  const pairs: Pair[] = after.map((model) => {
    const id = plain(model)
    const match = old.get(id) ?? null
    old.delete(id)
    return { id, before: match, after: model }
  })
  for (const [id, model] of old) pairs.push({ id, before: model, after: null })
  return pairs
}

const standingOf = (evaluation: Evaluation): Standing =>
  evaluation.blocked ? 'blocked' : evaluation.passed ? 'clean' : 'warned'

const oneSided = (before: Evaluation, after: Evaluation): string[] => {
  const old = new Set(before.violations.map(({ ruleId }) => ruleId))
  const now = new Set(after.violations.map(({ ruleId }) => ruleId))
  return [...now].filter((id) => !old.has(id)).concat([...old].filter((id) => !now.has(id)))
}

const changeWords = (
  before: RuleModel,
  after: RuleModel,
  found: Pick<RuleDifference, 'stricter' | 'laxer'>,
  dated: boolean,
): string => {
  const words: string[] = []
  if (found.stricter !== null && found.laxer !== null)
    words.push('it is stricter for some entities and laxer for others')
  else if (found.stricter !== null) words.push('it is stricter')
  else if (found.laxer !== null) words.push('it is laxer')
  if (isWarning(before) && !isWarning(after)) words.push('it blocks now')
  if (!isWarning(before) && isWarning(after)) words.push('it only warns now')
  if (before.compiled.target !== after.compiled.target) words.push('it applies to the other target')
  if (dated) words.push('its dates changed')
  return words.join(', ')
}
