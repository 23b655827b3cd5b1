import { operators } from '@plumbline/engine'
import { describe, expect, it } from 'vitest'
import {
  conditionsOf,
  type Draft,
  patchOf,
  readDraft,
  readValue,
  rebase,
  showOperand,
  withConditions,
  writeDraft,
} from '../src/screens/rules/draft.js'
import { OPERATORS } from '../src/screens/rules/editor-data.js'
import { operatorWords, takesWords } from '../src/screens/rules/words-operators.js'

const base: Draft = {
  name: 'no-root',
  severity: 'error',
  tags: ['a'],
  field: 'image.user',
  operator: 'notEquals',
  value: 'root',
}

describe('a draft on a newer version of its rule', () => {
  it('has the changes of both people, and sends only those of its author', () => {
    const newest = { ...base, severity: 'critical' }
    const { draft, both } = rebase(base, { ...base, description: 'why' }, newest)
    expect(draft).toEqual({ ...newest, description: 'why' })
    expect(both).toEqual([])
    expect(patchOf(newest, draft)).toEqual({ description: 'why' })
  })

  it('has the values of its author where both changed a field, and names the field', () => {
    const { draft, both } = rebase(base, { ...base, severity: 'warning' }, { ...base, severity: 'critical' })
    expect(draft.severity).toBe('warning')
    expect(both).toEqual(['severity'])
    const agreed = { ...base, severity: 'critical' }
    expect(rebase(base, agreed, agreed).both).toEqual([])
  })

  it('keeps what one of them removed', () => {
    const { tags: _tags, ...untagged } = base
    expect(rebase(base, untagged, { ...base, severity: 'critical' }).draft).toEqual({
      ...untagged,
      severity: 'critical',
    })
    expect(rebase(base, { ...base, severity: 'warning' }, untagged).draft).toEqual({ ...untagged, severity: 'warning' })
  })

  it('takes a condition as a whole, so that two of them are never mixed', () => {
    const { field: _field, operator: _operator, value: _value, ...rest } = base
    const newest = { ...rest, conditionMode: 'all', conditions: [{ field: 'x', operator: 'exists' }] }
    const { draft, both } = rebase(base, { ...base, value: '0' }, newest)
    expect(draft).toEqual({ ...base, value: '0' })
    expect(new Set(both)).toEqual(new Set(['field', 'operator', 'value', 'conditionMode', 'conditions']))
  })
})

describe('a draft in its three ways of writing', () => {
  const OPERANDS: readonly unknown[] = [
    'main',
    '2024',
    'true',
    'null',
    '"quoted"',
    '[0]',
    '^\\d+\\.\\d+$',
    'yes',
    '1e3',
    '2026-12-01T00:00:00Z',
    'a # b: c',
    '- x',
    ' around ',
    'a\u202eb',
    'two\nlines',
    'e\u0301 \u{1f389}',
    null,
    false,
    0,
    -1.5,
    [],
    ['a', 1, null],
    [1, [2]],
    { a: { b: [true] } },
  ]

  it('is the same in JSON and YAML, with every operator and operand', () => {
    for (const { name } of OPERATORS)
      for (const value of OPERANDS)
        for (const language of ['json', 'yaml'] as const) {
          const draft = { ...base, operator: name, value, conditionMode: 'any', unknown: { kept: [1] } }
          expect(readDraft(writeDraft(draft, language), language)).toEqual({ draft })
        }
  })

  it('shows each operand as a text that the form reads as the same operand', () => {
    for (const { name } of OPERATORS)
      for (const value of OPERANDS.filter((each) => name !== 'regex' || typeof each === 'string'))
        expect([name, readValue(showOperand(value, name), name)]).toEqual([name, value])
  })

  it('has a form while an entry of its conditions is not written yet', () => {
    for (const entry of [null, 'x', 1, [1]]) {
      const conditions = conditionsOf({ ...base, conditions: [entry, { field: 'a', operator: 'exists' }] })
      expect(conditions).toEqual([
        { field: '', operator: 'exists' },
        { field: 'a', operator: 'exists' },
      ])
    }
  })

  it('keeps what the form does not show, such as gates and unknown fields', () => {
    const gated = { field: 'a', operator: 'exists', dependsOnRule: 'other' }
    const { conditions, ...rest } = withConditions({ ...base, priority: 7, unknown: 1 }, [gated])
    expect([conditions, rest['priority'], rest['unknown']]).toEqual([[gated], 7, 1])
  })
})

it('the words about each operator are those of the engine, and in German', () => {
  const words: Readonly<Record<string, readonly [string, string]>> = operatorWords
  const takes: Readonly<Record<string, readonly [string, string]>> = takesWords
  expect(Object.keys(words)).toEqual(operators.map(({ name }) => name))
  expect(new Set(Object.keys(takes))).toEqual(new Set(operators.map((each) => each.takes)))
  for (const { name, doc, takes: operand } of operators)
    expect([words[name]?.[0], takes[operand]?.[0]]).toEqual([doc, operand])
})
