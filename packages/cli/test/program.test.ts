import { describe, expect, it } from 'vitest'
import { commands } from '../src/commands.js'
import { runCli } from './support/memory-io.js'

describe('plumbline', () => {
  it('shows help with examples before options and exits 0', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(stdout.indexOf('Examples:')).toBeGreaterThan(0)
    expect(stdout.indexOf('Examples:')).toBeLessThan(stdout.indexOf('Options:'))
    const unwrapped = stdout.replace(/\s+/g, ' ')
    for (const command of commands) expect(unwrapped).toContain(command.summary)
  })

  it('shows the same help without arguments, with `help`, and per command', async () => {
    const long = await runCli(['--help'])
    expect(await runCli([])).toEqual(long)
    expect(await runCli(['help'])).toEqual(long)
    const check = await runCli(['check', '--help'])
    expect(check.stdout).toContain('--policy-from <ref>')
    expect(await runCli(['help', 'check'])).toEqual(check)
  })

  it.each([[['help', 'chek']], [['chek', '--help']]])('has no help on what it does not know: %j', async (argv) => {
    expect(await runCli(argv)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('did you mean `check`'),
    })
  })

  it.each([
    [['check', ''], 'error: an argument is empty\n'],
    [['check', 'a.yaml', '--rules', ''], 'error: option `-r, --rules <path>` argument `` is invalid. it is empty\n'],
  ])('refuses an empty name, which would mean the working folder: %j', async (argv, message) => {
    const { code, stderr } = await runCli(argv)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('prints its version as text and as JSON', async () => {
    expect((await runCli(['--version'])).stdout).toMatch(/^plumbline \d+\.\d+\.\d+\n$/)
    const { stdout, code } = await runCli(['--version', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'plumbline', node: process.versions.node })
  })

  it.each([
    [['chek'], 'unknown command `chek`, did you mean `check`?'],
    [['check', '--ruels', 'x'], '--rules'],
    [['check', '--format', 'sarfi'], 'did you mean sarif?'],
    [['check', '--format', 'sarif='], 'a file name follows the ='],
    [['check', '--jobs', '0'], 'expected a whole number from 1 to 64'],
    [['check', '--jobs', 'many'], 'expected a whole number'],
    [['check', '--target'], 'argument missing'],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
  ])('answers %j with exit 2, the mistake and a hint, and leaves stdout empty', async (argv, message) => {
    const { code, stdout, stderr } = await runCli(argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).toContain('hint: run `plumbline')
  })

  it('every command has a summary, an example and either a module or subcommands', () => {
    const visit = (list: typeof commands): void => {
      for (const command of list) {
        expect(command.summary).toMatch(/^[a-z].*[^.]$/)
        expect(command.examples.length, command.name).toBeGreaterThan(0)
        // These two were commands before they had subcommands.
        const isBoth = command.load !== undefined && (command.subcommands ?? []).length > 0
        expect(isBoth && !['orgs', 'members'].includes(command.name), command.name).toBe(false)
        expect(command.load ?? command.subcommands?.length, command.name).toBeTruthy()
        visit(command.subcommands ?? [])
      }
    }
    visit(commands)
  })

  it('has one word for the file that a command writes', () => {
    const flagsOf = (specs: typeof commands): string[] =>
      specs.flatMap(({ options = [], subcommands = [] }) => [
        ...options.map(({ flags }) => flags),
        ...flagsOf(subcommands),
      ])
    const writing = flagsOf(commands).filter((flags) => /--out/.test(flags) && flags.includes('<file>'))
    expect(writing.length).toBeGreaterThan(4)
    expect(new Set(writing)).toEqual(new Set(['-o, --output <file>']))
  })

  it('leads from `--out` to `--output`', async () => {
    const { code, stderr } = await runCli(['audit', 'seal', 'events.jsonl', '--out', 'log.jsonl'])
    expect(code).toBe(2)
    expect(stderr).toContain('--output')
  })
})
