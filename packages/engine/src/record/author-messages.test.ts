/** What an author reads: every refusal of a rule says in words what is wrong and what to do about it. */
import { describe, expect, it } from 'vitest'
import { operandReaders } from '../operator/operand.js'
import { validateRule } from './validate-rule.js'

const valid = { name: 'rule', target: 'plugin', field: 'a', operator: 'exists' }
const check = { field: 'a', operator: 'exists' }
const operators = Object.keys(operandReaders).join(', ')

const read = (more: object): string[] =>
  validateRule({ ...valid, ...more }).map(({ pointer, code, message, fix }) => `${pointer} ${code}: ${message}; ${fix}`)

describe('an author reads', () => {
  it.each<[string, object, ...string[]]>([
    ['no name', { name: undefined }, '/name missing_name: the rule has no name; give the rule a name'],
    ['an empty name', { name: '' }, '/name missing_name: the name is empty; give the rule a name'],
    [
      'a name with a character that is not shown',
      { name: 'Ad\u200bmin' },
      '/name invisible_name: the name holds a line break, a control character or one that is not shown; write it as one line of visible characters',
    ],
    ['a name of blanks', { name: ' \n' }, '/name missing_name: the name is empty; give the rule a name'],
    ['a long name', { name: 'x'.repeat(256) }, '/name too_long: `name` has 256 characters; use at most 255'],
    ['a name that is not a text', { name: 5 }, '/name invalid_type: `name` is not a text; give a text'],
    ['no target', { target: undefined }, '/target unknown_target: the rule has no target; give `plugin` or `pipeline`'],
    [
      'an unknown target',
      { target: 'job' },
      '/target unknown_target: `target` is not one of its values; give plugin or pipeline',
    ],
    [
      'an unknown severity',
      { severity: 'high' },
      '/severity unknown_severity: `severity` is not one of its values; give warning or error or critical',
    ],
    [
      'an unknown mode',
      { conditionMode: 'none' },
      '/conditionMode unknown_mode: `conditionMode` is not one of its values; give all or any',
    ],
    [
      'an unknown scope',
      { scope: 'all' },
      '/scope unknown_scope: `scope` is not one of its values; give org or published',
    ],
    [
      'an unknown source',
      { source: 'x' },
      '/source invalid_value: `source` is not one of its values; give own or inherited or subscribed',
    ],
    ['a flag as text', { isActive: 'yes' }, '/isActive invalid_type: `isActive` is not a boolean; give true or false'],
    [
      'null where it is not allowed',
      { isActive: null },
      '/isActive invalid_type: `isActive` cannot be null; leave `isActive` out or give a value',
    ],
    ['an empty id', { id: '' }, '/id invalid_value: `id` is empty; give a text'],
    [
      'a long description',
      { description: 'x'.repeat(2_001) },
      '/description too_long: `description` has 2001 characters; use at most 2000',
    ],
    ['an empty description', { description: '' }],
    [
      'a broken priority',
      { priority: 1.5 },
      '/priority invalid_type: `priority` is not an integer; give a whole number',
    ],
    ['a low priority', { priority: -1 }, '/priority out_of_range: `priority` is out of range; give 0 to 10000'],
    ['the least priority', { priority: 0 }],
    ['the greatest priority', { priority: 10_000 }],
    ['one tag', { tags: 'a' }, '/tags invalid_type: `tags` is not a list; give a list of texts'],
    ['many tags', { tags: Array(51).fill('t') }, '/tags too_many: `tags` has 51 entries; use at most 50'],
    ['as many tags as are allowed', { tags: Array(50).fill('t') }],
    [
      'tags that are none, and nothing about those beyond the bound',
      { tags: [5, '', ...Array(48).fill('t'), 6] },
      '/tags too_many: `tags` has 51 entries; use at most 50',
      '/tags/0 invalid_type: `tags[0]` is not a text; give a text',
      '/tags/1 invalid_value: `tags[1]` is empty; give a text',
    ],
    [
      'a date in words',
      { effectiveFrom: 'soon' },
      '/effectiveFrom invalid_date: `effectiveFrom` is not an instant; ' +
        'give ISO 8601 with Z or an offset, like 2026-01-31T00:00:00Z',
    ],
    [
      'dates in the wrong order',
      { effectiveFrom: '2026-01-02T00:00:00Z', effectiveUntil: '2026-01-01T00:00:00Z' },
      '/effectiveUntil date_order: the rule ends before it begins; give a later `effectiveUntil`',
    ],
    ['an empty interval', { effectiveFrom: '2026-01-02T00:00:00Z', effectiveUntil: '2026-01-02T00:00:00Z' }],
    [
      'conditions as text',
      { conditions: 'x' },
      '/conditions invalid_type: `conditions` is not a list; give a list of conditions',
    ],
    [
      'conditions as text, and nothing else about the missing check',
      { field: undefined, operator: undefined, conditions: 'x' },
      '/conditions invalid_type: `conditions` is not a list; give a list of conditions',
    ],
    [
      'no check',
      { field: undefined, operator: undefined },
      ' no_check: the rule has no check; give `field` and `operator`, or `conditions`',
    ],
    [
      'no check, and conditions that are null',
      { field: null, operator: null, conditions: null },
      ' no_check: the rule has no check; give `field` and `operator`, or `conditions`',
    ],
    ['no field', { field: undefined }, '/field no_check: the rule has no check; give `field`'],
    ['no operator', { operator: undefined }, '/operator no_check: the rule has no check; give `operator`'],
    ['half a check beside conditions', { operator: undefined, conditions: [check] }],
    ['the other half', { field: undefined, conditions: [check] }],
    [
      'a condition that is not an object',
      { conditions: [5] },
      '/conditions/0 invalid_condition: the condition is not an object; write the condition as an object',
    ],
    [
      'gates alone',
      { conditions: [{ dependsOnRule: 'other' }] },
      '/conditions no_live_check: no condition checks a field; add a condition with `field` and `operator`',
    ],
    [
      'a rule that waits for itself by name',
      { conditions: [{ ...check, dependsOnRule: 'rule' }] },
      '/conditions/0/dependsOnRule dependency_cycle: the rule depends on itself; name another rule',
    ],
    [
      'a rule that waits for itself by id',
      { id: '7', conditions: [{ ...check, dependsOnRule: '7' }] },
      '/conditions/0/dependsOnRule dependency_cycle: the rule depends on itself; name another rule',
    ],
    [
      'half a condition',
      { conditions: [check, { field: 'a' }, { dependsOnRule: 'x', operator: 'exists' }] },
      ...['1', '2'].map(
        (at) =>
          `/conditions/${at} invalid_condition: the condition is neither a check nor a gate; ` +
          'give `field` and `operator`, or `dependsOnRule` alone',
      ),
    ],
    [
      'a broken path and an unknown operator of a condition, where they stand',
      { conditions: [check, { field: 'a..b', operator: 'exist' }] },
      '/conditions/1/field invalid_path: the field path has an empty segment; name a key between the dots',
      '/conditions/1/operator unknown_operator: the operator is unknown; did you mean `exists`',
    ],
    [
      'a gate with a field or an operator of its own',
      { conditions: [check, { dependsOnRule: 'x', field: 'a' }] },
      '/conditions/1 invalid_condition: the condition is neither a check nor a gate; ' +
        'give `field` and `operator`, or `dependsOnRule` alone',
    ],
    ['texts as long as they may be', { id: 'x'.repeat(255), description: 'x'.repeat(2_000), tags: ['x'.repeat(100)] }],
    ['blanks where no name is asked for', { id: ' ', tags: [' '], policyId: ' ' }],
    [
      'as many gates as are allowed, and nothing else',
      { conditions: Array(50).fill({ dependsOnRule: 'x' }) },
      '/conditions no_live_check: no condition checks a field; add a condition with `field` and `operator`',
    ],
    [
      'a misspelt key of a condition',
      { conditions: [{ ...check, vaule: 1 }] },
      '/conditions/0/vaule unknown_key: `vaule` is not known; remove it, or did you mean `value`',
    ],
    [
      'many conditions, and nothing about those beyond the bound',
      { conditions: [...Array(50).fill({ dependsOnRule: 'x' }), 5] },
      '/conditions too_many: the rule has 51 conditions; use at most 50, or split the rule',
    ],
    [
      'an unknown operator',
      { operator: 'equals' },
      `/operator unknown_operator: the operator is unknown; use one of ${operators}`,
    ],
    [
      'a misspelt operator',
      { operator: 'exist' },
      '/operator unknown_operator: the operator is unknown; did you mean `exists`',
    ],
    [
      'an operator that is not a text',
      { operator: 5 },
      `/operator unknown_operator: the operator is unknown; use one of ${operators}`,
    ],
    ['a misspelt key', { nmae: 'x' }, '/nmae unknown_key: `nmae` is not known; remove it, or did you mean `name`'],
    ['an unknown key', { zzzzzzzzzz: 1 }, '/zzzzzzzzzz unknown_key: `zzzzzzzzzz` is not known; remove it'],
    [
      'a deep value',
      { operator: 'eq', value: Array.from({ length: 500 }).reduce<unknown>((inner) => [inner], 1) },
      '/value invalid_value: the value is nested too deeply; give a flatter value',
    ],
    [
      'a large value',
      { operator: 'eq', value: 'x'.repeat(8_191) },
      '/value too_long: the value is too large; use at most 8192 bytes of JSON',
    ],
    [
      'a published rule that propagates',
      { scope: 'published', propagateToChildren: true },
      '/propagateToChildren not_allowed: a published rule cannot propagate; ' +
        'remove `propagateToChildren`, or use scope `org`',
    ],
    [
      'a published template',
      { scope: 'published', isTemplate: true },
      '/isTemplate not_allowed: a published rule cannot be a template; remove `isTemplate`, or use scope `org`',
    ],
    ['nothing of an own template that propagates', { scope: 'org', isTemplate: true, propagateToChildren: true }],
    ['nothing of a published rule', { scope: 'published', isTemplate: false, propagateToChildren: false }],
  ])('of %s', (_, more, ...expected) => {
    expect(read(more)).toEqual(expected)
  })

  it('suggestions for ten unknown keys, and for more of them none', () => {
    const issues = validateRule({
      ...valid,
      ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`nam${i}`, 1])),
    })
    expect(issues).toHaveLength(12)
    expect(issues.filter(({ fix }) => fix === 'remove it, or did you mean `name`')).toHaveLength(10)
    expect(issues.slice(10).map(({ fix }) => fix)).toEqual(['remove it', 'remove it'])
  })

  it('of something that is not a rule', () => {
    const issue = { code: 'not_an_object', message: 'the rule is not an object', fix: 'write the rule as an object' }
    expect(validateRule(5)).toEqual([{ ruleId: null, ruleName: null, pointer: '', ...issue }])
  })

  it('whose rule it is, by id, by name, or by neither', () => {
    const of = (rule: object) => validateRule(rule).map(({ ruleId, ruleName }) => [ruleId, ruleName])[0]
    expect(of({ id: '7', name: 'a' })).toEqual(['7', 'a'])
    expect(of({ name: 'a' })).toEqual(['a', 'a'])
    expect(of({ id: '7' })?.[0]).toBe('7')
    expect(of({})).toEqual([null, null])
  })
})
