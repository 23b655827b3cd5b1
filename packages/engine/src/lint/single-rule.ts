/** Findings about a single rule: it never passes, never fails, never applies, or states the same demand twice. */

import { and, type Formula, not, or } from '../domain/formula.js'
import type { RuleModel } from '../domain/rule-model.js'
import { isObject, own } from '../value/own.js'
import type { LintContext } from './lint-context.js'

/** Returns the rules that some entity passes and some entity violates, shown by proof or by witness. */
export const lintSingleRules = (context: LintContext): RuleModel[] => {
  const sound: RuleModel[] = []
  for (const rule of context.model.rules) {
    if (rule.fault !== null || rule.entries.some(({ check }) => check === null)) continue
    if (lintRule(context, rule)) {
      sound.push(rule)
      lintConditions(context, rule)
    }
  }
  return sound
}

const anySet = (bits: Uint32Array | undefined): boolean => bits?.some((word) => word !== 0) === true

const lintRule = (context: LintContext, rule: RuleModel): boolean => {
  const sample = context.samples.get(rule)
  const passes = anySet(sample?.passed)
  const fails = anySet(sample?.violated)
  if (passes && fails) return true
  if (!passes && !fails && neverHolds(context, 'unreachable', rule, rule.applies)) return false
  if (!passes && neverHolds(context, 'unsatisfiable', rule, rule.passes)) return false
  return fails || !neverHolds(context, 'never-violated', rule, rule.violated)
}

const wording = {
  unreachable: {
    message: (name: string) => `\`${name}\` never applies: its gates cannot all be open`,
    advice: 'remove the rule, or the `dependsOnRule` that can never have passed',
  },
  unsatisfiable: {
    message: (name: string) => `\`${name}\` cannot be passed by any entity to which it applies`,
    advice: 'correct the value or the conditions',
  },
  'never-violated': {
    message: (name: string) => `\`${name}\` cannot be violated by any entity`,
    advice: 'correct the value or the conditions, or remove the rule',
  },
} as const

/** Reports the claim when it is proved, or as unknown. Returns true when it is proved. */
const neverHolds = (context: LintContext, code: keyof typeof wording, rule: RuleModel, formula: Formula): boolean => {
  const { message, advice } = wording[code]
  const result = context.ask(formula)
  if (result.status === 'found') return false
  const words = { message: message(rule.name), advice }
  if (result.status === 'unknown') {
    context.report(code, [rule], '', { ...words, status: 'unknown', reason: result.reason })
    return false
  }
  const shown = code === 'never-violated' ? rule.passes : code === 'unsatisfiable' ? rule.violated : null
  const witness = shown === null ? null : context.look(shown)
  const expected = code === 'never-violated' ? 'passed' : 'violated'
  const checked = witness !== null && context.verdicts(witness, [rule])(rule) === expected ? { witness } : {}
  context.report(code, [rule], '', { ...words, reason: context.proofOf(formula), ...checked })
  return true
}

const MAX_COMPARED_CONDITIONS = 12

/**
 * Reports conditions that the other conditions already imply. Gated rules are left out, because a gate changes which
 * other conditions count.
 */
const lintConditions = (context: LintContext, rule: RuleModel): void => {
  const { entries } = rule
  if (entries.length < 2 || entries.length > MAX_COMPARED_CONDITIONS || entries.some(({ gated }) => gated)) return
  const any = rule.compiled.any
  const kept = new Set(entries)
  for (const entry of [...entries].reverse()) {
    const others = [...kept].filter((other) => other !== entry)
    if (others.length === 0) return
    const same = others.some(({ check }) => check !== null && check === entry.check)
    const claim = any
      ? and([entry.holds, not(or(others.map(({ holds }) => holds)))])
      : and([...others.map(({ holds }) => holds), not(entry.holds)])
    const result = same ? ({ status: 'none' } as const) : context.ask(claim)
    if (result.status === 'unknown') context.undecided += 1
    if (result.status !== 'none') continue
    kept.delete(entry)
    const position = rule.position
    const condition = conditionAt(rule, entry.pointer)
    context.report('redundant-condition', [rule], entry.pointer, {
      message: `a condition on \`${condition}\` does not change the verdict of \`${rule.name}\``,
      advice: 'remove the condition',
      reason: same ? 'the same condition is listed twice' : context.proofOf(claim),
      fix: {
        description: `remove the condition on \`${condition}\``,
        position,
        patch: [{ op: 'remove', path: entry.pointer }],
      },
    })
  }
}

const conditionAt = (rule: RuleModel, pointer: string): string => {
  const conditions = own(rule.rule, 'conditions')
  const entry: unknown = Array.isArray(conditions) ? conditions[Number(pointer.split('/')[2])] : undefined
  const field = isObject(entry) ? own(entry, 'field') : undefined
  return typeof field === 'string' ? field : 'unknown'
}
