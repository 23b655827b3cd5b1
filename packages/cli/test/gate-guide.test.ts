/** The guide to the gate, followed step by step. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CommandSpec } from '../src/command.js'
import { commands } from '../src/commands.js'
import { globalOptions } from '../src/program/global-options.js'
import { optionNames } from '../src/program/option-names.js'
import { runCli } from './memory-io.js'
import { badPlugin, rulesYaml, workspace } from './workspace.js'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
const snippets = (text: string) => [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, body]) => body ?? '')

describe('docs/guide/gate-in-ci.md', () => {
  it('has a configuration and an exemption that work', async () => {
    const [config = '', exemption = ''] = snippets(page('guide/gate-in-ci.md'))
    const space = workspace({
      'plumbline.config.yaml': config,
      'exemptions.yaml': exemption,
      'rules/a.yaml': rulesYaml,
      'plugins/web.yaml': badPlugin,
      'pipelines/p.yaml': 'name: p\nprops:\n  stages: [build]\n',
    })
    const before = await runCli(['check'], { cwd: space.root })
    expect(before.code).toBe(1)
    expect(before.stdout).toContain('1 exempted')
    expect((await runCli(['baseline', 'create'], { cwd: space.root })).code).toBe(0)
    expect((await runCli(['check'], { cwd: space.root })).code).toBe(0)
  })

  it.each(['guide/gate-in-ci.md', 'reference/exit-codes-and-formats.md'])(
    '%s names only options that exist',
    (name) => {
      const known = new Set(['--yes', '--help'])
      const visit = (spec: Pick<CommandSpec, 'options' | 'subcommands'>): void => {
        for (const option of spec.options ?? []) known.add(optionNames(option).long)
        for (const child of spec.subcommands ?? []) visit(child)
      }
      visit({ options: globalOptions, subcommands: commands })
      const mentioned = [...page(name).matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option)
      expect(mentioned.length).toBeGreaterThan(3)
      expect(mentioned.filter((option) => !known.has(option))).toEqual([])
    },
  )
})
