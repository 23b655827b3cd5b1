/**
 * The types of the engine: rules, attributes, context and verdict.
 *
 * Everything here is a plain value. A result never refers to the attributes it was computed from. Source: spec
 * compliance 1 to 5 and 18.
 */

/** A value that `JSON.parse` can return. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** The attributes of one entity: a JSON object. */
export type Attributes = { readonly [key: string]: unknown }

/** The kind of entity a rule applies to. */
export type Target = 'plugin' | 'pipeline'

/** `warning` never blocks. Every other severity blocks, including an unknown one. */
export type Severity = 'warning' | 'error' | 'critical'

export type RuleScope = 'org' | 'published'

export type ConditionMode = 'all' | 'any'

/** Where an enforced rule comes from (spec compliance 4.5). */
export type RuleSource = 'own' | 'inherited' | 'subscribed'

/** The operators (spec compliance 2). */
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

/** The computed functions that a field path may call (spec compliance 3). */
export type ComputedFunctionName = '$count' | '$length' | '$keys' | '$lines'

/**
 * One entry of `conditions` (spec compliance 1.2).
 *
 * `{field, operator, value}` is a field check. `{dependsOnRule}` is a gate of the whole rule. All of them together are
 * a gated field check, which is left out when its gate is closed.
 */
export interface Condition {
  readonly field?: string
  readonly operator?: OperatorName
  readonly value?: JsonValue
  /** The id of the rule that must have passed, or a name that only one of the evaluated rules has. */
  readonly dependsOnRule?: string
}

/** A rule as an author writes it. Fields that are left out have the defaults of spec compliance 1. */
export interface Rule {
  /** Defaults to `name`. */
  readonly id?: string
  readonly orgId?: string | null
  readonly name: string
  readonly description?: string | null
  readonly target: Target
  /** Defaults to `error`. */
  readonly severity?: Severity
  /** An integer from 0 to 10000. A higher priority is evaluated first. Defaults to 0. */
  readonly priority?: number
  readonly scope?: RuleScope
  readonly field?: string | null
  readonly operator?: OperatorName | null
  readonly value?: JsonValue
  /** When the list is not empty, it replaces `field`, `operator` and `value`. */
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
  /** Start and end of the time in which the rule is in force, both inclusive. Text is ISO 8601 with `Z` or an offset. */
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
  /** Set by `mergeRules`; absent means `own`. */
  readonly source?: RuleSource
}

/** A rule that `mergeRules` returned, with its source. */
export type SourcedRule = Rule & { readonly source: RuleSource }

/**
 * The key of a record, which identifies it when its id is not known. In an exemption, the version `*` means every
 * version.
 */
export type EntityKey =
  | { readonly project: string; readonly organization: string }
  | { readonly name: string; readonly version: string }

/** An exemption: the waiver of one rule for one record (spec compliance 9, reduced to what evaluation reads). */
export interface Exemption {
  readonly id: string
  readonly ruleId: string
  /** The exemption applies only when this is absent or `approved`. */
  readonly status?: string
  readonly expiresAt?: string | Date | null
  readonly orgId?: string | null
  readonly entityType?: Target | null
  readonly entityId?: string | null
  /**
   * The key of the record. When `entityId` is set too, it is the key of that same record, and is used only when the id
   * of the evaluated entity is not known.
   */
  readonly entityKey?: EntityKey | null
}

/** Identifies the entity that is evaluated, for the scope of exemptions. */
export interface EntityRef {
  readonly orgId?: string
  readonly type?: Target
  readonly id?: string
  /** The key of the record, as `entityKeyOf` returns it. */
  readonly key?: EntityKey | null
}

/** What the caller knows about this evaluation. Every field is optional. */
export interface EvaluationContext {
  /** When given, rules of the other target are left out and are not counted. */
  readonly target?: Target
  readonly entity?: EntityRef
  readonly exemptions?: readonly Exemption[]
  /**
   * The instant of the evaluation: a Date, ISO 8601 text, or epoch milliseconds. When absent, no clock is read and the
   * stricter reading applies: rules with dates are in force, and an exemption with `expiresAt` does not apply.
   */
  readonly now?: Date | string | number
}

/** Requests violations in brief. */
export interface BriefContext extends EvaluationContext {
  readonly detail: 'brief'
}

/** Limits of an entity's attributes (spec compliance 5) and of a pattern. */
export interface Limits {
  /** The most top-level keys; 100 by default. */
  readonly keys?: number
  /** The most path segments from the root; 10 by default. */
  readonly depth?: number
  /** The most values in total; 20,000 by default. */
  readonly nodes?: number
  /** The longest pattern in UTF-16 units; 100 by default. */
  readonly regexLength?: number
}

/** Why a rule or a condition cannot be evaluated, or why authoring refuses it. */
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

/** One problem of a rule. Validation and compilation report every problem at once. */
export interface RuleIssue {
  readonly ruleId: string | null
  readonly ruleName: string | null
  /** JSON pointer (RFC 6901) into the rule; `` for the rule as a whole. */
  readonly pointer: string
  readonly code: RuleIssueCode
  readonly message: string
  /** What the author can do about it. */
  readonly fix: string
  /** For `dependency_cycle`: the ids on the cycle, in order. */
  readonly cycle?: readonly string[]
}

