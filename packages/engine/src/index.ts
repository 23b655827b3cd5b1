/** `@plumbline/engine`: evaluates attributes with rules and returns a verdict. Every export is named here. */

/* Regular expressions */
export { createSafeRegex, type RegexEngine, RegexEngineFault, type SafeRegexOptions } from './regex/index.js'

/*
 * The export of regular expressions above comes first on purpose: gzip looks back 32 KiB, and this order puts code that
 * resembles it next to it.
 */

/* Attributes and fields */
export { checkAttributes, defaultLimits } from './attributes/check-attributes.js'
/* Catalogues */
export {
  type ComputedFunctionEntry,
  type ComputedFunctionExample,
  computedFunctions,
} from './catalogue/computed-functions.js'
export { type OperatorEntry, type OperatorExample, operators } from './catalogue/operators.js'
/* Evaluation */
export { messageWithoutValues } from './compile/alternatives.js'
/* Static analysis */
export {
  type DiffEntity,
  type DiffOptions,
  diffRules,
  type EntityDifference,
  type EntityGroup,
  type RuleChange,
  type RuleDifference,
  type RuleSetDiff,
  renderDiffMarkdown,
  type Standing,
} from './diff/index.js'
export { describeIssue, RuleError } from './errors.js'
export { ANY_VERSION, coveringKeyTexts, entityKeyOf, entityKeyText, looseName } from './evaluate/entity-key.js'
export { coversEntity } from './evaluate/exemptions.js'
export {
  type ConditionInspection,
  type ConditionOutcome,
  type Explanation,
  explain,
  type GateInspection,
  type GateState,
  type RenderOptions,
  type RuleExplanation,
  type RuleOutcome,
  renderExplanation,
} from './explain/index.js'
export {
  type EditImpact,
  type MovedEntities,
  type MovedEntity,
  previewEdit,
  previewEditAsync,
} from './impact/preview-edit.js'
export {
  type ImpactEntity,
  type ImpactOptions,
  type ImpactSample,
  previewImpact,
  previewImpactAsync,
  type RuleImpact,
} from './impact/preview-impact.js'
export { previewSetAsync, type SetImpact, type SetSample } from './impact/preview-set.js'
export {
  applyFixes,
  type Finding,
  type FindingCode,
  type FindingFix,
  type FindingSeverity,
  type FixResult,
  findingCatalogue,
  type LintOptions,
  type LintReport,
  type LintSummary,
  lintReport,
  lintRules,
  type PatchOperation,
  type RuleRef,
  semanticCodes,
} from './lint/index.js'
export {
  type FieldPath,
  type FieldPathProblem,
  MAX_CALL_DEPTH,
  MAX_PATH_LENGTH,
  MAX_PATH_SEGMENTS,
  type ParsedFieldPath,
  parseFieldPath,
} from './path/field-path.js'
export { FieldPathError, resolveField } from './path/resolve.js'
export {
  completeEntity,
  completeProps,
  pipelineNameOf,
  recordDefaults,
  SET_BY_THE_WRITE,
} from './projection/complete-entity.js'
export { projectEntity, unknownKeys } from './projection/project-entity.js'
export { type Alias, type Projection, projection } from './projection/projection.js'
/* Rule records */
export { type ClonedRules, type CloneOptions, cloneRules, type LeavingReference } from './record/clone-rules.js'
export { mergeRulePatch } from './record/merge-patch.js'
export { type MergeInput, mergeRules, type PolicyMembership, type Subscription } from './record/merge-rules.js'
export { type NormalisedRule, type NormaliseOptions, normaliseRule } from './record/normalise-rule.js'
export { conditionSchema, type JsonSchema, ruleSchema, rulesFileSchema } from './record/schema.js'
export { type ValidateOptions, validateRule } from './record/validate-rule.js'
export { type RulesInForce, readsBuiltImage, rulesInForce, type WaitingRule } from './rule-set/built-image.js'
export { compileRules, evaluateRules } from './rule-set/compile-rules.js'
export { exemptedViolations } from './rule-set/exempted.js'
/* Tokens */
export {
  type EffectiveAttributes,
  effectiveAttributes,
  type UnresolvedRead,
  type UnresolvedToken,
  unresolvedReads,
} from './template/effective.js'
export {
  escapePointer,
  type Resolution,
  resolveTokens,
  type TokenCode,
  type TokenIssue,
  tokenPaths,
} from './template/resolve.js'
export { hasToken, readText, type Token, TokenError } from './template/token.js'
/* Types of all of the above */
export type {
  Attributes,
  BriefContext,
  BriefEvaluation,
  BriefViolation,
  CompiledPattern,
  CompileOptions,
  ComputedFunctionName,
  Condition,
  ConditionMode,
  EntityKey,
  EntityRef,
  Evaluation,
  EvaluationContext,
  EvaluationOf,
  ExemptedViolation,
  Exemption,
  Failure,
  JsonValue,
  LimitExcess,
  Limits,
  OperatorName,
  RegexRefusal,
  RegexRefusalReason,
  Rule,
  RuleIssue,
  RuleIssueCode,
  RuleScope,
  RuleSet,
  RuleSource,
  SafeRegex,
  Severity,
  SkippedRule,
  SkipReason,
  SourcedRule,
  Target,
  Violation,
} from './types.js'
export { nameKey, notInNames } from './value/name.js'
