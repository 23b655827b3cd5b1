/**
 * Turns a command line into one of three outcomes: a command to run, text to print, or a usage error.
 * INVARIANT: nothing is run or written here, so that parsing can be tested as a function.
 */
import { nearestWord } from '@plumbline/engine/words'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { CommandSpec, Invocation, OptionSpec } from '../command.js'
import { globalOptions } from './global-options.js'
import { optionNames } from './option-names.js'
import { isFormatOption, isOutputOption } from './output-options.js'

export type ParsedCommandLine =
  | { readonly kind: 'run'; readonly spec: CommandSpec; readonly invocation: Invocation }
  | { readonly kind: 'help'; readonly path: readonly CommandSpec[] }
  | { readonly kind: 'version'; readonly json: boolean }
  | { readonly kind: 'usage-error'; readonly message: string; readonly hint: string }

/** Options of `plumbline` itself, valid only without a command. */
export const rootOptions: readonly OptionSpec[] = [
  { flags: '-V, --version', description: 'print the version; so do `version` and `-v`' },
  { flags: '--json', description: 'with --version: as JSON, with the versions of Node and the platform' },
]

export function parseCommandLine(commands: readonly CommandSpec[], argv: readonly string[]): ParsedCommandLine {
  let outcome: ParsedCommandLine | null = null
  let errorText = ''
  let helpPath: readonly CommandSpec[] = []

  // Only those that the line can mean: to make the parsers of all commands takes a third of the time of a start.
  const words = new Set(argv)
  const named = (specs: readonly CommandSpec[]) => specs.filter(({ name }) => words.has(name))

  const settle = (command: Command) =>
    silenced(command, (text) => {
      errorText += text
    })

  const build = (command: Command, spec: CommandSpec, path: readonly CommandSpec[], root: Command) => {
    settle(command).helpOption('-h, --help', 'show help')
    // The path is recorded in this function, the only place that knows which command help is about.
    command.configureHelp({
      formatHelp: () => {
        helpPath = path
        return ''
      },
    })
    for (const argument of spec.arguments ?? []) {
      const parsed = new Argument(argument.syntax, argument.description)
      command.addArgument(argument.choices ? parsed.choices(argument.choices) : parsed)
    }
    for (const option of [...(spec.options ?? []), ...globalOptions]) command.addOption(toOption(option))
    for (const child of named(spec.subcommands ?? [])) {
      build(command.command(child.name), child, [...path, child], root)
    }
    if (spec.load) {
      command.action(() => {
        const isEmpty = command.args.includes('')
        outcome = isEmpty
          ? emptyArgument
          : { kind: 'run', spec, invocation: invocationOf(spec, command, root, commands) }
      })
    } else {
      command.action(() => {
        outcome = { kind: 'help', path }
      })
    }
  }

  const root = settle(new Command('plumbline')).helpOption('-h, --help', 'show help').enablePositionalOptions()
  root.configureHelp({
    formatHelp: () => {
      helpPath = []
      return ''
    },
  })
  for (const option of [...rootOptions, ...globalOptions]) root.addOption(toOption(option))
  for (const spec of named(commands)) build(root.command(spec.name), spec, [spec], root)
  root.argument('[command]').allowExcessArguments(true)
  root.action((name: string | undefined) => {
    if (root.opts().version === true) outcome = { kind: 'version', json: root.opts().json === true }
    else if (name === undefined) outcome = { kind: 'help', path: [] }
    else outcome = unknownCommand(name, commands, [])
  })

  try {
    root.parse(expandUsualWords(argv), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const isHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.help'
    return isHelp ? helpAsked(argv, helpPath, commands) : usageError(errorText || error.message, argv, commands)
  }
  return outcome ?? { kind: 'help', path: [] }
}

/** Keeps a command from printing or ending the process. */
const silenced = (command: Command, outputError: (text: string) => void): Command =>
  command
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError })

const invocationOf = (
  spec: CommandSpec,
  command: Command,
  root: Command,
  commands: readonly CommandSpec[],
): Invocation => ({
  arguments: command.processedArgs as Invocation['arguments'],
  options: spellOut(spec, { ...root.opts(), ...parentOptions(command, root), ...command.opts() }),
  commands,
})

function helpAsked(
  argv: readonly string[],
  path: readonly CommandSpec[],
  commands: readonly CommandSpec[],
): ParsedCommandLine {
  const name = argv[0] === 'help' ? argv[1] : argv[0]
  const isCommand = path.length > 0 || name === undefined || name.startsWith('-')
  return isCommand ? { kind: 'help', path } : unknownCommand(name, commands, [])
}

