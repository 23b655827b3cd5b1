/** `@plumbline/engine/diff`: what a change of rules changes. */
export { type DiffEntity, type DiffOptions, diffRules } from './diff-rules.js'
export { renderDiffMarkdown } from './render-markdown.js'
export type {
  EntityDifference,
  EntityGroup,
  RuleChange,
  RuleDifference,
  RuleSetDiff,
  Standing,
} from './rule-set-diff.js'
