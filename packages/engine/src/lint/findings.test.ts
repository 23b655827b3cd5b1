/**
 * Every word of every finding about rule sets that it has something to say about (`test/lint-scenarios.ts`).
 *
 * The findings in `test/vectors/lint-findings.json` have been read by eye: anyone who changes one reads it again.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../test/support/lint-scenarios.js'
import { type Finding, findingCatalogue, type LintSummary, lintReport, lintRules } from './index.js'

const expected: Readonly<Record<string, { readonly findings: readonly string[]; readonly summary: LintSummary }>> =
  JSON.parse(readFileSync(new URL('../../test/vectors/lint-findings.json', import.meta.url), 'utf8'))

const lineOf = ({ code, severity, status, rules, pointer, message, advice, reason, witness, fix }: Finding): string =>
  [
    `${code} ${severity} ${status} ${rules.map(({ id, position }) => `${id}@${position}`).join(' ')} ${pointer}`,
    message,
    advice,
    reason,
    ...(witness === undefined ? [] : [JSON.stringify(witness)]),
    ...(fix === undefined ? [] : [JSON.stringify(fix)]),
  ].join(' | ')

describe('the findings about', () => {
  it.each(Object.entries(scenarios))('%s', (title, [rules, options]) => {
    const { findings, summary } = lintReport(rules, options)
    expect(findings.map(lineOf)).toEqual(expected[title]?.findings)
    expect(summary).toEqual(expected[title]?.summary)
    expect(lintRules(rules, options)).toEqual(findings)
  })

  it('these rule sets have every code', () => {
    const codes = new Set(Object.values(expected).flatMap(({ findings }) => findings.map((line) => line.split(' ')[0])))
    expect(Object.keys(findingCatalogue).filter((code) => !codes.has(code))).toEqual([])
  })

  it('what is not a list is refused', () => {
    expect(() => lintReport({} as never)).toThrow(new TypeError('rules must be a list'))
  })
})
