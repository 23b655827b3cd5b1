/**
 * Writes help from the specifications: what a command does, examples, then the reference.
 * Examples come first because most people read nothing else.
 */
import pc from 'picocolors'
import type { CommandSpec, OptionSpec } from '../command.js'
import { globalOptions } from './global-options.js'
import { optionNames } from './option-names.js'
import { rootOptions } from './parse.js'

export interface HelpStyle {
  readonly columns: number
  readonly colour: boolean
}

const intro = 'plumbline checks plugin and pipeline files against compliance rules, and says what fails, where and why.'

const rootExamples = [
  { command: 'plumbline check plugins/ --rules rules/', explanation: 'check every plugin file against your rules' },
  { command: 'plumbline init', explanation: 'write a configuration, a starter rule set with tests, and a CI file' },
  { command: 'plumbline explain run-as-non-root plugin.yaml', explanation: 'why this rule passes or fails here' },
]

interface Group {
  readonly title: string
  readonly commands: readonly CommandSpec[]
}

/** @param path the commands from the first to the one that help is about; empty for plumbline itself. */
export function renderHelp(path: readonly CommandSpec[], groups: readonly Group[], style: HelpStyle): string {
  const width = Math.max(40, Math.min(style.columns, 100))
  const colours = pc.createColors(style.colour)
  const spec = path.at(-1)
  const children = spec?.subcommands ?? []
  const lines: string[] = [...wrap(spec ? (spec.description ?? spec.summary) : intro, width), '']

  lines.push(colours.bold('Examples:'))
  for (const example of spec ? spec.examples : rootExamples) {
    lines.push(`  ${colours.cyan(`$ ${example.command}`)}`)
    lines.push(...wrap(example.explanation, width - 6).map((line) => `      ${colours.dim(line)}`))
  }
  lines.push('', `${colours.bold('Usage:')} ${usage(path, spec === undefined || children.length > 0)}`)

  const section = (title: string, rows: readonly (readonly [string, string])[]) => {
    if (rows.length === 0) return
    lines.push('', colours.bold(`${title}:`), ...table(rows, width, colours.cyan))
  }
  if (!spec) {
    for (const { title, commands } of groups) {
      section(
        title,
        commands.map(({ name, summary }) => [name, summary]),
      )
    }
  }
  section(
    'Commands',
    children.map((child) => [child.name, child.summary]),
  )
  section(
    'Arguments',
    (spec?.arguments ?? []).map(({ syntax, description, choices }) => [
      syntax,
      choices?.every((choice) => !description.includes(choice))
        ? `${description} (one of ${choices.join(', ')})`
        : description,
    ]),
  )
  section('Options', [...(spec ? (spec.options ?? []) : rootOptions), helpOption].map(optionRow))
  section('Global options', globalOptions.map(optionRow))
  if (!spec) {
    lines.push('', ...wrap('Exit codes: 0 clean, 1 findings, 2 usage or configuration, 3 could not evaluate.', width))
    lines.push('Run `plumbline <command> --help` for the examples and options of a command.')
  }
  return `${lines.join('\n')}\n`
}

const helpOption: OptionSpec = { flags: '-h, --help', description: 'show this help' }

export function usage(path: readonly CommandSpec[], hasCommands: boolean): string {
  const spec = path.at(-1)
  const words = ['plumbline', ...path.map((step) => step.name)]
  if (hasCommands) words.push('<command>')
  words.push('[options]', ...(spec?.arguments ?? []).map((argument) => argument.syntax))
  return words.join(' ')
}

/** The left and right column of an option in help and documentation. */
function optionRow(option: OptionSpec): readonly [string, string] {
  const notes: string[] = []
  if (option.choices) notes.push(`one of ${option.choices.join(', ')}`)
  if (option.repeatable === true) notes.push('repeatable')
  const fallback = option.defaultText ?? (option.default === undefined ? null : String(option.default))
  if (fallback !== null) notes.push(`default: ${fallback}`)
  const { short } = optionNames(option)
  const flags = short === null ? `    ${option.flags}` : option.flags
  return [flags, notes.length > 0 ? `${option.description} (${notes.join('; ')})` : option.description]
}

function table(rows: readonly (readonly [string, string])[], width: number, paint: (text: string) => string): string[] {
  const left = Math.min(30, Math.max(...rows.map(([term]) => term.length))) + 2
  return rows.flatMap(([term, text]) => {
    const body = wrap(text, Math.max(20, width - left - 2))
    const padding = ' '.repeat(left + 2)
    if (term.length > left - 2) return [`  ${paint(term)}`, ...body.map((line) => padding + line)]
    const first = `  ${paint(term)}${' '.repeat(left - term.length)}${body[0] ?? ''}`
    return [first, ...body.slice(1).map((line) => padding + line)]
  })
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line)
        line = word
      } else {
        line = line === '' ? word : `${line} ${word}`
      }
    }
    lines.push(line)
  }
  return lines
}
