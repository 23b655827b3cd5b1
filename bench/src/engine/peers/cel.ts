/**
 * cel-js: expressions are parsed once and evaluated on `{ e: entity }`. Size, text search and patterns are functions.
 */
import type { Rule } from '@plumbline/engine'
import { evaluate, parse } from 'cel-js'
import type { Failure } from '../hand-written.js'
import { type Check, checksOf, copyOf, failureOf, mentions, type Peer, size } from './peer.js'

export function celPeer(rules: readonly Rule[]): Peer {
  const patterns: RegExp[] = []
  const functions = {
    sizeOf: size,
    mentions,
    matchesPattern: (value: unknown, index: number) =>
      typeof value === 'string' && patterns[index]?.test(value) === true,
  }
  const parsed = rules.map((rule) => {
    const join = rule.conditionMode === 'any' ? ' || ' : ' && '
    const source = checksOf(rule)
      .map((check) => `(${expression(check, patterns)})`)
      .join(join)
    const result = parse(source)
    if (!result.isSuccess) throw new Error(`cel-js cannot read ${source}: ${result.errors.join('; ')}`)
    return { failure: failureOf(rule), cst: result.cst }
  })
  return {
    name: 'cel-js (parsed once)',
    check(entity) {
      const failures: Failure[] = []
      const context = { e: entity as Record<string, unknown> }
      for (const { failure, cst } of parsed) {
        if (evaluate(cst, context, functions) !== true) failures.push(copyOf(failure))
      }
      return failures
    },
  }
}

function expression({ keys, isCount, operator, value }: Check, patterns: RegExp[]): string {
  const subject = keys.reduce((path, key) => `${path}[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`, 'e')
  const steps = keys.map((key, index) => {
    const parent = keys.slice(0, index).reduce((path, each) => `${path}[${JSON.stringify(each)}]`, 'e')
    return /^\d+$/.test(key) ? `sizeOf(${parent}) > ${key}` : `${JSON.stringify(key)} in ${parent}`
  })
  const json = JSON.stringify(value)
  // cel-js evaluates both sides of `||` and the third operand of `&&`. Only the ternary is lazy.
  const guarded = (test: string, otherwise: boolean) =>
    steps.reduceRight((inner, step) => `(${step} ? ${inner} : ${otherwise})`, `(${test})`)
  const positive = (test: string) => guarded(test, false)
  const negative = (test: string) => guarded(test, true)
  if (isCount) return negative(`sizeOf(${subject}) < ${json}`)
  switch (operator) {
    case 'eq':
      return positive(`${subject} == ${json}`)
    case 'neq':
      return negative(`${subject} != ${json}`)
    case 'gt':
      return positive(`${subject} > ${json}`)
    case 'gte':
      return positive(`${subject} >= ${json}`)
    case 'lt':
      return positive(`${subject} < ${json}`)
    case 'lte':
      return positive(`${subject} <= ${json}`)
    case 'in':
      return positive(`${subject} in ${json}`)
    case 'notIn':
      return negative(`!(${subject} in ${json})`)
    case 'contains':
      return positive(`mentions(${subject}, ${json})`)
    case 'notContains':
      return negative(`!mentions(${subject}, ${json})`)
    case 'exists':
      return positive(`${subject} != null`)
    case 'notExists':
      return negative(`${subject} == null`)
    case 'notEmpty':
      return positive(`sizeOf(${subject}) > 0`)
    case 'countGt':
    case 'lengthGt':
      return positive(`sizeOf(${subject}) > ${json}`)
    case 'countLt':
    case 'lengthLt':
      return positive(`sizeOf(${subject}) < ${json}`)
    case 'regex':
      return positive(`matchesPattern(${subject}, ${patterns.push(new RegExp(String(value))) - 1})`)
  }
}
