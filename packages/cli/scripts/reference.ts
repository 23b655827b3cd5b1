/** docs/reference/cli.md and the pages below docs/reference/cli, written from the command specifications. */
import type { CommandSpec, OptionSpec } from '../src/command.js'
import type { CommandGroup } from '../src/commands.js'
import { configFields } from '../src/config/fields.js'
import { globalOptions } from '../src/program/global-options.js'
import { usage } from '../src/program/help.js'
import { formatOption, jsonOption, outputOption } from '../src/program/output-options.js'
import { serverOptions } from '../src/remote/options.js'

const GENERATED = 'Generated from the command specifications by `npm run generate`; do not edit.'

/** Texts by the name of their page: `cli.md` is the index, and each group of commands has a page below `cli/`. */
export function cliReference(groups: readonly CommandGroup[]): ReadonlyMap<string, string> {
  return new Map([
    ['cli.md', indexPage(groups)],
    ...groups.map((group): [string, string] => [`cli/${group.page}.md`, groupPage(group)]),
  ])
}

function groupPage({ title, commands }: CommandGroup): string {
  const parts = [
    `# ${title}`,
    '',
    `${GENERATED} All commands: [cli.md](../cli.md). Exit codes and report formats:`,
    '[exit-codes-and-formats.md](../exit-codes-and-formats.md).',
    ...commands.flatMap((command) => commandPart([command])),
  ]
  return `${parts.join('\n').trimEnd()}\n`
}

function indexPage(groups: readonly CommandGroup[]): string {
  const parts = [
    '# Command line',
    '',
    `${GENERATED} Exit codes and report formats:`,
    '[exit-codes-and-formats.md](exit-codes-and-formats.md).',
    ...groups.flatMap(({ title, page, commands }) => [
      '',
      `## ${title}`,
      '',
      table(
        ['Command', 'Does'],
        commands.map(({ name, summary }) => [`[\`plumbline ${name}\`](cli/${page}.md#plumbline-${name})`, summary]),
      ),
    ]),
    '',
    '## Output',
    '',
    '- `-f`, `--format` says in what form a command answers: `table` (for people), `json` or `yaml`; commands that report',
    '  on files have `pretty`, `json` and formats for other tools. `--json` is short for `--format json`.',
    '- `-o`, `--output` names a file, in every command.',
    '- Data goes to standard output; notes, warnings and progress go to standard error.',
    '',
    '## Common options',
    '',
    'What they mean in each command that has them.',
    '',
    optionTable(commonOptions),
    '',
    '## Global options',
    '',
    'Every command takes them, before or after its name.',
    '',
    optionTable(globalOptions),
    '',
    '## Configuration',
    '',
    'Read from `plumbline.config.yaml`, `.yml` or `.json`: the nearest one from the working folder up to the root of the',
    'repository. It is data; code (`.mjs`) is run only when `--config` names it. Paths are relative to the file. Options',
    'take precedence over the file, and the file over the defaults; `plumbline config print` shows where each value comes',
    'from.',
    '',
    table(
      ['Key', 'Meaning', 'Default'],
      Object.entries(configFields).map(([name, field]) => [
        `\`${name}\``,
        field.description,
        `\`${JSON.stringify(field.default)}\``,
      ]),
    ),
  ]
  return `${parts.join('\n')}\n`
}

function commandPart(path: readonly CommandSpec[]): string[] {
  const spec = path.at(-1)
  if (!spec) return []
  const children = spec.subcommands ?? []
  const words = ['plumbline', ...path.map(({ name }) => name)].join(' ')
  return [
    '',
    `${'#'.repeat(path.length + 1)} ${words}`,
    '',
    `${capital(spec.description ?? spec.summary)}${/[.!]$/.test(spec.description ?? spec.summary) ? '' : '.'}`,
    '',
    '```text',
    usage(path, children.length > 0),
    '```',
    '',
    ...spec.examples.flatMap(({ command, explanation }) => [`- \`${command}\`: ${explanation}`]),
    ...(spec.arguments?.length
      ? [
          '',
          table(
            ['Argument', 'Meaning'],
            spec.arguments.map(({ syntax, description, choices }) => [
              `\`${syntax}\``,
              choices ? `${description} (${choices.join(', ')})` : description,
            ]),
          ),
        ]
      : []),
    ...optionPart(spec.options ?? []),
    ...children.flatMap((child) => commandPart([...path, child])),
    ...(path.length === 1 ? [''] : []),
  ]
}

/** Options that mean the same in every command are named here, and explained once, on the first page. */
function optionPart(options: readonly OptionSpec[]): string[] {
  const own = options.filter((option) => !isCommon(option))
  const common = options.filter(isCommon).map(({ flags }) => `\`${flags}\``)
  return [
    ...(own.length > 0 ? ['', optionTable(own)] : []),
    ...(common.length > 0 ? ['', `[Common options](../cli.md#common-options): ${common.join(', ')}.`] : []),
  ]
}

const commonOptions: readonly OptionSpec[] = [
  formatOption('table, or yaml for one record'),
  jsonOption,
  outputOption,
  ...serverOptions,
]

/** Differences are shown: an option with another description or other choices is the command's own. */
const isCommon = (option: OptionSpec): boolean =>
  commonOptions.some(
    ({ flags, description, choices }) =>
      flags === option.flags &&
      description === option.description &&
      JSON.stringify(choices) === JSON.stringify(option.choices),
  )

function optionTable(options: readonly OptionSpec[]): string {
  return table(
    ['Option', 'Meaning', 'Default'],
    options.map((option) => {
      const notes = [
        ...(option.choices ? [`one of ${option.choices.join(', ')}`] : []),
        ...(option.repeatable === true ? ['repeatable'] : []),
      ]
      const fallback = option.defaultText ?? (option.default === undefined ? '' : String(option.default))
      return [`\`${option.flags}\``, option.description + (notes.length > 0 ? ` (${notes.join('; ')})` : ''), fallback]
    }),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
