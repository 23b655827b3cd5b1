/** The published JSON Schemas, word by word: editors and other programs read them, so a change is one on purpose. */

import { describe, expect, it } from 'vitest'
import { operators } from '../catalogue/operators.js'
import { notInNames } from '../value/name.js'
import { ruleFieldDocs } from './field-docs.js'
import { conditionSchema, ruleSchema, rulesFileSchema } from './schema.js'

type Schema = { readonly [keyword: string]: unknown }

const text = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength })
const nullable = <Of extends { type: string }>(schema: Of) => ({ ...schema, type: [schema.type, 'null'] })
const served = <Of extends object>(schema: Of) => ({ ...schema, readOnly: true })
const texts = (maxItems: number, maxLength: number) => ({ type: 'array', maxItems, items: text(maxLength) })
const instant = { type: 'string', format: 'date-time' }
const flag = { type: 'boolean' }
const path = nullable(text(100))
const operator = { enum: [...operators.map(({ name }) => name), null] }

const fields = {
  id: text(255),
  orgId: served(nullable(text(255))),
  name: { type: 'string', pattern: '\\S', not: { pattern: notInNames.source } },
  description: nullable(text(2_000, 0)),
  target: { enum: ['plugin', 'pipeline'] },
  severity: { enum: ['warning', 'error', 'critical'] },
  priority: { type: 'integer', minimum: 0, maximum: 10_000 },
  scope: { enum: ['org', 'published'] },
  field: path,
  operator,
  value: {},
  conditions: { type: ['array', 'null'], maxItems: 50, items: { $ref: '#/$defs/condition' } },
  conditionMode: { enum: ['all', 'any', null] },
  tags: texts(50, 100),
  policyIds: texts(1_000, 255),
  policyId: nullable(text(255)),
  propagateToChildren: flag,
  isTemplate: flag,
  isActive: flag,
  suppressNotification: flag,
  effectiveFrom: nullable(instant),
  effectiveUntil: nullable(instant),
  forkedFromRuleId: served(nullable(text(255))),
  version: served({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  createdAt: served(instant),
  createdBy: served(nullable(text(255))),
  updatedAt: served(instant),
  updatedBy: served(nullable(text(255))),
  deletedAt: served(nullable(instant)),
  deletedBy: served(nullable(text(255))),
  purgeAfter: served(nullable(instant)),
  source: served({ enum: ['own', 'inherited', 'subscribed'] }),
}

const described = (schemas: { readonly [key: string]: object }) =>
  Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => [
      key,
      { description: (ruleFieldDocs as Record<string, string>)[key], ...schema },
    ]),
  )

const isCheck = {
  required: ['field', 'operator'],
  properties: { field: { not: { type: 'null' } }, operator: { not: { type: 'null' } } },
}
const operandRules = operators.map(({ name, operand }) => ({
  if: { properties: { operator: { const: name } }, required: ['operator'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then:
    operand === null
      ? { properties: { value: { type: 'null' } } }
      : { properties: { value: operand }, required: ['value'] },
}))
const condition: Schema = {
  type: 'object',
  description: 'A check, a gate of the whole rule, or a gated check.',
  properties: {
    ...described({ field: path, operator, value: {} }),
    dependsOnRule: {
      description: 'Rule that must have passed: its id, or a name that is unique in the set.',
      ...nullable(text(255)),
    },
  },
  additionalProperties: false,
  anyOf: [
    isCheck,
    {
      required: ['dependsOnRule'],
      properties: {
        dependsOnRule: { not: { type: 'null' } },
        field: { type: 'null' },
        operator: { type: 'null' },
        value: { type: 'null' },
      },
    },
  ],
  allOf: operandRules,
}
const rule: Schema = {
  type: 'object',
  description: 'A rule: what must hold for the entities of one target.',
  properties: described(fields),
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
    ...operandRules,
    {
      if: { properties: { scope: { const: 'published' } }, required: ['scope'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { propagateToChildren: { const: false }, isTemplate: { const: false } } },
    },
  ],
}
const $schema = 'https://json-schema.org/draft/2020-12/schema'

describe('the JSON Schema', () => {
  it('of a condition', () => {
    expect(conditionSchema).toEqual({ $schema, title: 'Plumbline condition', ...condition })
  })

  it('of a rule', () => {
    expect(ruleSchema).toEqual({ $schema, title: 'Plumbline rule', ...rule, $defs: { condition } })
  })

  it('of a rule file', () => {
    const named = { $schema: { type: 'string' } }
    const items = { $ref: '#/$defs/rule' }
    expect(rulesFileSchema).toEqual({
      $schema,
      title: 'Plumbline rule file',
      if: { type: 'array' },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { items },
      else: {
        if: { required: ['rules'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          type: 'object',
          properties: { ...named, rules: { type: 'array', items } },
          required: ['rules'],
          additionalProperties: false,
        },
        else: { ...rule, properties: { ...named, ...(rule.properties as object) } },
      },
      $defs: { rule, condition },
    })
  })
})