/** As a path, an empty argument would mean the working folder, which the user did not ask for. */
const emptyArgument: ParsedCommandLine = {
  kind: 'usage-error',
  message: 'an argument is empty',
  hint: 'leave it out, or look for a shell variable without a value',
}

/** `plumbline help check` is `plumbline check --help`; `version` and `-v` are `--version`. */
function expandUsualWords([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return []
  if (first === 'help') return [...others, '--help']
  return [first === 'version' || first === '-v' ? '--version' : first, ...others]
}

/** Replaces `--json` by `--format json`. If other reports go to files, it is added for standard output. */
function spellOut(spec: CommandSpec, { json, ...options }: Record<string, unknown>): Record<string, unknown> {
  const format = spec.options?.find(isFormatOption)
  if (json !== true || format === undefined) return options
  const { format: given } = options
  return {
    ...options,
    format: format.repeatable !== true ? 'json' : Array.isArray(given) ? [...given, 'json'] : ['json'],
  }
}

function parentOptions(command: Command, root: Command): Record<string, unknown> {
  const parent = command.parent
  return parent && parent !== root ? { ...parentOptions(parent, root), ...parent.opts() } : {}
}

function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description)
  const names = optionNames(spec)
  if (spec.conflicts) option.conflicts([...spec.conflicts])
  if (spec.default !== undefined) option.default(spec.default)
  if (names.value !== null) {
    option.argParser((text: string, previous: unknown) => {
      const value = optionValue(spec, text)
      if (spec.repeatable !== true) return value
      return Array.isArray(previous) ? [...previous, value] : [value]
    })
  }
  return option
}

const FORMS: ReadonlySet<string> = new Set(['table', 'json', 'yaml', 'csv', 'sarif'])

function optionValue(spec: OptionSpec, text: string): string | number {
  if (text === '') throw new InvalidArgumentError('it is empty')
  if (isOutputOption(spec) && FORMS.has(text)) {
    throw new InvalidArgumentError(
      `--output names a file: write --format ${text}, or ./${text} for a file of this name`,
    )
  }
  if (spec.choices) {
    const word = spec.assignable === true ? text.replace(/=.*$/s, '') : text
    if (!spec.choices.includes(word)) {
      if (isFormatOption(spec) && /[./\\]/.test(text)) {
        throw new InvalidArgumentError('-f is short for --format; a file is named without an option, or with --file')
      }
      const near = nearestWord(word, spec.choices)
      throw new InvalidArgumentError(
        `expected one of ${spec.choices.join(', ')}${near ? ` (did you mean ${near}?)` : ''}`,
      )
    }
    if (spec.assignable === true && text.endsWith('=')) throw new InvalidArgumentError('a file name follows the =')
  }
  if (!spec.integer) return text
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = spec.integer
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < min || value > max) {
    const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`expected a whole number ${bounds}`)
  }
  return value
}

function unknownCommand(name: string, commands: readonly CommandSpec[], path: readonly string[]): ParsedCommandLine {
  const near = nearestWord(
    name,
    commands.map((command) => command.name),
  )
  const prefix = ['plumbline', ...path].join(' ')
  return {
    kind: 'usage-error',
    message: `unknown command \`${name}\`${near ? `, did you mean \`${near}\`?` : ''}`,
    hint: `run \`${prefix} --help\` for the list of commands`,
  }
}

/** The commands at the beginning of the line, and the first word that is not a command. */
function commandsNamed(
  argv: readonly string[],
  commands: readonly CommandSpec[],
): { path: string[]; level: readonly CommandSpec[]; stranger: string | null } {
  const path: string[] = []
  let level: readonly CommandSpec[] = commands
  for (let at = 0; at < argv.length && level.length > 0; at++) {
    const word = argv[at] ?? ''
    // The value of the only global option that has one, and not a command.
    if (word === '--config') at++
    if (word.startsWith('-')) continue
    const found = level.find((command) => command.name === word)
    if (found === undefined) return { path, level, stranger: word }
    path.push(found.name)
    level = found.subcommands ?? []
  }
  return { path, level, stranger: null }
}

function usageError(text: string, argv: readonly string[], commands: readonly CommandSpec[]): ParsedCommandLine {
  const { path, level, stranger } = commandsNamed(argv, commands)
  if (stranger !== null) return unknownCommand(stranger, level, path)
  return {
    kind: 'usage-error',
    message: text
      .trim()
      .replace(/^error: /, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ')
      .replace(/'([^']*)'/g, '`$1`')
      .replace(/\.$/, ''),
    hint: `run \`${['plumbline', ...path, '--help'].join(' ')}\` for the options`,
  }
}
