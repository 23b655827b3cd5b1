import { describe, expect, it } from 'vitest'
import { readTestFile } from './read-test-file.js'

const read = (content: unknown) => readTestFile(content).file.tests
const issues = (content: unknown) => readTestFile(content).issues

describe('readTestFile', () => {
  it('reads cases of one rule from maps under pass, fail and skip', () => {
    const tests = read({
      target: 'plugin',
      tests: [{ rule: 'r', pass: { good: { a: 1 } }, fail: { 'bad ~/x': { a: 2 } }, skip: { other: {} } }],
    })
    expect(tests.map(({ name, pointer, expectation }) => [name, pointer, expectation])).toEqual([
      ['r: good', '/tests/0/pass/good', { kind: 'rule', rule: 'r', outcome: 'pass' }],
      ['r: bad ~/x', '/tests/0/fail/bad ~0~1x', { kind: 'rule', rule: 'r', outcome: 'fail' }],
      ['r: other', '/tests/0/skip/other', { kind: 'rule', rule: 'r', outcome: 'skip' }],
    ])
    expect(tests[0]).toMatchObject({ target: 'plugin', raw: false, now: null, exemptions: [] })
  })

  it('lays the attributes of a case over the base of the group and of the file, null removing a key', () => {
    const [test] = read({
      base: { a: 1, deep: { x: 1, y: 2 }, gone: 1 },
      tests: [{ rule: 'r', base: { b: 2 }, pass: { case: { deep: { y: 3 }, gone: null } } }],
    })
    expect(test?.subject).toEqual({ kind: 'given', attributes: { a: 1, b: 2, deep: { x: 1, y: 3 } } })
  })

  it('reads a test of an entity with a verdict, violations and skipped rules', () => {
    const [test] = read({
      tests: [
        {
          name: 'a file',
          file: 'a.yaml',
          entity: 'second',
          now: '2026-01-01T00:00:00Z',
          exemptions: ['waived', { ruleId: 'other', id: 'x1', status: 'approved' }],
          expect: {
            verdict: 'block',
            violations: ['one', { rule: 'two', field: 'f', severity: 'error' }],
            skipped: [{ rule: 'three', reason: 'exempt' }],
          },
        },
      ],
    })
    expect(test).toEqual({
      name: 'a file',
      pointer: '/tests/0',
      subject: { kind: 'file', path: 'a.yaml', entity: 'second' },
      expectation: {
        kind: 'entity',
        verdict: 'block',
        violations: [{ rule: 'one' }, { rule: 'two', field: 'f', severity: 'error' }],
        skipped: [{ rule: 'three', reason: 'exempt' }],
      },
      target: null,
      now: '2026-01-01T00:00:00Z',
      raw: false,
      exemptions: [
        { id: 'exemption-1', ruleId: 'waived' },
        { id: 'x1', ruleId: 'other', status: 'approved' },
      ],
    })
  })

  it.each([
    ['no map', [], '', 'a test file is a map'],
    ['no tests', { tests: [] }, '/tests', 'at least one test'],
    ['a misspelt key', { test: [], tests: [{ rule: 'r', pass: {} }] }, '/test', 'unknown key `test`'],
    ['a test that is not a map', { tests: ['x'] }, '/tests/0', 'a test is a map'],
    ['cases that are not a map', { tests: [{ rule: 'r', pass: [] }] }, '/tests/0/pass', 'is a map from the name'],
    ['a rule without cases', { tests: [{ rule: 'r' }] }, '/tests/0', 'a rule without cases'],
    ['a misspelt outcome', { tests: [{ rule: 'r', fial: {} }] }, '/tests/0/fial', 'unknown key `fial`'],
    ['a group without a rule', { tests: [{ pass: { a: {} } }] }, '/tests/0/rule', 'expected the rule'],
    [
      'attributes that are not a map',
      { tests: [{ rule: 'r', pass: { a: [1] } }] },
      '/tests/0/pass/a',
      'attributes are a map',
    ],
    ['no subject', { tests: [{ name: 'n', expect: 'pass' }] }, '/tests/0', 'says what it is about'],
    ['two subjects', { tests: [{ name: 'n', given: {}, file: 'a', expect: 'pass' }] }, '/tests/0/file', 'exclude'],
    [
      'an entity of no file',
      { tests: [{ name: 'n', given: {}, entity: 'e', expect: 'pass' }] },
      '/tests/0/entity',
      'picks one',
    ],
    ['no expectation', { tests: [{ name: 'n', given: {} }] }, '/tests/0/expect', 'says what it expects'],
    [
      'an empty expectation',
      { tests: [{ name: 'n', given: {}, expect: {} }] },
      '/tests/0/expect',
      'nothing is expected',
    ],
    ['an unknown verdict', { tests: [{ name: 'n', given: {}, expect: 'blok' }] }, '/tests/0/expect', 'got `blok`'],
    [
      'a field of a passing rule',
      { tests: [{ name: 'n', rule: 'r', given: {}, expect: { outcome: 'pass', field: 'f' } }] },
      '/tests/0/expect/field',
      'only a failing rule',
    ],
    [
      'a reason of a failing rule',
      { tests: [{ name: 'n', rule: 'r', given: {}, expect: { outcome: 'fail', reason: 'exempt' } }] },
      '/tests/0/expect/reason',
      'only a skipped rule',
    ],
    [
      'an instant that is none',
      { now: 'today', tests: [{ rule: 'r', pass: { a: {} } }] },
      '/now',
      'expected an instant',
    ],
    [
      'exemptions that are not a list',
      { exemptions: {}, tests: [{ rule: 'r', pass: { a: {} } }] },
      '/exemptions',
      'is a list',
    ],
    [
      'a base that is not a map',
      { base: [], tests: [{ rule: 'r', pass: { a: {} } }] },
      '/base',
      'is a map of attributes',
    ],
    ['raw that is a word', { raw: 'yes', tests: [{ rule: 'r', pass: { a: {} } }] }, '/raw', 'true or false'],
    [
      'two tests of one name',
      {
        tests: [
          { name: 'n', given: {}, expect: 'pass' },
          { name: 'n', given: {}, expect: 'warn' },
        ],
      },
      '/tests/1',
      'a second test is called `n`',
    ],
  ])('refuses %s, and says where', (_, content, pointer, message) => {
    expect(issues(content)).toContainEqual(
      expect.objectContaining({ pointer, message: expect.stringContaining(message) }),
    )
  })

  it('reports every mistake at once, and leaves wrong tests out', () => {
    const content = {
      tests: [
        { name: 'n', given: {}, expect: 'blok' },
        { rule: 'r', pas: {} },
        { rule: 'r', fail: { a: {} } },
      ],
    }
    expect(issues(content).length).toBeGreaterThanOrEqual(3)
    expect(read(content).map((test) => test.name)).toEqual(['r: a'])
  })

  it('suggests the nearest key', () => {
    expect(issues({ tests: [{ rule: 'r', pass: {}, exemption: [] }] })).toEqual([
      { pointer: '/tests/0/exemption', message: 'unknown key `exemption`', fix: 'did you mean `exemptions`?' },
    ])
  })
})
