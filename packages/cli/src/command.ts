/**
 * What a command is: data that help, completion and parsing read, and a module that is loaded only when the command
 * runs.
 * INVARIANT: specification files import only types and constants, so that start-up does not load code of other
 * commands.
 */
import type { Readable, Writable } from 'node:stream'

/** The exit codes of every command (docs/reference/exit-codes-and-formats.md). */
export const ExitCode = {
  clean: 0,
  findings: 1,
  usage: 2,
  notEvaluated: 3,
  internal: 70,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export interface ArgumentSpec {
  /** Commander notation: `<file>`, `[files...]`. */
  readonly syntax: string
  readonly description: string
  readonly choices?: readonly string[]
  /** The kind of record whose names a shell completes, such as `rules`. */
  readonly completes?: string
}

export interface OptionSpec {
  /** Commander notation: `-f, --format <name>`. */
  readonly flags: string
  readonly description: string
  readonly choices?: readonly string[]
  /** A choice may be followed by `=file`: `--format sarif=out.sarif`. */
  readonly assignable?: boolean
  /** The value is a whole number within these bounds. */
  readonly integer?: { readonly min?: number; readonly max?: number }
  readonly default?: string | number | boolean
  /** What help says about the default if configuration can set this option. The option then has no `default`. */
  readonly defaultText?: string
  /** May be given more than once; the value is then an array. */
  readonly repeatable?: boolean
  /** The kind of record whose names a shell completes as its value. */
  readonly completes?: string
  /** Setting this option is an error together with the named ones. */
  readonly conflicts?: readonly string[]
}

interface Example {
  readonly command: string
  readonly explanation: string
}

export interface CommandSpec {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: readonly OptionSpec[]
  readonly examples: readonly Example[]
  readonly subcommands?: readonly CommandSpec[]
  readonly load?: () => Promise<{ readonly run: CommandRun }>
}

/** Parsed command line. Option names are camel case without dashes; the global options are among them. */
export interface Invocation {
  readonly arguments: readonly (string | readonly string[] | undefined)[]
  readonly options: Readonly<Record<string, unknown>>
  /** Every command, for the commands that describe the command line itself. */
  readonly commands?: readonly CommandSpec[]
}

/** The outside world, as values: tests pass their own. Data goes to stdout, everything else to stderr. */
export interface Io {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty: boolean
  readonly stderrIsTty: boolean
  readonly columns: number
  /** Colour for stdout: `--color`, NO_COLOR (any non-empty value), FORCE_COLOR, terminal. */
  readonly colour: boolean
  /** The same for stderr; without it stderr is plain. */
  readonly stderrColour?: boolean
  readonly now: () => Date
}

export type CommandRun = (invocation: Invocation, io: Io) => Promise<number>

/** A command that ends early: printed without a stack, with the exit code of its kind. */
export abstract class CommandError extends Error {
  abstract readonly exitCode: ExitCode

  constructor(
    message: string,
    readonly hint?: string,
    /** One line for each single problem. */
    readonly details: readonly string[] = [],
  ) {
    super(message)
  }
}

/** A wrong option, path, rule or configuration file, or a request that a server cannot accept as it is: exit 2. */
export class UsageError extends CommandError {
  override name = 'UsageError'
  readonly exitCode = ExitCode.usage
}

/**
 * The command could not do what was asked, and may succeed later: the server does not answer, a permission is missing,
 * a quota is used up. Exit 3.
 */
export class NotDoneError extends CommandError {
  override name = 'NotDoneError'
  readonly exitCode = ExitCode.notEvaluated
}

/** A compliance rule blocks the change: exit 1. */
export class BlockedError extends CommandError {
  override name = 'BlockedError'
  readonly exitCode = ExitCode.findings
}
