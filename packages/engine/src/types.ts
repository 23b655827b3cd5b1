/**
 * The words of the engine: rules, attributes, context and verdict.
 *
 * Everything here is a plain value. Nothing in a result refers to the attributes it was computed from.
 * Source: spec compliance 1 to 5 and 18.
 */

/** What `JSON.parse` yields. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Attributes of one entity: a JSON object. */
export type Attributes = { readonly [key: string]: unknown }

/** The kind of entity a rule applies to. */
export type Target = 'plugin' | 'pipeline'

/** `warning` never blocks; every other severity, unknown ones included, blocks. */
export type Severity = 'warning' | 'error' | 'critical'

export type RuleScope = 'org' | 'published'

export type ConditionMode = 'all' | 'any'

/** Where an enforced rule comes from (spec compliance 4.5). */
export type RuleSource = 'own' | 'inherited' | 'subscribed'

/** The 18 operators (spec compliance 2). */
export type OperatorName =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'contains'
  | 'notContains'
  | 'in'
  | 'notIn'
  | 'regex'
  | 'exists'
  | 'notExists'
  | 'notEmpty'
  | 'countGt'
  | 'countLt'
  | 'lengthGt'
  | 'lengthLt'

/** The computed fields usable in a path. */
export type ComputedFunctionName = '$count' | '$length' | '$keys' | '$lines'

/**
 * One entry of `conditions` (spec compliance 1.2).
 *
 * `{field, operator, value}` is a check, `{dependsOnRule}` a gate of the whole rule, and all of them together a gated
 * check, which is left out when its gate is closed.
 */
export interface Condition {
  readonly field?: string
  readonly operator?: OperatorName
  readonly value?: JsonValue
  /** Id of the rule that must have passed, or a name that is unique in the evaluated set. */
  readonly dependsOnRule?: string
}

/** A rule as an author writes it; what is left out takes the defaults of spec compliance 1. */
export interface Rule {
  /** Defaults to `name`. */
  readonly id?: string
  readonly orgId?: string | null
  readonly name: string
  readonly description?: string | null
  readonly target: Target
  /** Defaults to `error`. */
  readonly severity?: Severity
  /** 0 to 10000, higher first. Defaults to 0. */
  readonly priority?: number
  readonly scope?: RuleScope
  readonly field?: string | null
  readonly operator?: OperatorName | null
  readonly value?: JsonValue
  /** Replaces the single check when it is not empty. */
  readonly conditions?: readonly Condition[] | null
  /** Defaults to `all`. */
  readonly conditionMode?: ConditionMode | null
  readonly tags?: readonly string[]
  readonly policyIds?: readonly string[]
  readonly policyId?: string | null
  readonly propagateToChildren?: boolean
  readonly isTemplate?: boolean
  readonly isActive?: boolean
  readonly suppressNotification?: boolean
  /** Both ends inclusive. Text is ISO 8601 with `Z` or an offset. */
  readonly effectiveFrom?: string | Date | null
  readonly effectiveUntil?: string | Date | null
  readonly forkedFromRuleId?: string | null
  readonly version?: number
  readonly createdAt?: string | Date
  readonly createdBy?: string | null
  readonly updatedAt?: string | Date
  readonly updatedBy?: string | null
  readonly deletedAt?: string | Date | null
  readonly deletedBy?: string | null
  readonly purgeAfter?: string | Date | null
  /** Set by `mergeRules`; `own` when absent. */
  readonly source?: RuleSource
}

/** A rule that `mergeRules` has placed. */
export type SourcedRule = Rule & { readonly source: RuleSource }

/** What a record is called by where its id is not known. A version of `*` in an exemption names every version. */
export type EntityKey =
  | { readonly project: string; readonly organization: string }
  | { readonly name: string; readonly version: string }

/** A waiver of one rule for one record (spec compliance 9, reduced to what evaluation reads). */
export interface Exemption {
  readonly id: string
  readonly ruleId: string
  /** Applies when absent or `approved`. */
  readonly status?: string
  readonly expiresAt?: string | Date | null
  readonly orgId?: string | null
  readonly entityType?: Target | null
  readonly entityId?: string | null
  /**
   * The key of the record. Beside `entityId` it is the key of that same record, and counts only for an entity whose id is
   * not known.
   */
  readonly entityKey?: EntityKey | null
}

