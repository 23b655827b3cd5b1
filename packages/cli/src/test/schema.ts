/**
 * JSON Schema of a test file, for editors.
 * INVARIANT: what the reader accepts is valid here. A test compares both.
 */
import type { JsonSchema } from '@plumbline/engine'
import { ruleOutcomes, severities, skipReasons, verdicts } from './read-expectation.js'
import { targets } from './read-test-file.js'

const text = { type: 'string', minLength: 1 } as const
const attributes = { type: ['object', 'null'] } as const

const settings = {
  target: { enum: targets, description: 'by default that of the rule, or guessed from the attributes' },
  base: {
    type: 'object',
    description: 'attributes that every case starts from; cases are laid over it as a merge patch',
  },
  now: { type: 'string', format: 'date-time', description: 'the instant of the evaluation' },
  raw: { type: 'boolean', description: 'evaluate attributes as they are written' },
  exemptions: {
    type: 'array',
    description: 'rules that are waived, or exemptions in full',
    items: { anyOf: [text, { type: 'object', required: ['ruleId'], properties: { ruleId: text } }] },
  },
} as const

const cases = (outcome: string): JsonSchema => ({
  type: 'object',
  description: `cases that ${outcome}: the name of a case and its attributes`,
  additionalProperties: attributes,
})

const entries = (properties: JsonSchema): JsonSchema => ({
  type: 'array',
  items: {
    anyOf: [
      text,
      { type: 'object', required: ['rule'], additionalProperties: false, properties: { rule: text, ...properties } },
    ],
  },
})

const outcomeWith = (outcome: JsonSchema, details: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['outcome'],
  additionalProperties: false,
  properties: { outcome, ...details },
})

const ruleExpectation: JsonSchema = {
  anyOf: [
    { enum: ruleOutcomes },
    outcomeWith({ const: 'pass' }, {}),
    outcomeWith({ const: 'fail' }, { field: text }),
    outcomeWith({ const: 'skip' }, { reason: { enum: skipReasons } }),
  ],
}

const entityExpectation: JsonSchema = {
  anyOf: [
    { enum: verdicts },
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        verdict: { enum: verdicts },
        violations: entries({ field: text, severity: { enum: severities } }),
        skipped: entries({ reason: { enum: skipReasons } }),
      },
    },
  ],
}

const group: JsonSchema = {
  type: 'object',
  required: ['rule'],
  additionalProperties: false,
  properties: {
    rule: { ...text, description: 'the rule that the cases judge, by name or id' },
    pass: cases('pass'),
    fail: cases('fail'),
    skip: cases('are skipped'),
    ...settings,
  },
}

const single: JsonSchema = {
  type: 'object',
  required: ['name', 'expect'],
  additionalProperties: false,
  properties: {
    name: { ...text, description: 'what the test shows, in words' },
    rule: { ...text, description: 'check only this rule' },
    given: { ...attributes, description: 'attributes' },
    file: { ...text, description: 'a plugin or pipeline file beside this one' },
    entity: { ...text, description: 'which entity of the file' },
    expect: true,
    ...settings,
  },
  oneOf: [{ required: ['given'] }, { required: ['file'] }],
  dependentRequired: { entity: ['file'] },
  if: { required: ['rule'] },
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
  then: { properties: { expect: ruleExpectation } },
  else: { properties: { expect: entityExpectation } },
}

export const testFileSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Tests of Plumbline rules',
  type: 'object',
  required: ['tests'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    rules: {
      description: 'rule files, folders or globs, relative to this file',
      anyOf: [text, { type: 'array', items: text }],
    },
    tests: {
      type: 'array',
      minItems: 1,
      items: {
        if: { anyOf: ruleOutcomes.map((outcome) => ({ required: [outcome] })) },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
        then: group,
        else: single,
      },
    },
    ...settings,
  },
}
