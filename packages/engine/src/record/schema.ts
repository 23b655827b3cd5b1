/**
 * JSON Schema 2020-12 of rules, made from the field table and the operator catalogue, which validation uses too.
 *
 * The schema covers what an editor can check on one rule. `validateRule` checks the rest: paths, patterns, references,
 * and the order of dates.
 */
import { operators } from '../catalogue/operators.js'
import { notInNames } from '../value/name.js'
import { conditionFieldDocs, ruleFieldDocs } from './field-docs.js'
import { conditionFields, type FieldShape, ruleFields } from './rule-fields.js'
import { isServerOwned } from './server-owned.js'

export type JsonSchema = { readonly [keyword: string]: unknown }

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const fieldSchema = (key: string, shape: FieldShape, description: string): JsonSchema => {
  const described = { description, ...(isServerOwned(key) ? { readOnly: true } : {}) }
  const nullable = shape.nullable === true
  const type = (name: string): string | readonly string[] => (nullable ? [name, 'null'] : name)
  switch (shape.kind) {
    case 'text': {
      const bounds = shape.trim
        ? { pattern: '\\S', not: { pattern: notInNames.source } }
        : { minLength: shape === ruleFields.description ? 0 : 1, maxLength: shape.max }
      return { ...described, type: type('string'), ...bounds }
    }
    case 'integer':
      return { ...described, type: type('integer'), minimum: shape.min, maximum: shape.max }
    case 'flag':
      return { ...described, type: type('boolean') }
    case 'choice':
      return { ...described, enum: nullable ? [...shape.of, null] : shape.of }
    case 'texts': {
      const items = { type: 'string', minLength: 1, maxLength: shape.max }
      return { ...described, type: type('array'), maxItems: shape.maxItems, items }
    }
    case 'instant':
      return { ...described, type: type('string'), format: 'date-time' }
    case 'path':
      return { ...described, type: type('string'), minLength: 1, maxLength: 100 }
    case 'operator':
      return { ...described, enum: [...operators.map(({ name }) => name), null] }
    case 'conditions':
      return { ...described, type: type('array'), maxItems: shape.maxItems, items: { $ref: '#/$defs/condition' } }
    default:
      return described
  }
}

const properties = <Key extends string>(
  fields: { readonly [key in Key]: FieldShape },
  docs: { readonly [key in Key]: string },
): JsonSchema => {
  const keys = Object.keys(fields) as Key[]
  return Object.fromEntries(keys.map((key) => [key, fieldSchema(key, fields[key], docs[key])]))
}

const isPresent = { not: { type: 'null' } }

/** Constraints on the rule value, by operator. */
const operandRules = () =>
  operators.map(({ name, operand }) => {
    const value = operand === null ? { type: 'null' } : operand
    return {
      if: { properties: { operator: { const: name } }, required: ['operator'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { value }, ...(operand === null ? {} : { required: ['value'] }) },
    }
  })

const isCheck = { required: ['field', 'operator'], properties: { field: isPresent, operator: isPresent } }

const isGate = {
  required: ['dependsOnRule'],
  properties: {
    dependsOnRule: isPresent,
    field: { type: 'null' },
    operator: { type: 'null' },
    value: { type: 'null' },
  },
}

const conditionBody = (): JsonSchema => ({
  type: 'object',
  description: 'A check, a gate of the whole rule, or a gated check.',
  properties: properties(conditionFields, conditionFieldDocs()),
  additionalProperties: false,
  anyOf: [isCheck, isGate],
  allOf: operandRules(),
})

const ruleBody = (): JsonSchema => ({
  type: 'object',
  description: 'A rule: what must hold for the entities of one target.',
  properties: properties(ruleFields, ruleFieldDocs),
  required: ['name', 'target'],
  additionalProperties: false,
  anyOf: [
    isCheck,
    {
      required: ['conditions'],
      properties: { conditions: { type: 'array', minItems: 1, contains: { required: ['field'] } } },
    },
  ],
  allOf: [
    ...operandRules(),
    {
      if: { properties: { scope: { const: 'published' } }, required: ['scope'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { propagateToChildren: { const: false }, isTemplate: { const: false } } },
    },
  ],
})

const oneCondition = (): JsonSchema => ({ $schema: DIALECT, title: 'Plumbline condition', ...conditionBody() })

const oneRule = (): JsonSchema => ({
  $schema: DIALECT,
  title: 'Plumbline rule',
  ...ruleBody(),
  $defs: { condition: conditionBody() },
})

const rulesFile = (): JsonSchema => {
  const rule = ruleBody()
  const file = {
    type: 'object',
    properties: { $schema: { type: 'string' }, rules: { type: 'array', items: { $ref: '#/$defs/rule' } } },
    required: ['rules'],
    additionalProperties: false,
  }
  const single = { ...rule, properties: { $schema: { type: 'string' }, ...(rule.properties as JsonSchema) } }
  return {
    $schema: DIALECT,
    title: 'Plumbline rule file',
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { items: { $ref: '#/$defs/rule' } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    else: { if: { required: ['rules'] }, then: file, else: single },
    $defs: { rule, condition: conditionBody() },
  }
}

/** JSON Schema of one entry of `conditions`. */
export const conditionSchema: JsonSchema = /* @__PURE__ */ oneCondition()

/** JSON Schema of one rule. */
export const ruleSchema: JsonSchema = /* @__PURE__ */ oneRule()

/** JSON Schema of a rule file: `{ rules }`, a list of rules, or one rule. Each form may name its schema in `$schema`. */
export const rulesFileSchema: JsonSchema = /* @__PURE__ */ rulesFile()
