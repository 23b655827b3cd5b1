/**
 * What all parts of the analysis share: the rules as formulas, the engine, and sample entities that the engine has
 * evaluated.
 *
 * INVARIANT: the samples carry the engine's verdicts. A claim that a sample refutes is never made. A proof is attempted
 * only when no sample refutes the claim.
 */
import { buildEntity, placeValue, readPlaces } from '../domain/candidates.js'
import type { GroupCache } from '../domain/conjunction.js'
import { fixedSequence } from '../domain/fixed-sequence.js'
import { type Formula, literalsOf, smallestConflict, solveFormula } from '../domain/formula.js'
import type { Literal, Search } from '../domain/literal.js'
import { modelRules, type RuleModel, type RuleSetModel } from '../domain/rule-model.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, CompileOptions, Rule, RuleSet } from '../types.js'
import { type Finding, type FindingCode, findingCatalogue, type RuleRef } from './finding.js'

export interface LintOptions extends Pick<CompileOptions, 'limits' | 'regex'> {
  /** The most contradictions and subsumptions to report for one rule; 10 by default. */
  readonly maxPairsPerRule?: number
  /** The most questions to decide that no sample settles; 50,000 by default. */
  readonly maxQuestions?: number
}

export type Verdict = 'passed' | 'violated' | 'skipped'

interface Sample {
  readonly passed: Uint32Array
  readonly violated: Uint32Array
}

/**
 * The most sample entities at the borders of one rule. With many rules each gets fewer, because every rule is run on
 * every sample.
 */
const MOST_BOUNDARY_SAMPLES = 12
const BOUNDARY_SAMPLES = 2_000
const MAX_SAMPLES = 12_000

export class LintContext {
  readonly model: RuleSetModel
  readonly engine: RuleSet
  readonly options: LintOptions
  readonly findings: Finding[] = []
  questions = 0
  undecided = 0
  notReported = 0
  notCompared = 0
  /** For each rule, the samples in which it passed and those in which it was violated. */
  readonly samples = new Map<RuleModel, Sample>()
  readonly #cache: GroupCache = new Map()
  readonly #words = new Map<number, string>()

