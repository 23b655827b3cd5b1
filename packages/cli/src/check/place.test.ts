import { compileRules, type Rule } from '@plumbline/engine'
import { describe, expect, it } from 'vitest'
import { entitiesOf } from '../input/entities.js'
import { parseText } from '../input/parse-text.js'
import { createReporter } from '../report/create-reporter.js'
import type { FormatName } from '../report/format-name.js'
import { type CheckOptions, checkParsed } from './check-file.js'
import { placeOf } from './place.js'

const rule: Rule = {
  name: 'released-from-main',
  target: 'plugin',
  conditionMode: 'any',
  conditions: [
    { field: 'lifecycle', operator: 'neq', value: 'production' },
    { field: 'metadata.branch', operator: 'regex', value: '^main$' },
  ],
}
const options: CheckOptions = {
  target: 'plugin',
  raw: false,
  limits: {},
  emptyList: 'ok',
  now: '2026-01-01T00:00:00Z',
  exemptions: [],
  rootPrefix: '',
}
const TEXT = 'name: web\nmetadata:\n  branch: dev\nlifecycle: production\n'
const checked = (text: string) => checkParsed('a.yaml', parseText('a.yaml', text), compileRules([rule]), options)

describe('a rule with alternatives', () => {
  it('is shown at the last of its conditions that the file has', () => {
    const [finding] = checked(TEXT).findings
    expect(finding).toMatchObject({ line: 3, column: 3, endColumn: 14, excerpt: 'branch: dev', field: 'lifecycle' })
    expect(finding?.failures).toHaveLength(2)
    const [without] = checked('name: web\nlifecycle: production\n').findings
    expect(without).toMatchObject({ line: 2, column: 1, excerpt: 'lifecycle: production' })
  })

  it('is shown at the field of the violation where the file has none of them', () => {
    const [entity] = entitiesOf(parseText('a.yaml', 'name: web\n').documents, { target: 'plugin' }).entities
    if (entity === undefined) throw new Error('no entity')
    const failures = [{ field: 'a', operator: 'exists', expected: null, actual: null }] as const
    expect(placeOf(entity, { field: 'b', actualValue: 7, failures })).toEqual({ path: ['b'], actual: 7 })
  })

  it.each<[FormatName, string]>([
    [
      'pretty',
      '  3:3  error  released-from-main  because `lifecycle` is "production", `metadata.branch` must match `^main$`',
    ],
    ['compact', 'a.yaml:3:3: error released-from-main: because `lifecycle` is "production"'],
    ['github', '::error file=a.yaml,line=3,endLine=3,col=3,endColumn=14,title='],
    ['gitlab', '"lines":{"begin":3}'],
    ['junit', 'a.yaml:3:3'],
    ['json', '"failures":[{"field":"lifecycle","operator":"neq","expected":"production","actual":"production"}'],
    ['ndjson', '"failures":[{"field":"lifecycle"'],
    ['sarif', '"region":{"startLine":3,"startColumn":3,"endLine":3,"endColumn":14}'],
    ['sarif', '"failures":[{"field":"lifecycle"'],
    ['markdown', ': because `lifecycle` is "production", `metadata.branch` must match `^main$` \\(found "dev"\\) |'],
  ])('says in %s what follows, at its place, and no value twice', (format, part) => {
    const reporter = createReporter[format]()
    const run = {
      version: '1',
      asOf: options.now,
      rules: [],
      failOn: 'error',
      policy: null,
      hasBaseline: false,
      rootPrefix: '',
      colour: false,
      columns: 100,
    }
    const summary = {
      files: 1,
      entities: 1,
      rules: 1,
      findings: 1,
      bySeverity: { error: 1 },
      filesWithFindings: 1,
      exempted: 0,
      hiddenByBaseline: 0,
      staleBaseline: 0,
      unusedExemptions: [],
      notEvaluated: 0,
      exitCode: 1,
      durationMs: 1,
    }
    const text = reporter.begin(run) + reporter.file(checked(TEXT)) + reporter.end(summary)
    expect(text).toContain(part)
    expect(text).not.toContain(', found')
  })
})
