/** One convention of output: a law for every command, and what each option gives. */
import { describe, expect, it } from 'vitest'
import type { CommandSpec, OptionSpec } from '../src/command.js'
import { commandGroups, commands } from '../src/commands.js'
import { optionNames } from '../src/program/option-names.js'
import { jsonText, yamlWriter } from '../src/program/print-data.js'
import { tableText } from '../src/records/table.js'
import { columnsText } from '../src/remote/table.js'
import { runCli } from './support/memory-io.js'
import { badPlugin, rulesYaml, workspace } from './support/workspace.js'

interface Leaf {
  readonly name: string
  readonly options: readonly OptionSpec[]
}

const leaves = (specs: readonly CommandSpec[], above: readonly string[] = []): Leaf[] =>
  specs.flatMap(({ name, options = [], subcommands = [], load }) => [
    ...(load === undefined ? [] : [{ name: [...above, name].join(' '), options }]),
    ...leaves(subcommands, [...above, name]),
  ])

const all = leaves(commands)
const flagsOf = ({ options }: Leaf): string[] => options.map(({ flags }) => flags)

/**
 * Commands whose output is not data: the text of a file, a script, a token, a log, a dialogue, a process that keeps
 * running.
 */
const WITHOUT_FORMAT = new Set([
  'events fake',
  'events import',
  'events send',
  'init',
  'baseline create',
  'baseline prune',
  'billing fake card',
  'billing fake marketplace',
  'billing ledger export',
  'builder',
  'compile',
  'schema',
  'login',
  'logout',
  'members remove',
  'tokens revoke',
  'plugins build-logs',
  'plugins sbom',
  'plugins provenance',
  'messages download',
  'bundle fetch',
  'audit export',
  'audit keygen',
  'audit seal',
  'audit erase',
  'audit witness serve',
  'audit witness request',
  'serve',
  'ai fake',
  'scim token delete',
  'sso domains delete',
  'sso fake',
  'sso links delete',
  'sso test',
  'completion',
])

describe('every command', () => {
  it('that prints data has `-f, --format` with json, and `--json` as its short form', () => {
    const without = all.filter((leaf) => !flagsOf(leaf).includes('-f, --format <name>')).map(({ name }) => name)
    expect(
      new Set(without),
      'give it `-f, --format` with json, or list it in WITHOUT_FORMAT when it prints no data',
    ).toEqual(WITHOUT_FORMAT)
    for (const leaf of all.filter(({ name }) => !WITHOUT_FORMAT.has(name) && name !== 'audit prove')) {
      const format = leaf.options.find(({ flags }) => flags === '-f, --format <name>')
      expect(format?.choices, leaf.name).toContain('json')
      expect(flagsOf(leaf), leaf.name).toContain('--json')
      // The format for people is a table or a report. A command with a table also has both data formats.
      if (format?.choices?.includes('table') === true) {
        expect(format.choices.slice(0, 3), leaf.name).toEqual(['table', 'json', 'yaml'])
      } else expect(format?.choices?.[0], leaf.name).toBe('pretty')
    }
  })

  it('means the same by -f, -o, --format, --output and --json', () => {
    const meanings = new Map<string, Set<string>>()
    for (const option of all.flatMap(({ options }) => options)) {
      const { short, long } = optionNames(option)
      for (const word of [short, long]) {
        if (word === null || !['-f', '-o', '--format', '--output', '--json'].includes(word)) continue
        meanings.set(word, (meanings.get(word) ?? new Set()).add(option.flags))
      }
    }
    expect(Object.fromEntries([...meanings].map(([word, flags]) => [word, [...flags]]))).toEqual({
      '-f': ['-f, --format <name>'],
      '--format': ['-f, --format <name>'],
      '--json': ['--json'],
      '-o': ['-o, --output <file>'],
      '--output': ['-o, --output <file>'],
    })
  })

  it('is in one group, and in no two', () => {
    const names = commandGroups.flatMap((group) => group.commands.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(commands.map(({ name }) => name))
  })

  it('has one space between two words of a help text', () => {
    const textsOf = ({ summary, description = '', subcommands = [] }: CommandSpec): string[] => [
      summary,
      description,
      ...subcommands.flatMap(textsOf),
    ]
    expect(commands.flatMap(textsOf).filter((text) => /\S {2,}\S/.test(text))).toEqual([])
  })
})

describe('the options of output', () => {
  const space = () =>
    workspace({ 'plumbline.config.yaml': 'rules: rules.yaml\n', 'rules.yaml': rulesYaml, 'a.yaml': badPlugin })

  it('`--json` is `--format json`, beside a report that goes to a file too', async () => {
    const { root } = space()
    const short = await runCli(['check', 'a.yaml', '--json'], { cwd: root })
    expect(JSON.parse(short.stdout)).toHaveProperty('summary')
    const both = await runCli(['check', 'a.yaml', '--json', '--format', 'sarif=a.sarif'], { cwd: root })
    expect(JSON.parse(both.stdout)).toHaveProperty('summary')
    expect(JSON.parse((await runCli(['config', 'print', '--json'], { cwd: root })).stdout)).toHaveProperty('settings')
    expect((await runCli(['config', 'print', '--json', '--format', 'yaml'], { cwd: root })).code).toBe(2)
    expect((await runCli(['config', 'print', '-f', 'yaml'], { cwd: root })).stdout).toContain('configFile: plumbline')
  })

  it('leads from `-o json` to `--format json`, and from `apply -f file` to `apply file`', async () => {
    const wrong = await runCli(['rules', 'list', '-o', 'json'])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('write --format json, or ./json') })
    const file = await runCli(['apply', '-f', 'rules/a.yaml'])
    expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining('a file is named without an option') })
  })
})

