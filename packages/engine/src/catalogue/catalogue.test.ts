import { describe, expect, it } from 'vitest'
import { operandReaders } from '../operator/operand.js'
import { computed } from '../path/computed.js'
import { resolveField } from '../path/resolve.js'
import { validateRule } from '../record/validate-rule.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { JsonValue, Rule } from '../types.js'
import { computedFunctions } from './computed-functions.js'
import { type OperatorEntry, type OperatorExample, operators } from './operators.js'

const ruleOf = (operator: OperatorEntry, example: OperatorExample): Rule => ({
  name: 'rule',
  target: 'plugin',
  field: 'attribute',
  operator: operator.name,
  ...('value' in example ? { value: example.value } : {}),
})

const attributesOf = (example: OperatorExample) => ('actual' in example ? { attribute: example.actual } : {})

const kindOf = (example: OperatorExample): string => {
  const { actual } = example
  if (actual === undefined || actual === null) return 'absent'
  return Array.isArray(actual) ? 'list' : typeof actual
}

describe('the operator catalogue', () => {
  it('documents exactly the operators that can be evaluated', () => {
    expect(operators.map(({ name }) => name).sort()).toEqual(Object.keys(operandReaders).sort())
    expect(operators, 'the specification says how many there are (spec compliance 2.1)').toHaveLength(18)
  })

  it.each(operators)('shows $name on every JSON type, satisfied and not', ({ examples }) => {
    const kinds = new Set(examples.map(kindOf))
    expect([...kinds].sort()).toEqual(['absent', 'boolean', 'list', 'number', 'object', 'string'])
    expect(new Set(examples.map(({ holds }) => holds)).size).toBe(2)
  })

  const cases = operators.flatMap((operator) =>
    operator.examples.map((example) => ({
      name: operator.name,
      example: JSON.stringify(example),
      operator,
      given: example,
    })),
  )

  it.each(cases)('$name: $example', ({ operator, given }) => {
    const result = compileRules([ruleOf(operator, given)], { strict: true }).evaluate(attributesOf(given))
    expect(result.passed).toBe(given.holds)
  })

  it('shows only rule values that authoring accepts', () => {
    for (const operator of operators) {
      for (const example of operator.examples) expect(validateRule(ruleOf(operator, example))).toEqual([])
    }
  })
})

describe('the catalogue of computed functions', () => {
  it('documents exactly the functions that can be called', () => {
    expect(computedFunctions.map(({ name }) => name).sort()).toEqual(Object.keys(computed).sort())
  })

  const cases = computedFunctions.flatMap(({ name, examples }) =>
    examples.map((example) => ({ name, text: JSON.stringify(example), example })),
  )

  it.each(cases)('$name: $text', ({ name, example }) => {
    const attributes: { argument?: JsonValue } = 'argument' in example ? { argument: example.argument } : {}
    expect(resolveField(attributes, `${name}(argument)`)).toEqual(example.result)
  })
})
