/** Findings about one rule value: its type, duplicate entries of a list, and patterns that an operator can replace. */

import { and, type Formula, not } from '../domain/formula.js'
import type { RuleModel } from '../domain/rule-model.js'
import { Op } from '../operator/op.js'
import { isOperatorName, operandReaders } from '../operator/operand.js'
import type { PatternNode } from '../regex/ast.js'
import { parsePattern } from '../regex/parse.js'
import type { JsonValue } from '../types.js'
import { isObject, own } from '../value/own.js'
import { numberOfText, textOf } from '../value/scalar.js'
import type { LintContext } from './lint-context.js'

export const lintValues = (context: LintContext): void => {
  for (const rule of context.model.rules) {
    for (const entry of rule.entries) {
      if (entry.check === null) continue
      const record = recordAt(rule, entry.pointer)
      const operator = own(record, 'operator')
      const value = own(record, 'value')
      if (!isOperatorName(operator)) continue
      const pointer = `${entry.pointer}/value`
      if (isBound(operator)) lintBound(context, rule, pointer, value)
      else if (operator === 'eq' || operator === 'neq') lintEquality(context, rule, pointer, value)
      else if (operator === 'in' || operator === 'notIn') lintList(context, rule, pointer, value)
      else if (operator === 'regex') lintPattern(context, rule, entry.pointer, value, entry.holds)
    }
  }
}

const recordAt = (rule: RuleModel, pointer: string): object => {
  if (pointer === '') return rule.rule
  const conditions = own(rule.rule, 'conditions')
  const entry: unknown = Array.isArray(conditions) ? conditions[Number(pointer.split('/')[2])] : undefined
  return isObject(entry) ? entry : {}
}

const isBound = (operator: string): boolean => /^(?:gte?|lte?|countGt|countLt|lengthGt|lengthLt)$/.test(operator)

/** A decimal text is read as its number, so replacing it with the number keeps every verdict. */
const lintBound = (context: LintContext, rule: RuleModel, pointer: string, value: unknown): void => {
  if (typeof value !== 'string') return
  const number = numberOfText(value)
  if (Number.isNaN(number)) return
  context.report('type-confused-value', [rule], pointer, {
    message: `the bound ${JSON.stringify(value)} is a text and is compared as the number ${number}`,
    advice: `write ${number}`,
    reason: 'numeric operators read a decimal text as its number',
    fix: {
      description: `write the bound as the number ${number}`,
      position: rule.position,
      patch: [{ op: 'replace', path: pointer, value: number }],
    },
  })
}

/** Texts that look like another JSON value, and that are equal only to that text. */
const confusing: ReadonlyMap<string, string> = new Map([
  ['null', 'null, which is an absent value'],
  ['undefined', 'an absent value, which `notExists` tests'],
  ['[]', 'an empty list'],
  ['{}', 'an empty object'],
  ['NaN', 'no value that an entity can have'],
])

const lintEquality = (context: LintContext, rule: RuleModel, pointer: string, value: unknown): void => {
  const meant = typeof value === 'string' ? confusing.get(value.trim()) : undefined
  if (meant === undefined) return
  context.report('type-confused-value', [rule], pointer, {
    message: `${JSON.stringify(value)} equals that text only, not ${meant}`,
    advice: 'write the value without quotes if it is meant',
    reason: 'scalars are compared by their text',
  })
}

const lintList = (context: LintContext, rule: RuleModel, pointer: string, value: unknown): void => {
  if (!Array.isArray(value)) return
  const seen = new Map<string, number>()
  const repeated: number[] = []
  value.forEach((entry: unknown, index) => {
    const key = entry === null ? 'null' : textOf(entry) === undefined ? null : `text ${textOf(entry)}`
    if (key === null) return
    if (seen.has(key)) repeated.push(index)
    else seen.set(key, index)
  })
  for (const index of repeated) {
    const entry = value[index] as JsonValue
    context.report('redundant-list-entry', [rule], `${pointer}/${index}`, {
      message: `the list names ${JSON.stringify(entry)} twice: scalars are compared by their text`,
      advice: 'remove one of the two',
      reason: 'an earlier entry has the same text',
      fix: {
        description: `remove the entry ${JSON.stringify(entry)}`,
        position: rule.position,
        patch: [{ op: 'remove', path: `${pointer}/${index}` }],
      },
    })
  }
}

const literalText = (nodes: readonly PatternNode[]): string | null => {
  let text = ''
  for (const node of nodes) {
    const [low, high] = node.kind === 'set' && node.set.length === 2 ? node.set : []
    if (low === undefined || low !== high) return null
    text += String.fromCharCode(low)
  }
  return text
}

const itemsOf = (node: PatternNode): readonly PatternNode[] =>
  node.kind === 'concat' ? node.items : node.kind === 'empty' ? [] : [node]

/** Returns what is between `^` and `$`, or null. */
const whole = (node: PatternNode): readonly PatternNode[] | null => {
  const items = itemsOf(node)
  const [first, last] = [items[0], items.at(-1)]
  const anchored = first?.kind === 'assert' && first.assertion === 'start' && last?.kind === 'assert'
  return anchored && last.assertion === 'end' ? items.slice(1, -1) : null
}

const lintPattern = (context: LintContext, rule: RuleModel, pointer: string, value: unknown, holds: Formula): void => {
  const parsed = typeof value === 'string' ? parsePattern(value) : null
  if (parsed === null || !('node' in parsed)) return
  const inside = whole(parsed.node)
  const text = inside === null ? null : literalText(inside)
  if (text !== null && sameAsEqual(context, holds, text)) {
    context.report('cheaper-operator', [rule], pointer, {
      message: `the pattern ${JSON.stringify(value)} matches one text only`,
      advice: `use \`eq\` with ${JSON.stringify(text)}`,
      reason: 'both hold for exactly the same values: scalars with this text',
      fix: {
        description: `replace the pattern by \`eq\` ${JSON.stringify(text)}`,
        position: rule.position,
        patch: [
          { op: 'replace', path: `${pointer}/operator`, value: 'eq' },
          { op: 'replace', path: `${pointer}/value`, value: text },
        ],
      },
    })
    return
  }
  const [only] = inside ?? []
  if (inside?.length !== 1 || only?.kind !== 'alt') return
  const texts = only.branches.map((branch) => literalText(itemsOf(branch)))
  if (!texts.every((branch) => branch !== null)) return
  context.report('cheaper-operator', [rule], pointer, {
    message: `the pattern ${JSON.stringify(value)} is a list of ${texts.length} texts`,
    advice: `use \`in\` with ${JSON.stringify(texts)}`,
    reason: 'they differ for lists only: `in` accepts a list whose every element is named, a pattern accepts no list',
  })
}

/** Uses the domains to decide, so the change is certain to keep every verdict. */
const sameAsEqual = (context: LintContext, pattern: Formula, text: string): boolean => {
  if (pattern.kind !== 'literal') return false
  const read = operandReaders.eq(text, context.model.workshop)
  if (!read.ok || read.operand.op !== Op.equalText) return false
  const check = { ...read.operand, index: -1 }
  const equal: Formula = { kind: 'literal', literal: { ...pattern.literal, check } }
  return (
    context.askAside(and([pattern, not(equal)])).status === 'none' &&
    context.askAside(and([equal, not(pattern)])).status === 'none'
  )
}