/** The entity being evaluated, for the scope of exemptions. */
export interface EntityRef {
  readonly orgId?: string
  readonly type?: Target
  readonly id?: string
  /** `entityKeyOf` gives it. */
  readonly key?: EntityKey | null
}

/** What the caller knows about this evaluation; everything is optional. */
export interface EvaluationContext {
  /** When given, rules of the other target are left out and counted nowhere. */
  readonly target?: Target
  readonly entity?: EntityRef
  readonly exemptions?: readonly Exemption[]
  /**
   * The instant of the evaluation: Date, ISO text or epoch milliseconds. Without it no clock is read and the stricter
   * reading holds: dated rules are in force, an exemption with `expiresAt` does not apply.
   */
  readonly now?: Date | string | number
}

/** Asks for violations in brief. */
export interface BriefContext extends EvaluationContext {
  readonly detail: 'brief'
}

/** Bounds of an entity's attributes (spec compliance 5) and of a pattern. */
export interface Limits {
  /** Top-level keys, 100 by default. */
  readonly keys?: number
  /** Path segments from the root, 10 by default. */
  readonly depth?: number
  /** Values in total, 20,000 by default. */
  readonly nodes?: number
  /** UTF-16 units of a pattern, 100 by default. */
  readonly regexLength?: number
}

/** Why a rule or a condition cannot be evaluated, and what authoring refuses. */
export type RuleIssueCode =
  | 'not_an_object'
  | 'unknown_key'
  | 'missing_name'
  | 'invisible_name'
  | 'invalid_type'
  | 'out_of_range'
  | 'too_long'
  | 'too_many'
  | 'unknown_target'
  | 'unknown_severity'
  | 'unknown_scope'
  | 'unknown_mode'
  | 'unknown_operator'
  | 'no_check'
  | 'no_live_check'
  | 'invalid_condition'
  | 'invalid_path'
  | 'unknown_function'
  | 'invalid_value'
  | 'missing_value'
  | 'unexpected_value'
  | 'invalid_date'
  | 'date_order'
  | 'not_allowed'
  | 'regex_too_long'
  | 'regex_syntax'
  | 'regex_unsafe'
  | 'regex_unsupported'
  | 'regex_empty'
  | 'regex_budget'
  | 'regex_engine'
  | 'duplicate_id'
  | 'duplicate_name'
  | 'dependency_unknown'
  | 'dependency_ambiguous'
  | 'dependency_target'
  | 'dependency_cycle'

/** One problem of a rule. Every problem is reported at once. */
export interface RuleIssue {
  readonly ruleId: string | null
  readonly ruleName: string | null
  /** JSON pointer (RFC 6901) into the rule, `` for the rule as a whole. */
  readonly pointer: string
  readonly code: RuleIssueCode
  readonly message: string
  /** What the author can do about it. */
  readonly fix: string
  /** For `dependency_cycle`: the ids on the cycle, in order. */
  readonly cycle?: readonly string[]
}

/** One entry of a rule with `conditionMode: any` that did not hold. */
export interface Failure {
  readonly field: string
  readonly operator: OperatorName
  readonly expected: JsonValue
  /** Redacted and bounded as `actualValue`; absent is null. */
  readonly actual: JsonValue
}

/** A rule that does not hold (spec compliance 4.4). */
export interface Violation {
  readonly ruleId: string
  readonly ruleName: string
  readonly description: string | null
  readonly policyId: string | null
  readonly policyIds: readonly string[]
  /** Field of the rule or of its first failing entry; `unknown` when misconfigured without one. */
  readonly field: string
  readonly operator: string | null
  readonly expectedValue: JsonValue
  /** Redacted and bounded; absent is null. */
  readonly actualValue: JsonValue
  /** The rule's own severity, also when it is not one of the three known ones. */
  readonly severity: string
  /**
   * What the rule demands. Fixed at compile time, without an actual value, unless there are `failures`: then it also says
   * what was found, redacted and cut, and `messageWithoutValues` gives the text without it.
   */
  readonly message: string
  readonly source: RuleSource
  readonly suppressNotification: boolean
  /** Set when the rule could not be evaluated: the code of its first issue. */
  readonly issue: RuleIssueCode | null
  /**
   * For `conditionMode: any` with several entries: the entries that failed, in the order of the rule, at most 10. Absent in
   * every other violation. Entries that a closed gate leaves out or that are misconfigured are not among them.
   */
  readonly failures?: readonly Failure[]
}

