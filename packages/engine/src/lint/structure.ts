/** Findings that need no reasoning about entities: misconfigured rules, dependencies, names and tags. */

import type { RuleModel } from '../domain/rule-model.js'
import { validateRule } from '../record/validate-rule.js'
import type { Rule, RuleIssue } from '../types.js'
import { nameKey } from '../value/name.js'
import { isObject, own } from '../value/own.js'
import type { LintContext } from './lint-context.js'

export const lintStructure = (context: LintContext, rules: readonly Rule[]): void => {
  lintIssues(context, rules)
  for (const rule of context.model.rules) {
    if (!isObject(rule.rule)) continue
    lintDependencies(context, rule)
    lintTags(context, rule)
  }
  lintNames(context)
}

/** Issues that have a finding code of their own. The engine reports the first two for the rule set, not for a rule. */
const named = new Map<string, 'dependency-cycle' | 'dependency-wrong-target' | 'invisible-name'>([
  ['dependency_cycle', 'dependency-cycle'],
  ['dependency_target', 'dependency-wrong-target'],
  ['invisible_name', 'invisible-name'],
])
const ofTheSet: ReadonlySet<string> = new Set(['dependency_cycle', 'dependency_target'])

/** Reports what compilation and authoring report, each issue once. The second of two rules with one id has no model. */
const lintIssues = (context: LintContext, rules: readonly Rule[]): void => {
  const reported = new Set<string>()
  const reportIssue = (rule: RuleModel | null, position: number, issue: RuleIssue): void => {
    const key = `${position} ${issue.pointer} ${issue.code}`
    if (reported.has(key)) return
    reported.add(key)
    const code = named.get(issue.code) ?? 'misconfigured'
    const shown = issue.code === 'invisible_name' ? JSON.stringify(issue.ruleName) : issue.ruleName
    const parts = {
      message: `\`${shown ?? issue.ruleId ?? `#${position}`}\`: ${issue.message}`,
      advice: issue.fix,
      reason: `the engine reports ${issue.code}`,
    }
    if (rule !== null) context.report(code, [rule], issue.pointer, parts)
    else {
      const ref = { id: issue.ruleId ?? `#${position}`, name: issue.ruleName ?? '', position }
      context.findings.push({
        code,
        severity: 'error',
        status: 'proved',
        rules: [ref],
        pointer: issue.pointer,
        ...parts,
      })
    }
  }
  const byPosition = new Map(context.model.rules.map((rule) => [rule.position, rule]))
  for (const issue of context.engine.issues) {
    const rule = issue.ruleId === null ? undefined : context.model.byId.get(issue.ruleId)
    if (issue.code === 'duplicate_id') {
      const position = rules.findLastIndex(
        (other) => isObject(other) && (own(other, 'id') ?? own(other, 'name')) === issue.ruleId,
      )
      reportIssue(null, position, issue)
    } else if (rule !== undefined) reportIssue(rule, rule.position, issue)
  }
  rules.forEach((rule, position) => {
    const model = byPosition.get(position)
    if (model === undefined) return
    for (const issue of validateRule(rule)) {
      if (!ofTheSet.has(issue.code)) reportIssue(model, position, issue)
    }
  })
}

const absence = {
  unknown: 'no rule of this set has that id or name',
  dormant: 'that rule is inactive, deleted or a template',
  ambiguous: 'several rules have that name',
} as const

const lintDependencies = (context: LintContext, rule: RuleModel): void => {
  const conditions = own(rule.rule, 'conditions')
  if (!Array.isArray(conditions)) return
  conditions.forEach((condition: unknown, index) => {
    const reference = typeof condition === 'object' && condition !== null ? own(condition, 'dependsOnRule') : undefined
    if (typeof reference !== 'string' || reference === '') return
    const target = context.model.reference(rule, reference)
    if (typeof target === 'object' || target === 'other-target') return
    context.report('dependency-dangling', [rule], `/conditions/${index}/dependsOnRule`, {
      message: `\`${rule.name}\` depends on \`${reference}\`, and ${absence[target]}: its gate is closed for every entity`,
      advice:
        target === 'ambiguous'
          ? 'name the rule by its id'
          : 'name a live rule of the same target, or remove the condition',
      reason: absence[target],
    })
  })
}

/** The sets that a published rule can belong to (spec compliance 19). */
const knownSets: ReadonlySet<string> = new Set(['standard', 'advanced'])

const lintTags = (context: LintContext, rule: RuleModel): void => {
  const tags = own(rule.rule, 'tags')
  if (!Array.isArray(tags)) return
  const seen = new Set<unknown>()
  tags.forEach((tag: unknown, index) => {
    if (typeof tag !== 'string') return
    const pointer = `/tags/${index}`
    const remove = {
      description: `remove the tag \`${tag}\``,
      position: rule.position,
      patch: [{ op: 'remove', path: pointer }] as const,
    }
    if (seen.has(tag)) {
      context.report('duplicate-tag', [rule], pointer, {
        message: `\`${rule.name}\` has the tag \`${tag}\` twice`,
        advice: 'remove one of the two',
        reason: 'tags are a set',
        fix: remove,
      })
    }
    seen.add(tag)
    if (!tag.startsWith('set:')) return
    const published = own(rule.rule, 'scope') === 'published'
    if (published && !knownSets.has(tag.slice(4))) {
      context.report('unknown-set-tag', [rule], pointer, {
        message: `\`${tag}\` names no set`,
        advice: 'use `set:standard` or `set:advanced`, or remove the tag',
        reason: 'an unknown set is refused when the rule is published',
      })
    } else if (!published) {
      context.report('set-tag-without-effect', [rule], pointer, {
        message: `\`${tag}\` has no effect: \`${rule.name}\` is not published`,
        advice: 'remove the tag, or publish the rule',
        reason: 'sets grant access to published rules only',
      })
    }
  })
}

const lintNames = (context: LintContext): void => {
  const exact = new Map<string, RuleModel>()
  const folded = new Map<string, RuleModel>()
  const byPosition = [...context.model.rules].sort((a, b) => a.position - b.position)
  for (const rule of byPosition) {
    const trimmed = rule.name.trim()
    if (trimmed !== rule.name && trimmed !== '') {
      context.report('untrimmed-name', [rule], '/name', {
        message: `the name ${JSON.stringify(rule.name)} begins or ends with a space`,
        advice: 'trim the name',
        reason: 'names are compared as they are written',
      })
    }
    const twin = exact.get(trimmed)
    const near = folded.get(nameKey(trimmed))
    if (twin !== undefined) {
      context.report('duplicate-name', [rule, twin], '/name', {
        message: `two rules have the name \`${trimmed}\``,
        advice: 'give each rule a name of its own',
        reason: 'names are unique in an organization, and a dependency by name cannot tell the two apart',
      })
    } else if (near !== undefined) {
      context.report('similar-name', [rule, near], '/name', {
        message: `\`${rule.name}\` and \`${near.name}\` differ in case only`,
        advice: 'give one of them another name',
        reason: 'names are case-sensitive, people are not',
      })
    }
    if (twin === undefined) exact.set(trimmed, rule)
    if (near === undefined) folded.set(nameKey(trimmed), rule)
  }
}
