/**
 * The content of a file of rule tests.
 *
 * A test judges one rule alone (with the rules it depends on), or an entity against the whole rule set. Expectations
 * are exact: a test fails if a violation is missing, and also if one is not listed.
 */
import type { Attributes, Exemption, Severity, SkipReason, Target } from '@plumbline/engine'

export type RuleOutcome = 'pass' | 'fail' | 'skip'
export type Verdict = 'pass' | 'warn' | 'block'

/** What a test of one rule expects. */
export interface RuleExpectation {
  readonly kind: 'rule'
  readonly rule: string
  readonly outcome: RuleOutcome
  /** The expected field of the violation, for `fail`. */
  readonly field?: string
  /** The expected reason, for `skip`. */
  readonly reason?: SkipReason
}

export interface ExpectedViolation {
  readonly rule: string
  readonly field?: string
  readonly severity?: Severity
}

export interface ExpectedSkip {
  readonly rule: string
  readonly reason?: SkipReason
}

/** What a test of an entity expects of the whole rule set. At least one of the three is present. */
export interface EntityExpectation {
  readonly kind: 'entity'
  readonly verdict?: Verdict
  /** Every violated rule, in any order. */
  readonly violations?: readonly ExpectedViolation[]
  /** Every skipped rule, in any order. */
  readonly skipped?: readonly ExpectedSkip[]
}

export type Expectation = RuleExpectation | EntityExpectation

/** Attributes in the test itself, or the entities of another file. */
export type Subject =
  | { readonly kind: 'given'; readonly attributes: Attributes }
  | { readonly kind: 'file'; readonly path: string; readonly entity: string | null }

export interface RuleTest {
  readonly name: string
  /** JSON pointer into the test file, for positions. */
  readonly pointer: string
  readonly subject: Subject
  readonly expectation: Expectation
  /** Null means the target of the rule, or for an entity that the content decides. */
  readonly target: Target | null
  readonly exemptions: readonly Exemption[]
  readonly now: string | null
  /** Whether to keep the attributes as written: without projection and aliases. */
  readonly raw: boolean
}

export interface TestFile {
  /**
   * Rule files, folders and globs, relative to the file. If empty, the command line or the configuration names them.
   */
  readonly rules: readonly string[]
  readonly tests: readonly RuleTest[]
}

/** One mistake in a test file. */
export interface TestFileIssue {
  readonly pointer: string
  readonly message: string
  readonly fix: string
}
