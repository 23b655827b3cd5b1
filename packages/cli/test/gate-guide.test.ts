/** Follows the guide to the gate step by step. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { CommandSpec } from '../src/command.js'
import { commands } from '../src/commands.js'
import { globalOptions } from '../src/program/global-options.js'
import { optionNames } from '../src/program/option-names.js'
import { runCli } from './support/memory-io.js'
import { badPlugin, workspace } from './support/workspace.js'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
const snippets = (text: string) => [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, body]) => body ?? '')

describe('docs/guide/gate-in-ci.md', () => {
  it('has a first step that works as pasted in an empty repository', async () => {
    const [step = ''] = [...page('guide/gate-in-ci.md').matchAll(/```sh\n(.*?)```/gs)].map(([, body]) => body ?? '')
    const space = workspace()
    const lines = step.trim().split('\n')
    expect(lines).toEqual(['plumbline init', 'plumbline check', '# exit 0'])
    for (const line of lines.filter((each) => each.startsWith('plumbline '))) {
      expect(await runCli(line.split(' ').slice(1), { cwd: space.root }), line).toMatchObject({ code: 0 })
    }
    const [config = ''] = snippets(page('guide/gate-in-ci.md'))
    expect(parse(space.read('plumbline.config.yaml'))).toEqual(parse(config))
  })

  it('has an exemption that works, by the clock of today', async () => {
    const [config = '', exemption = ''] = snippets(page('guide/gate-in-ci.md'))
    const space = workspace({
      'compliance/exemptions.yaml': exemption,
      'plugins/web.yaml': badPlugin,
      'pipelines/p.yaml': 'name: p\nprops:\n  stages: [build]\n',
    })
    expect((await runCli(['init'], { cwd: space.root })).code).toBe(0)
    space.write('plumbline.config.yaml', `${config}exemptions: compliance/exemptions.yaml\n`)
    const before = await runCli(['check'], { cwd: space.root, now: new Date() })
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
