/** `plumbline check --library`: checks files with the shipped rules, without a server. */
import { libraries } from '@plumbline/rules'
import { describe, expect, it } from 'vitest'
import { runCli } from './support/memory-io.js'
import { type Workspace, workspace } from './support/workspace.js'

const check = (space: Workspace, args: readonly string[]) =>
  runCli(['check', 'plugins.json', ...args, '--format', 'json', '--fail-on', 'none'], { cwd: space.root })

const failing = libraries.standard.filter(({ rule, fails }) => rule.target === 'plugin' && fails !== undefined)

describe('plumbline check --library', () => {
  const entities = failing.map(({ rule, fails }) => ({ name: rule.name, version: '1.0.0', ...fails }))
  const files = {
    'plugins.json': JSON.stringify({ plugins: entities }),
    'own.yaml': 'rules:\n  - { name: own-rule, target: plugin, field: name, operator: notEmpty }\n',
    'same.yaml': `rules:\n  - { name: ${failing[0]?.rule.name}, target: plugin, field: name, operator: notEmpty }\n`,
  }
  const rulesBroken = async (...args: string[]): Promise<Set<string>> => {
    const { stdout } = await check(workspace(files), args)
    const { findings } = JSON.parse(stdout) as { findings: { ruleName: string }[] }
    return new Set(findings.map(({ ruleName }) => ruleName))
  }

  it('finds what the failing entity of each rule of the library breaks', async () => {
    expect(failing.length).toBeGreaterThan(5)
    const broken = await rulesBroken('--library', 'standard')
    expect(failing.map(({ rule }) => rule.name).filter((name) => !broken.has(name))).toEqual([])
  })

  it('brings the standard library along with the advanced one', async () => {
    const [standard, advanced] = [
      await rulesBroken('--library', 'standard'),
      await rulesBroken('--library', 'advanced'),
    ]
    expect([...standard].filter((name) => !advanced.has(name))).toEqual([])
    expect(await rulesBroken('--library', 'starter')).not.toEqual(standard)
  })

  it('adds to the rules of files', async () => {
    const { stdout } = await check(workspace(files), ['--library', 'starter', '--rules', 'own.yaml'])
    const { summary } = JSON.parse(stdout) as { summary: { rules: number } }
    const plugins = libraries.starter.filter(({ rule }) => rule.target === 'plugin').length
    expect(summary.rules).toBe(plugins + 1)
  })

  it('refuses a rule of a file that has the name of one of the library', async () => {
    const { code, stderr } = await check(workspace(files), ['--library', 'standard', '--rules', 'same.yaml'])
    expect(code).toBe(2)
    expect(stderr).toContain(`your rules have the names of rules in the library: ${failing[0]?.rule.name}`)
  })

  it('knows no other library, and goes with no organization', async () => {
    expect((await check(workspace(files), ['--library', 'gold'])).code).toBe(2)
    expect((await check(workspace(files), ['--library', 'standard', '--bundle', 'rules.json'])).code).toBe(2)
  })
})