/** One entry of a rule with `conditionMode: any` that does not hold. */
export interface Failure {
  readonly field: string
  readonly operator: OperatorName
  readonly expected: JsonValue
  /** Redacted and bounded as `actualValue`; null when the value is absent. */
  readonly actual: JsonValue
}

/** A violation: a rule that does not hold (spec compliance 4.4). */
export interface Violation {
  readonly ruleId: string
  readonly ruleName: string
  readonly description: string | null
  readonly policyId: string | null
  readonly policyIds: readonly string[]
  /** The field of the rule or of its first failing entry; `unknown` when the rule is misconfigured and has no field. */
  readonly field: string
  readonly operator: string | null
  readonly expectedValue: JsonValue
  /** The value that was found, redacted and bounded; null when it is absent. */
  readonly actualValue: JsonValue
  /** The rule's own severity, also when it is not one of the three known severities. */
  readonly severity: string
  /**
   * What the rule demands. Without `failures` the text is fixed at compile time and contains no actual value. With
   * `failures` it also contains the values that were found, redacted and shortened; `messageWithoutValues` returns the
   * text without them.
   */
  readonly message: string
  readonly source: RuleSource
  readonly suppressNotification: boolean
  /** The code of the rule's first issue when the rule could not be evaluated; otherwise null. */
  readonly issue: RuleIssueCode | null
  /**
   * For `conditionMode: any` with several entries: the entries that failed, in the order of the rule, at most 10. Every
   * other violation has no `failures`. Entries that a closed gate leaves out, and misconfigured entries, are not
   * listed.
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

/** A violation in brief, as `detail: 'brief'` returns it. It is frozen, and results share it. */
export type BriefViolation = Pick<Violation, 'ruleId' | 'severity' | 'field'>

/** The verdict on one entity (spec compliance 4.4). */
export type Evaluation = EvaluationOf<Violation>

/** The same verdict, with its violations in brief. */
export type BriefEvaluation = EvaluationOf<BriefViolation>

export interface EvaluationOf<Shown> {
  /** True when there is no violation of any severity. */
  readonly passed: boolean
  /** True when there is at least one violation that is not a warning. */
  readonly blocked: boolean
  /** Every violation of every severity, in evaluation order. */
  readonly violations: readonly Shown[]
  /** The violations of severity `warning`; they are in `violations` too. */
  readonly warnings: readonly Shown[]
  readonly rulesEvaluated: number
  readonly rulesSkipped: number
  readonly exemptionsApplied: readonly string[]
  readonly skipped: readonly SkippedRule[]
  /** The number of issues of the evaluated rules. Each pattern that could not be run counts as one more. */
  readonly issues: number
}

/** The first excess that `checkAttributes` found. */
export interface LimitExcess {
  readonly limit: 'keys' | 'depth' | 'nodes'
  readonly max: number
  readonly actual: number
}

/** Why a pattern is refused when a rule is written (spec compliance 2.3). */
export type RegexRefusalReason = 'too_long' | 'syntax' | 'unsafe' | 'unsupported' | 'empty' | 'budget'

export interface RegexRefusal {
  readonly reason: RegexRefusalReason
  readonly message: string
  /** The UTF-16 offset in the pattern, when there is one to name. */
  readonly position?: number
}

/** A compiled pattern. `test` searches unanchored and throws only `RegexEngineFault`. */
export interface CompiledPattern {
  readonly pattern: string
  /**
   * `native`: the whole unanchored search is proven linear. `positions`: the pattern could keep an engine busy.
   * Otherwise the name of the engine.
   */
  readonly engine: 'native' | 'positions' | 're2js' | 're2-wasm'
  test(text: string): boolean
}

/** The regular expression port: the only code that turns data into a pattern. `createSafeRegex` makes one. */
export interface SafeRegex {
  /** Decides from the parsed pattern alone, without running an engine. Returns null when the pattern is accepted. */
  check(pattern: string, maxLength: number): RegexRefusal | null
  /** Upper bound of the program's number of instructions. It counts against the budget of a rule set. */
  cost(pattern: string): number
  /**
   * Returns an accepted pattern; it is compiled at the first call of `test`. Equal patterns are compiled once for each
   * adapter.
   */
  compile(pattern: string): CompiledPattern
}

export interface CompileOptions {
  readonly limits?: Limits
  readonly regex?: SafeRegex
  /** Whether `actualValue` and `expectedValue` are redacted; true by default. */
  readonly redact?: boolean
  /** Whether to throw `RuleError` with every issue; by default misconfigured rules are compiled and violate. */
  readonly strict?: boolean
}

/** A violation that an exemption covers. */
export interface ExemptedViolation {
  readonly exemptionId: string
  readonly violation: Violation
}

/** Rules that were compiled once, to be evaluated often. */
export interface RuleSet {
  /** Every issue of the rules, in rule order. */
  readonly issues: readonly RuleIssue[]
  /** Rule ids in evaluation order (spec compliance 4.3). */
  readonly order: readonly string[]
  /** The live rules in evaluation order, as the caller gave them. */
  readonly rules: readonly Rule[]
  readonly options: CompileOptions
  /**
   * Evaluates one entity. With `detail: 'brief'` a violation has only `ruleId`, `severity` and `field`, which costs
   * less.
   *
   * @throws {TypeError} when `attributes` is not an object.
   */
  evaluate(attributes: Attributes, context: BriefContext): BriefEvaluation
  evaluate(attributes: Attributes, context?: EvaluationContext): Evaluation
}
