/** The commands that describe the command line and its surroundings: doctor, config, completion. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandSpec } from '../src/command.js'
import { commands } from '../src/commands.js'
import { optionNames } from '../src/program/option-names.js'
import { runCli } from './support/memory-io.js'
import { goodPlugin, rulesYaml, workspace } from './support/workspace.js'

describe('plumbline config print', () => {
  it('shows every value with its origin', async () => {
    const space = workspace({ 'plumbline.config.yaml': '# ours\nrules: rules.yaml\nfailOn: warning\n' })
    const { code, stdout } = await runCli(['config', 'print'], { cwd: space.root })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^configuration file: plumbline\.config\.yaml\n/)
    expect(stdout).toMatch(/^rules +\["rules\.yaml"\] +plumbline\.config\.yaml:2$/m)
    expect(stdout).toMatch(/^failOn +"warning" +plumbline\.config\.yaml:3$/m)
    expect(stdout).toMatch(/^noMatch +"fail" +default$/m)
    const json = JSON.parse((await runCli(['config', 'print', '--json'], { cwd: space.root })).stdout)
    expect(json.settings.failOn).toEqual({ value: 'warning', origin: 'plumbline.config.yaml:3' })
  })
})

describe('plumbline doctor', () => {
  it('is content with a sound project', async () => {
    const space = workspace({
      'plumbline.config.yaml': 'rules: rules.yaml\nfiles: a.yaml\n',
      'rules.yaml': rulesYaml,
      'a.yaml': goodPlugin,
    })
    const { code, stdout } = await runCli(['doctor'], { cwd: space.root })
    expect(code).toBe(0)
    expect(stdout).toContain('✔ rules          4 rules in 1 file')
    expect(stdout).toContain('rules = ["rules.yaml"] (plumbline.config.yaml:1)')
  })

  it('names everything that is wrong, exits 2, and prints no password', async () => {
    const space = workspace({
      'plumbline.config.yaml': 'rules: rules.yaml\nfiles: none/**\nbaseline: b.json\n',
      'rules.yaml': 'name: a\n',
    })
    const env = { HTTPS_PROXY: 'http://user:hunter2@proxy.example:3128', NODE_EXTRA_CA_CERTS: '/missing.pem' }
    const { code, stdout } = await runCli(['doctor', '--json'], { cwd: space.root, env })
    expect(code).toBe(2)
    const { ok, facts } = JSON.parse(stdout)
    expect(ok).toBe(false)
    const wrong = facts
      .filter(({ state }: { state: string }) => state === 'wrong')
      .map(({ topic }: { topic: string }) => topic)
    expect(wrong).toEqual(['rules', 'baseline', 'files', 'certificates'])
    expect(stdout).toContain('proxy.example:3128')
    expect(stdout).not.toContain('hunter2')
  })

  it('survives a configuration that cannot be read', async () => {
    const space = workspace({ 'plumbline.config.yaml': 'rulez: x\n' })
    const { code, stdout } = await runCli(['doctor'], { cwd: space.root })
    expect(code).toBe(2)
    expect(stdout).toContain('✖ configuration')
    expect(stdout).toContain('did you mean `rules`?')
  })
})

describe('plumbline completion', () => {
  const script = async (shell: string) => (await runCli(['completion', shell])).stdout

  it.each(['bash', 'zsh', 'fish'])('for %s knows every command and every option', async (shell) => {
    const text = await script(shell)
    const visit = (list: readonly CommandSpec[]): void => {
      for (const { name, options = [], subcommands = [] } of list) {
        expect(text).toContain(name)
        for (const option of options) expect(text).toContain(optionNames(option).long.slice(2))
        visit(subcommands)
      }
    }
    visit(commands)
  })

  it('for bash is valid and completes commands, subcommands, options and values', async () => {
    const text = await script('bash')
    const complete = (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ')
      const program = `${text}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`
      // Sent on standard input, because an argument may not be longer than 128 KiB.
      const options = { encoding: 'utf8', cwd: join(import.meta.dirname, 'fixtures'), input: program } as const
      return execFileSync('bash', ['-s'], options).trim().split('\n')
    }
    expect(complete('plumbline', 'che')).toEqual(['check'])
    expect(complete('plumbline', 'baseline', 'p')).toEqual(['prune'])
    expect(complete('plumbline', 'check', '--poli')).toEqual(['--policy-from'])
    expect(complete('plumbline', 'check', '--format', 'sar')).toEqual(['sarif'])
    expect(complete('plumbline', 'check', '--format', '=', 'sar')).toEqual(['sarif'])
    expect(complete('plumbline', 'check', '--fail-on', '=')).toContain('critical')
    expect(complete('plumbline', 'check', '-j', '4', '-f', 'git')).toEqual(
      ['github', 'gitlab'].filter((name) => name.startsWith('git')),
    )
    expect(complete('plumbline', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(complete('plumbline', 'check', 'sarif')).toEqual(['sarif-2.1.0.schema.json'])
  })

  it('quotes descriptions, so that no shell reads them', async () => {
    const zsh = await script('zsh')
    const outside = zsh.replace(/^#.*$/gm, '').replace(/'(?:[^']|'\\'')*'/g, '')
    expect(outside).not.toMatch(/[`]/)
    const fish = await script('fish')
    for (const line of fish.split('\n').filter((text) => text.startsWith('complete'))) {
      expect(line.replace(/'(?:\\.|[^'\\])*'/g, '')).not.toMatch(/['`$]/)
    }
  })
})
