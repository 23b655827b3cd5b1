/** The tests of a rule, as a file: what the editor writes is what `plumbline test` reads, with the same result. */
import { compileRules, type Rule } from '@plumbline/engine'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { judge as judgeTest } from '../../cli/src/test/judge.js'
import { readTestFile as readByCli } from '../../cli/src/test/read-test-file.js'
import { judge } from '../src/judge/judge.js'
import {
  canExport,
  caseOf,
  failingOf,
  readCase,
  readTestFile,
  resultsOf,
  writeTestFile,
} from '../src/screens/rules/cases.js'

const draft = { name: 'bounded: "a"', target: 'plugin', field: 'timeout', operator: 'lte', value: 60 }
const cases = [
  caseOf('low', { timeout: 1 }, 'pass'),
  caseOf('too high', { timeout: 61, nested: { gone: null, kept: [null] } }, 'fail'),
  caseOf('wrong: on purpose', { timeout: 61 }, 'pass'),
]

describe('tests of a rule', () => {
  it('come out in the editor as `plumbline test` says of the exported file', () => {
    const readable = cases.flatMap((each) => readCase(each) ?? [])
    const verdict = judge({ id: 1, rule: draft, cases: readable }, null)
    const { file, issues } = readByCli(parse(writeTestFile(draft, cases)))
    expect(issues).toEqual([])
    const rules = compileRules([{ ...draft, id: 'r' } as Rule])
    const byCli = file.tests.map(({ name, subject, expectation, raw }) => {
      if (subject.kind !== 'given') throw new Error('a case has its attributes in the file')
      const given = {
        target: 'plugin',
        attributes: subject.attributes,
        entityId: null,
        exemptions: [],
        now: null,
      } as const
      return [name, raw, judgeTest(rules, given, expectation, 'r').length === 0]
    })
    const results = resultsOf(cases, verdict.cases)
    const byEditor = cases.map(({ name, expected }, at) => [
      `${draft.name}: ${name}`,
      true,
      results[at]?.actual === expected,
    ])
    expect(byCli.sort()).toEqual(byEditor.sort())
    expect(failingOf(cases, results)).toBe(1)
  })

  it('are the same again after an export and an import', () => {
    const read = readTestFile(writeTestFile(draft, cases), draft, null)
    const attributes = (some: typeof cases) => some.map((each) => readCase(each)).sort()
    expect('cases' in read && read.left).toBe(0)
    expect(attributes([...('cases' in read ? read.cases : [])])).toEqual(
      attributes([cases[0], cases[2], cases[1]].flatMap((each) => each ?? [])),
    )
  })

  it('are read from a file that a person wrote: of this rule alone, on the base, as the gate would see them', () => {
    const text = `
base: { timeout: 5, secretStuff: 1 }
tests:
  - rule: r-1
    base: { name: n }
    pass: { a: {}, b: { timeout: 6 } }
    skip: { c: {} }
  - { name: single, rule: 'bounded: "a"', given: { timeout: 99 }, expect: { outcome: fail } }
  - { rule: another, pass: { x: {} } }
  - { name: whole, given: {}, expect: block }
`
    expect(readTestFile(text, draft, 'r-1')).toEqual({
      cases: [
        caseOf('a', { name: 'n', timeout: 5 }, 'pass'),
        caseOf('b', { name: 'n', timeout: 6 }, 'pass'),
        caseOf('single', { timeout: 99 }, 'fail'),
      ],
      left: 2,
    })
    expect(readTestFile('tests: 5', draft, null)).toHaveProperty('problem')
    expect(readTestFile('a: [', draft, null)).toHaveProperty('problem')
  })

  it('cannot be exported while one cannot be read, or two have one name', () => {
    expect(canExport(draft, cases)).toBe(true)
    expect(canExport(draft, [])).toBe(false)
    expect(canExport(draft, [...cases, caseOf('low', {}, 'fail')])).toBe(false)
    expect(canExport(draft, [{ name: 'x', text: '[1]', expected: 'pass' }])).toBe(false)
    expect(canExport({ ...draft, name: '' }, cases)).toBe(false)
    expect(readCase({ name: 'x', text: '{', expected: 'pass' })).toBeNull()
  })
})