export type SkipReason =
  | 'not_effective'
  | 'dependency_failed'
  | 'dependency_skipped'
  | 'dependency_unavailable'
  | 'exempt'

export interface SkippedRule {
  readonly ruleId: string
  readonly ruleName: string
  readonly reason: SkipReason
}

/** A violation in brief: what `detail: 'brief'` shows. Frozen, and shared by results. */
export type BriefViolation = Pick<Violation, 'ruleId' | 'severity' | 'field'>

/** The verdict on one entity (spec compliance 4.4). */
export type Evaluation = EvaluationOf<Violation>

/** The same verdict with its violations in brief. */
export type BriefEvaluation = EvaluationOf<BriefViolation>

export interface EvaluationOf<Shown> {
  /** No violation of any severity. */
  readonly passed: boolean
  /** At least one violation that is not a warning. */
  readonly blocked: boolean
  /** Every violation of every severity, in evaluation order. */
  readonly violations: readonly Shown[]
  /** Those of severity `warning`, again. */
  readonly warnings: readonly Shown[]
  readonly rulesEvaluated: number
  readonly rulesSkipped: number
  readonly exemptionsApplied: readonly string[]
  readonly skipped: readonly SkippedRule[]
  /** How many issues the evaluated rules carry. */
  readonly issues: number
}

/** The excess that `checkAttributes` found first. */
export interface LimitExcess {
  readonly limit: 'keys' | 'depth' | 'nodes'
  readonly max: number
  readonly actual: number
}

/** Why a pattern is refused at authoring time (spec compliance 2.3). */
export type RegexRefusalReason = 'too_long' | 'syntax' | 'unsafe' | 'unsupported' | 'empty' | 'budget'

export interface RegexRefusal {
  readonly reason: RegexRefusalReason
  readonly message: string
  /** UTF-16 offset into the pattern, where one can be named. */
  readonly position?: number
}

/** A pattern ready to run. `test` searches (unanchored) and throws only `RegexEngineFault`. */
export interface CompiledPattern {
  readonly pattern: string
  /** `native` only when the whole unanchored search is proven linear; `positions` when an engine could be kept busy. */
  readonly engine: 'native' | 'positions' | 're2js' | 're2-wasm'
  test(text: string): boolean
}

/** The only code that turns data into a pattern. Made by `createSafeRegex`. */
export interface SafeRegex {
  /** Decides from the parsed pattern alone, without running an engine. `null` is acceptance. */
  check(pattern: string, maxLength: number): RegexRefusal | null
  /** Upper bound of the program's instructions, for the budget of a rule set. */
  cost(pattern: string): number
  /** Compiles an accepted pattern, at the first use of `test`; interned within this value. */
  compile(pattern: string): CompiledPattern
}

export interface CompileOptions {
  readonly limits?: Limits
  readonly regex?: SafeRegex
  /** Redaction of `actualValue` and `expectedValue`; on by default. */
  readonly redact?: boolean
  /** Throw `RuleError` with every issue instead of carrying misconfigured rules. */
  readonly strict?: boolean
}

/** Rules compiled once, evaluated often. */
export interface RuleSet {
  /** Everything that is misconfigured, in rule order. */
  readonly issues: readonly RuleIssue[]
  /** Rule ids in evaluation order (spec compliance 4.3). */
  readonly order: readonly string[]
  /** The live rules, in evaluation order, as they were given. */
  readonly rules: readonly Rule[]
  readonly options: CompileOptions
  /** With `detail: 'brief'` violations have the rule's id, its severity and the field alone, which costs less. */
  evaluate(attributes: Attributes, context: BriefContext): BriefEvaluation
  evaluate(attributes: Attributes, context?: EvaluationContext): Evaluation
}
