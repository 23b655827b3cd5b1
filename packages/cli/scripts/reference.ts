/** docs/reference/cli.md, written from the command specifications. */
import type { CommandSpec, OptionSpec } from '../src/command.js'
import { configFields } from '../src/config/fields.js'
import { globalOptions } from '../src/program/global-options.js'
import { usage } from '../src/program/help.js'

/** The whole page. */
export function cliReference(commands: readonly CommandSpec[]): string {
  const parts = [
    '# Command line',
    'Generated from the command specifications by `npm run generate`; do not edit. Exit codes and report',
    'formats: [exit-codes-and-formats.md](exit-codes-and-formats.md).',
    '',
    '## Global options',
    '',
    'Every command understands them, before or after its name.',
    '',
    optionTable(globalOptions),
    ...commands.flatMap((command) => commandPart([command])),
    '## Configuration',
    '',
    'Read from `plumbline.config.yaml`, `.yml` or `.json`: the nearest one from the working folder up to the root of the',
    'repository. It is data; code (`.mjs`) is run only when `--config` names it. Paths are relative to the file. An option',
    'stands over the file, the file over the default; `plumbline config print` shows which it was.',
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
    ...(spec.options?.length ? ['', optionTable(spec.options)] : []),
    ...children.flatMap((child) => commandPart([...path, child])),
    ...(path.length === 1 ? [''] : []),
  ]
}

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