describe('what a server sent', () => {
  const hostile = 'a\u001b]0;owned\u0007\u009b31m\u202eb'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in any output
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

  it('prints no character that a terminal obeys, in any form', async () => {
    const yaml = await yamlWriter()
    const texts = [
      columnsText([[hostile, 'x']]),
      tableText([{ name: hostile }], { name: 'name' }, { width: 80, colour: false }),
      jsonText({ [hostile]: hostile }),
      yaml({ name: hostile, list: [hostile] }),
    ]
    for (const text of texts) expect(text).not.toMatch(obeyed)
    expect(JSON.parse(jsonText(hostile))).toBe(hostile)
  })

  it('nor does a report on files of somebody else, in any form for programs', async () => {
    const text = JSON.stringify(hostile)
    const rule = (more: string) =>
      `rules: [{ name: r, target: plugin, field: description, operator: eq, value: ${text}, description: ${text}${more} }]`
    const { root } = workspace({
      'rules.yaml': rule(''),
      'after.yaml': rule(', severity: warning'),
      'a.json': JSON.stringify({ name: hostile, version: '1.0.0', description: `${hostile} too` }),
    })
    const check = (format: string) => ['check', 'a.json', '--target', 'plugin', '-r', 'rules.yaml', '-f', format]
    for (const argv of [
      ...['json', 'ndjson', 'sarif', 'gitlab'].map(check),
      ['explain', 'r', 'a.json', '-r', 'rules.yaml', '--json'],
      ['explain', 'r', '-r', 'rules.yaml', '--json'],
      ['lint', 'rules.yaml', '-f', 'json'],
      ['lint', 'rules.yaml', '-f', 'sarif'],
      ['impact', 'a.json', '-r', 'rules.yaml', '-f', 'json'],
      ['diff', 'rules.yaml', 'after.yaml', '-f', 'json'],
    ]) {
      const { code, stdout, stderr } = await runCli(argv, { cwd: root })
      expect([0, 1], `${argv.join(' ')}: ${stderr}`).toContain(code)
      expect(stdout, argv.join(' ')).not.toMatch(obeyed)
    }
  })

  it('comes back from YAML as it was', async () => {
    const { parse } = await import('yaml')
    const value = { name: hostile, [hostile]: 1, plain: 'as it is' }
    expect(parse((await yamlWriter())(value))).toEqual(value)
  })
})

describe('a table on a terminal of 80 columns', () => {
  const columns = { name: 'name', target: 'target', mode: 'mode', version: 'version', updated: 'updatedAt', id: 'id' }
  const record = {
    name: 'deploy-plugin-declares-the-secret-it-uses',
    target: 'plugin',
    mode: 'enforce',
    version: 3,
    updatedAt: '2026-11-22T19:41:54.000Z',
    id: '0190a1b2-0000-7000-8000-0000000000aa',
  }

  it('fits, and gives the room to the name', () => {
    const text = tableText([record], columns, { width: 80, colour: false })
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(text).toContain(record.name)
    expect(text).toContain('2026-11-22')
    expect(text).not.toContain(record.id)
  })

  it('keeps the id where nothing else names the record, and everything where lines may be long', () => {
    const messages = { subject: 'name', sent: 'updatedAt', id: 'id' }
    expect(tableText([record], messages, { width: 80, colour: false })).toContain(record.id)
    expect(tableText([record], columns, { width: null, colour: false })).toContain(record.id)
    expect(tableText([record], columns, { width: null, colour: false })).toContain(record.updatedAt)
  })
})

describe('a file that --output names', () => {
  it('is named on standard error, in every command alike, unless --quiet is given', async () => {
    const space = workspace({ 'rules/a.yaml': rulesYaml })
    const commandsWithOutput = [
      ['schema', 'rules', '--output', 'out.json'],
      ['compile', 'rules', '--output', 'out.json'],
    ]
    for (const argv of commandsWithOutput) {
      const said = await runCli(argv, { cwd: space.root })
      expect({ ...said, argv }).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^wrote out\.json/),
      })
      expect(await runCli([...argv, '--quiet'], { cwd: space.root })).toMatchObject({ code: 0, stdout: '', stderr: '' })
    }
  })
})