  constructor(rules: readonly Rule[], options: LintOptions) {
    const compileOptions: CompileOptions = {
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.regex === undefined ? {} : { regex: options.regex }),
    }
    this.options = options
    this.model = modelRules(rules, compileOptions)
    this.engine = compileRules(rules, compileOptions)
    for (const { compiled } of this.model.rules) {
      for (const { check, message } of compiled.entries) if (check !== null) this.#words.set(check.index, message)
    }
    this.#takeSamples()
  }

  ref(rule: RuleModel): RuleRef {
    return { id: rule.id, name: rule.name, position: rule.position }
  }

  report(
    code: FindingCode,
    rules: readonly RuleModel[],
    pointer: string,
    parts: Pick<Finding, 'message' | 'advice' | 'reason'> & Partial<Pick<Finding, 'status' | 'witness' | 'fix'>>,
  ): void {
    const status = parts.status ?? 'proved'
    if (status === 'unknown') this.undecided += 1
    this.findings.push({
      code,
      severity: status === 'unknown' ? 'info' : findingCatalogue[code].severity,
      status,
      rules: rules.map((rule) => this.ref(rule)),
      pointer,
      message: parts.message,
      advice: parts.advice,
      reason: parts.reason,
      ...(parts.witness === undefined ? {} : { witness: parts.witness }),
      ...(parts.fix === undefined ? {} : { fix: parts.fix }),
    })
  }

  /**
   * Finds an entity that makes the formula true. Each call counts as a question, because the search is what takes time.
   */
  ask(formula: Formula): Search<Attributes> {
    this.questions += 1
    return solveFormula(formula, { cache: this.#cache })
  }

  /** Solves a formula that contains a check of its own. Its result must not enter the shared cache. */
  askAside(formula: Formula): Search<Attributes> {
    return solveFormula(formula)
  }

  /** Finds an entity without counting a question. */
  look(formula: Formula): Attributes | null {
    const result = solveFormula(formula, { cache: this.#cache })
    return result.status === 'found' ? result.value : null
  }

  /**
   * Returns the engine's verdict on an entity.
   *
   * @param about The rules to evaluate; all rules by default. When none of them has a gate, the other rules cannot
   * change the result and are left out.
   */
  verdicts(attributes: Attributes, about: readonly RuleModel[] | null = null): (rule: RuleModel) => Verdict {
    const alone = about?.every(({ gated }) => !gated) === true
    const engine = alone
      ? compileRules(
          about.map(({ rule }) => rule),
          this.engine.options,
        )
      : this.engine
    const { violations, skipped } = engine.evaluate(attributes)
    const violated = new Set(violations.map(({ ruleId }) => ruleId))
    const left = new Set(skipped.map(({ ruleId }) => ruleId))
    return ({ id }) => (violated.has(id) ? 'violated' : left.has(id) ? 'skipped' : 'passed')
  }

  /** Puts the proof that a formula has no entity into words, with a few of the conflicts that close its cases. */
  proofOf(formula: Formula): string {
    const conflicts = new Set<string>()
    let cases = 0
    solveFormula(formula, {
      cache: this.#cache,
      onConflict: (literals) => {
        cases += 1
        if (conflicts.size < 3) conflicts.add(this.#conflictWords(smallestConflict(literals, this.#cache)))
      },
    })
    if (cases === 0) return 'the conditions leave no case at all'
    const more = cases > conflicts.size && conflicts.size === 3 ? `; and so in each of ${cases} cases` : ''
    return `${[...conflicts].join('; ')}${more}`
  }

  #conflictWords(literals: readonly Literal[]): string {
    const parts = literals.map(({ check, path, holds }) => {
      const words = this.#words.get(check.index) ?? `the check of \`${path.text}\``
      return holds ? words : `not (${words})`
    })
    return parts.length === 1 ? `no value meets: ${parts[0]}` : `no value meets all of: ${parts.join(', ')}`
  }

  /** Takes samples: witnesses of each verdict of each rule, and entities at the borders of its checks. */
  #takeSamples(): void {
    const entities: Attributes[] = [{}]
    const choose = fixedSequence(1)
    const { rules } = this.model
    const boundary = Math.max(1, Math.min(MOST_BOUNDARY_SAMPLES, Math.floor(BOUNDARY_SAMPLES / (rules.length + 1))))
    for (const rule of rules) {
      if (entities.length >= MAX_SAMPLES) break
      for (const formula of [rule.passes, rule.violated]) {
        const witness = formula.kind === 'false' ? null : this.look(formula)
        if (witness !== null) entities.push(witness)
      }
      entities.push(...atBounds(rule))
      const places = readPlaces(literalsOf([rule.applies, rule.passes, rule.violated]))
      for (let count = 0; count < boundary; count++) entities.push(buildEntity(places, choose))
    }
    const words = Math.ceil(entities.length / 32)
    for (const rule of rules) {
      this.samples.set(rule, { passed: new Uint32Array(words), violated: new Uint32Array(words) })
    }
    entities.forEach((entity, index) => {
      const verdict = this.verdicts(entity)
      const word = index >>> 5
      const bit = 1 << (index & 31)
      for (const [rule, { passed, violated }] of this.samples) {
        const bits = { passed, violated, skipped: null }[verdict(rule)]
        if (bits !== null) bits[word] = (bits[word] as number) | bit
      }
    })
  }
}

/** Entities on either side of the only bound of a rule, so that neighbouring bounds are told apart without a question. */
const atBounds = (rule: RuleModel): Attributes[] => {
  const [literal, more] = literalsOf([rule.passes, rule.violated])
  if (literal === undefined || more !== undefined || literal.path.calls.length > 0) return []
  const { number } = literal.check
  return [number, number + 1].filter(Number.isFinite).map((value) => {
    const entity: { [key: string]: unknown } = {}
    placeValue(entity, literal.path.segments, value, false)
    return entity
  })
}

/** True when some sample is in both sets. */
export const overlaps = (a: Uint32Array, b: Uint32Array): boolean => {
  for (let at = 0; at < a.length; at++) if (((a[at] as number) & (b[at] as number)) !== 0) return true
  return false
}

/** True when every sample of `a` is in `b`. */
export const within = (a: Uint32Array, b: Uint32Array): boolean => {
  for (let at = 0; at < a.length; at++) if (((a[at] as number) & ~(b[at] as number)) !== 0) return false
  return true
}

export const sizeOf = (bits: Uint32Array): number => {
  let size = 0
  for (let word of bits) for (; word !== 0; word &= word - 1) size += 1
  return size
}
