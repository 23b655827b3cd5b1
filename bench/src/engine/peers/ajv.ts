/** ajv: a compiled JSON Schema per rule, so that each rule fails separately. */
import type { Rule } from '@plumbline/engine'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Failure } from '../hand-written.js'
import { type Check, checksOf, copyOf, failureOf, mentions, type Peer } from './peer.js'

export function ajvPeer(rules: readonly Rule[]): Peer {
  const ajv = new Ajv({ strict: false })
  ajv.addKeyword({ keyword: 'mentions', validate: (part: string, value: unknown) => mentions(value, part) })
  const compiled = rules.map((rule) => ({
    failure: failureOf(rule),
    validate: ajv.compile(ruleSchema(rule)) as ValidateFunction,
  }))
  return {
    name: 'ajv (a schema per rule)',
    check(entity) {
      const failures: Failure[] = []
      for (const { failure, validate } of compiled) if (!validate(entity)) failures.push(copyOf(failure))
      return failures
    },
  }
}

type Schema = { readonly [key: string]: unknown }

function ruleSchema(rule: Rule): Schema {
  const checks = checksOf(rule).map(checkSchema)
  return checks.length === 1 ? (checks[0] as Schema) : { [rule.conditionMode === 'any' ? 'anyOf' : 'allOf']: checks }
}

function checkSchema(check: Check): Schema {
  const { leaf, isRequired } = leafSchema(check)
  return check.keys.reduceRight<Schema>((inner, key) => {
    if (/^\d+$/.test(key)) {
      const before = Array.from({ length: Number(key) }, () => ({}))
      return { type: 'array', items: [...before, inner], ...(isRequired ? { minItems: Number(key) + 1 } : {}) }
    }
    return { type: 'object', properties: { [key]: inner }, ...(isRequired ? { required: [key] } : {}) }
  }, leaf)
}

/** What must hold at the end of the path, and whether the path must exist. */
function leafSchema({ operator, value, isCount }: Check): { readonly leaf: Schema; readonly isRequired: boolean } {
  const required = (leaf: Schema) => ({ leaf, isRequired: true })
  const optional = (leaf: Schema) => ({ leaf, isRequired: false })
  const bound = Number(value)
  switch (operator) {
    case 'eq':
      return required({ const: value })
    case 'neq':
      return optional({ not: { const: value } })
    case 'gt':
      return required({ type: 'number', exclusiveMinimum: value })
    case 'gte':
      return required({ type: 'number', minimum: value })
    case 'lt':
      return isCount ? optional({ maxItems: bound - 1 }) : required({ type: 'number', exclusiveMaximum: value })
    case 'lte':
      return required({ type: 'number', maximum: value })
    case 'in':
      return required({ enum: value })
    case 'notIn':
      return optional({ not: { enum: value } })
    case 'contains':
      return required({ mentions: value })
    case 'notContains':
      return optional({ not: { mentions: value } })
    case 'exists':
      return required({ not: { type: 'null' } })
    case 'notExists':
      return optional({ type: 'null' })
    case 'notEmpty':
      return required({ not: { enum: [null, '', 0, false, []] } })
    case 'countGt':
      return required({ type: ['array', 'object'], minItems: bound + 1, minProperties: bound + 1 })
    case 'countLt':
      return required({ type: ['array', 'object'], maxItems: bound - 1, maxProperties: bound - 1 })
    case 'lengthGt':
      return required({ type: 'string', minLength: bound + 1 })
    case 'lengthLt':
      return required({ type: 'string', maxLength: bound - 1 })
    case 'regex':
      return required({ type: 'string', pattern: value })
  }
}
