/** `@plumbline/engine/lint`: the static analysis, its findings and their fixes. */
export { applyFixes, type FixResult } from './apply-fixes.js'
export {
  type Finding,
  type FindingCode,
  type FindingFix,
  type FindingSeverity,
  findingCatalogue,
  type LintSummary,
  type PatchOperation,
  type RuleRef,
  semanticCodes,
} from './finding.js'
export type { LintOptions } from './lint-context.js'
export { type LintReport, lintReport, lintRules } from './lint-rules.js'
