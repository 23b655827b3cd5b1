/** JsonLogic in two forms: `json-logic-engine` compiles each rule to a function, `json-logic-js` interprets it. */
import type { Rule } from '@plumbline/engine'
import { LogicEngine } from 'json-logic-engine'
import jsonLogic, { type RulesLogic } from 'json-logic-js'
import type { Failure } from '../hand-written.js'
import { type Check, checksOf, copyOf, failureOf, mentions, type Peer, size } from './peer.js'

export function jsonLogicPeers(rules: readonly Rule[]): readonly Peer[] {
  const patterns: RegExp[] = []
  const logic = rules.map((rule) => ({ failure: failureOf(rule), logic: ruleLogic(rule, patterns) }))
  const functions = {
    pl_larger: ([value, bound]: [unknown, number]) => size(value) > bound,
    pl_smaller: ([value, bound]: [unknown, number]) => size(value) < bound,
    pl_count_below: ([value, bound]: [unknown, number]) => (size(value) || 0) < bound,
    pl_mentions: ([value, part]: [unknown, string]) => mentions(value, part),
    pl_matches: ([value, index]: [unknown, number]) =>
      typeof value === 'string' && patterns[index]?.test(value) === true,
  }

  const engine = new LogicEngine()
  for (const [name, implementation] of Object.entries(functions)) engine.addMethod(name, implementation as never)
  const compiled = logic.map(({ failure, logic }) => ({
    failure,
    holds: engine.build(logic) as (data: unknown) => unknown,
  }))

  for (const [name, implementation] of Object.entries(functions)) {
    jsonLogic.add_operation(name, (...args: unknown[]) => (implementation as (args: unknown) => unknown)(args))
  }
  return [
    {
      name: 'json-logic-engine (compiled)',
      check(entity) {
        const failures: Failure[] = []
        for (const { failure, holds } of compiled) if (!holds(entity)) failures.push(copyOf(failure))
        return failures
      },
    },
    {
      name: 'json-logic-js',
      check(entity) {
        const failures: Failure[] = []
        for (const each of logic) {
          if (!jsonLogic.apply(each.logic as RulesLogic, entity)) {
            failures.push(copyOf(each.failure))
          }
        }
        return failures
      },
    },
  ]
}

function ruleLogic(rule: Rule, patterns: RegExp[]): unknown {
  const checks = checksOf(rule).map((check) => checkLogic(check, patterns))
  if (checks.length === 1) return checks[0]
  return { [rule.conditionMode === 'any' ? 'or' : 'and']: checks }
}

function checkLogic({ keys, isCount, operator, value }: Check, patterns: RegExp[]): unknown {
  const subject = { var: keys.join('.') }
  if (isCount) return { pl_count_below: [subject, value] }
  switch (operator) {
    case 'eq':
      return { '===': [subject, value] }
    case 'neq':
      return { '!==': [subject, value] }
    case 'gt':
      return { '>': [subject, value] }
    case 'gte':
      return { '>=': [subject, value] }
    case 'lt':
      return { '<': [subject, value] }
    case 'lte':
      return { '<=': [subject, value] }
    case 'in':
      return { in: [subject, value] }
    case 'notIn':
      return { '!': [{ in: [subject, value] }] }
    case 'contains':
      return { pl_mentions: [subject, value] }
    case 'notContains':
      return { '!': [{ pl_mentions: [subject, value] }] }
    case 'exists':
      return { '!==': [subject, null] }
    case 'notExists':
      return { '===': [subject, null] }
    case 'notEmpty':
      return { '!!': [subject] }
    case 'countGt':
    case 'lengthGt':
      return { pl_larger: [subject, value] }
    case 'countLt':
    case 'lengthLt':
      return { pl_smaller: [subject, value] }
    case 'regex':
      return { pl_matches: [subject, patterns.push(new RegExp(String(value))) - 1] }
  }
}
