/** Reports of scanners: how they are counted, and which are refused. */
import { expect, it } from 'vitest'
import { ReportFault, readReport } from './report.js'

const sarif = (results: object[], rules: object[] = [], more: object = {}) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'trivy', rules } }, results, ...more }],
})
const counts = (report: unknown) =>
  Object.fromEntries(Object.entries(readReport(report).counts).filter(([, count]) => count > 0))
const whyNot = (report: unknown) => {
  try {
    return readReport(report)
  } catch (error) {
    if (error instanceof ReportFault) return `${error.path}: ${error.message}`
    throw error
  }
}

it('counts findings by severity, whatever the case of its name', () => {
  const findings = ['critical', 'HIGH', 'Moderate', 'negligible', 'odd', undefined].map((severity) => ({ severity }))
  expect(readReport({ scanner: 'acme', findings })).toEqual({
    scanner: 'acme',
    counts: { critical: 1, high: 1, medium: 1, low: 1, unknown: 2 },
  })
})

it('counts results of SARIF by the score of the result, of its rule, or by its level', () => {
  const scored = (score: unknown) => ({ properties: { 'security-severity': score } })
  expect(counts(sarif([scored('9.8'), scored(7), scored('4.0'), scored('0.1')]))).toEqual({
    critical: 1,
    high: 1,
    medium: 1,
    low: 1,
  })
  const rules = [
    { id: 'A', ...scored('9.0') },
    { id: 'B', defaultConfiguration: { level: 'error' } },
  ]
  expect(
    counts(sarif([{ ruleId: 'A', level: 'note' }, { ruleIndex: 0 }, { ruleId: 'B' }, { ruleId: 'C' }], rules)),
  ).toEqual({
    critical: 2,
    high: 1,
    medium: 1,
  })
  expect(counts(sarif([{ level: 'none' }, { level: 'note' }, scored('eleven')]))).toEqual({
    unknown: 1,
    low: 1,
    medium: 1,
  })
})

it('leaves out what passed, and what people accepted', () => {
  const suppressed = (status?: string) => ({
    level: 'error',
    suppressions: [{ kind: 'external', ...(status && { status }) }],
  })
  expect(counts(sarif([{ kind: 'pass' }, { kind: 'notApplicable' }, suppressed(), suppressed('accepted')]))).toEqual({})
  expect(counts(sarif([suppressed('rejected'), suppressed('underReview')]))).toEqual({ high: 2 })
})

it.each([
  [null, ': must be an object'],
  [[], ': must be an object'],
  [{}, ': is neither SARIF'],
  [{ scanner: 'x', findings: {} }, '/findings: must be a list'],
  [{ scanner: 'x', findings: [1] }, '/findings/0: must be an object'],
  [{ scanner: 'x', findings: [{ severity: 3 }] }, '/findings/0/severity: must be one of'],
  [{ scanner: '', findings: [] }, '/scanner: must be the name'],
  [{ findings: [] }, '/scanner: must be the name'],
  [{ version: '2.0.0', runs: [] }, '/version: must be 2.1.0'],
  [{ version: '2.1.0', runs: [] }, '/runs: has no run'],
  [{ version: '2.1.0', runs: [{ tool: {} }] }, '/runs/0/tool/driver: must be an object'],
  [{ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } } }] }, '/runs/0/results: must be a list'],
  [
    sarif([], [], { invocations: [{ executionSuccessful: false }] }),
    '/runs/0/invocations/0/executionSuccessful: is false',
  ],
])('refuses %j', (report, why) => {
  expect(whyNot(report)).toContain(why)
})
