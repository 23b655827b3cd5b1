/** The shipped rules match the documentation: they are tested, covered, and read only what the platform sends. */
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseFieldPath, projection, type Rule } from '@plumbline/engine'
import { beforeAll, describe, expect, it } from 'vitest'
import { diskTree } from '../src/input/file-tree.js'
import { readDocuments } from '../src/input/read-documents.js'
import { loadRules } from '../src/input/rules.js'
import { readTestFile } from '../src/test/read-test-file.js'
import { runCli } from './support/memory-io.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const samples = fileURLToPath(new URL('../../../samples/', import.meta.url))

let rules: readonly Rule[] = []
beforeAll(async () => {
  const loaded = await loadRules(diskTree, ['samples/rules', 'samples/rule-templates'], root)
  expect(loaded.problems).toEqual([])
  rules = loaded.rules.map(({ rule }) => rule)
})

describe('the sample rules', () => {
  it('are at least forty for both targets, with a description each', () => {
    const live = rules.filter((rule) => rule.isTemplate !== true)
    expect(live.length).toBeGreaterThanOrEqual(40)
    for (const target of ['plugin', 'pipeline'])
      expect(live.filter((rule) => rule.target === target).length).toBeGreaterThan(15)
    for (const rule of rules) expect(rule.description?.length ?? 0, rule.name).toBeGreaterThan(20)
  })

  it('hold the five built-in templates', () => {
    const templates = rules.filter((rule) => rule.isTemplate === true)
    expect(templates.map(({ id, name, priority }) => [id, name, priority])).toEqual([
      ['tpl-require-description', 'require-description', 10],
      ['tpl-block-latest-tag', 'block-latest-tag', 90],
      ['tpl-enforce-semver', 'enforce-semver', 50],
      ['tpl-pipeline-naming', 'pipeline-naming-convention', 20],
      ['tpl-max-timeout', 'max-plugin-timeout', 70],
    ])
  })

  it('read only what the projection sends, or a label or metadata key that their description names', () => {
    for (const rule of rules.filter(({ isTemplate }) => isTemplate !== true)) {
      const keys = new Set([
        ...projection.keys[rule.target],
        ...projection.aliases[rule.target].map(({ alias }) => alias),
      ])
      for (const { field } of rule.conditions ?? [{ field: rule.field }]) {
        if (field == null) continue
        const parsed = parseFieldPath(field)
        const [first, second] = parsed.ok ? parsed.path.segments : []
        expect(keys, `${rule.name}: ${field}`).toContain(first)
        if (first === 'labels' || first === 'metadata') expect(rule.description, rule.name).toContain(second)
      }
    }
  })

  it('each have a passing and a failing case', async () => {
    const outcomes = new Map<string, Set<string>>()
    for (const name of await readdir(`${samples}tests`)) {
      const { documents } = await readDocuments(diskTree, `${samples}tests/${name}`, root)
      for (const { expectation } of documents.flatMap(({ value }) => readTestFile(value).file.tests)) {
        if (expectation.kind !== 'rule') continue
        outcomes.set(expectation.rule, (outcomes.get(expectation.rule) ?? new Set()).add(expectation.outcome))
      }
    }
    for (const { name } of rules)
      expect([...(outcomes.get(name) ?? [])], name).toEqual(expect.arrayContaining(['pass', 'fail']))
  })

  it('pass their tests with every condition seen both ways and every mistake noticed', async () => {
    const argv = ['test', 'samples/tests', '--threshold', '100', '--mutation-threshold', '100']
    const { code, stdout } = await runCli(argv, { cwd: root })
    expect(stdout).toContain('condition coverage 100.0 %')
    expect(stdout).toContain('mutation score 100.0 %')
    expect(code, stdout).toBe(0)
  })
})

describe('the static analysis', () => {
  it('finds nothing in the sample rules, and leaves no question open', async () => {
    const { code, stdout } = await runCli(
      ['lint', 'samples/rules', 'samples/rule-templates', '--unknown', '--fail-on', 'info'],
      { cwd: root },
    )
    expect(stdout).toMatch(/^75 rules: 0 errors, 0 warnings, 0 info\n$/)
    expect(code).toBe(0)
  })
})

describe('the sample plugins and pipelines', () => {
  it('are twelve and six at least', async () => {
    expect((await readdir(`${samples}plugins`)).length).toBeGreaterThanOrEqual(12)
    expect((await readdir(`${samples}pipelines`)).length).toBeGreaterThanOrEqual(6)
  })
})
