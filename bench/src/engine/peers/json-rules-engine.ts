/**
 * json-rules-engine: one rule object per rule, one promise chain per evaluation. Failed rules are reported as events.
 */
import type { Rule } from '@plumbline/engine'
import { Engine, type NestedCondition, type TopLevelCondition } from 'json-rules-engine'
import type { Entity } from '../entities.js'
import type { Failure } from '../hand-written.js'
import { type Check, checksOf, copyOf, failureOf, mentions, type Peer, size } from './peer.js'

export function jsonRulesEnginePeer(rules: readonly Rule[]): Peer {
  const engine = new Engine([], { allowUndefinedFacts: true })
  const patterns = new Map<string, RegExp>()
  const add = (name: string, test: (fact: unknown, value: never) => boolean) => engine.addOperator(name, test)
  add('eq', (fact, value) => fact === value)
  add('neq', (fact, value) => fact !== value)
  add('gt', (fact, value) => Number(fact) > value)
  add('gte', (fact, value) => Number(fact) >= value)
  add('lt', (fact, value) => Number(fact) < value)
  add('lte', (fact, value) => Number(fact) <= value)
  add('contains', (fact, value) => mentions(fact, value))
  add('notContains', (fact, value) => !mentions(fact, value))
  add('exists', (fact) => fact !== undefined && fact !== null)
  add('notExists', (fact) => fact === undefined || fact === null)
  add('notEmpty', (fact) => size(fact) > 0)
  add('sizeGt', (fact, value) => size(fact) > value)
  add('sizeLt', (fact, value) => size(fact) < value)
  add('countLt', (fact, value) => (size(fact) || 0) < value)
  add('matches', (fact, value) => typeof fact === 'string' && patterns.get(value)?.test(fact) === true)
  for (const rule of rules) {
    const conditions = checksOf(rule).map((check) => condition(check, patterns))
    engine.addRule({
      conditions: { [rule.conditionMode === 'any' ? 'any' : 'all']: conditions } as unknown as TopLevelCondition,
      event: { type: String(rule.id), params: { ...failureOf(rule) } },
    })
  }
  return {
    name: 'json-rules-engine',
    async check(entity) {
      const { failureEvents } = await engine.run(entity as Entity)
      return failureEvents.map(({ params }) => copyOf(params as unknown as Failure))
    },
  }
}

function condition({ keys, isCount, operator, value }: Check, patterns: Map<string, RegExp>): NestedCondition {
  const [fact = '', ...rest] = keys
  const path = rest.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `['${key}']`)).join('')
  if (operator === 'regex') patterns.set(String(value), new RegExp(String(value)))
  return {
    fact,
    ...(path ? { path: `$${path}` } : {}),
    operator: isCount ? 'countLt' : (RENAMED[operator] ?? operator),
    value,
  }
}

const RENAMED: { readonly [operator: string]: string } = {
  regex: 'matches',
  countGt: 'sizeGt',
  countLt: 'sizeLt',
  lengthGt: 'sizeGt',
  lengthLt: 'sizeLt',
}
