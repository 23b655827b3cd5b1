/**
 * Partial update of a rule (spec compliance 1.1): an omitted field is kept, null clears it, and the merged rule is
 * validated.
 */
import type { Rule, RuleIssue, RuleIssueCode } from '../types.js'
import { isObject, own } from '../value/own.js'
import { type NormalisedRule, type NormaliseOptions, normaliseRule } from './normalise-rule.js'
import { pointerTo } from './pointer.js'
import { ruleFields } from './rule-fields.js'
import { isServerOwned } from './server-owned.js'

/** Fields that an author cannot change after the rule was created. */
const immutable: ReadonlySet<string> = new Set(['id', 'target', 'scope', 'isTemplate', 'orgId', 'policyIds'])

/**
 * Merges a patch into a rule and normalises the result. It accepts any value as patch and never throws. A patch may
 * repeat fields that an author cannot change, with the same values; another value is an issue.
 */
export const mergeRulePatch = (rule: Rule, patch: unknown, options: NormaliseOptions = {}): NormalisedRule => {
  const issues: RuleIssue[] = []
  const report = (pointer: string, code: RuleIssueCode, message: string, fix: string): void => {
    issues.push({ ruleId: rule.id ?? rule.name, ruleName: rule.name, pointer, code, message, fix })
  }
  if (!isObject(patch)) {
    report('', 'not_an_object', 'the change is not an object', 'write the fields to change as an object')
    return { rule: null, issues }
  }
  const merged: Record<string, unknown> = { ...rule }
  for (const key of Object.keys(patch)) {
    const value = own(patch, key)
    if (value === undefined) continue
    if (!Object.hasOwn(ruleFields, key)) {
      report(pointerTo('', key), 'unknown_key', `\`${key}\` is not known`, 'remove it')
    } else if (immutable.has(key) || isServerOwned(key)) {
      const current = own(rule, key)
      if (!isSame(current, value)) {
        report(pointerTo('', key), 'not_allowed', `\`${key}\` cannot be changed`, `leave \`${key}\` out`)
      }
    } else merged[key] = value
  }
  const normalised = normaliseRule(merged, options)
  if (issues.length > 0) return { rule: null, issues: [...issues, ...normalised.issues] }
  return normalised
}

/** Null and missing are the same. Dates are compared by their ISO text. */
const isSame = (current: unknown, sent: unknown): boolean =>
  JSON.stringify(current ?? null) === JSON.stringify(sent ?? null)
