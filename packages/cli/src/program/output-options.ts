/**
 * One convention of output for every command that shows data: `-f, --format` chooses the format, `--json` is short for
 * `--format json`, and `-o, --output` names a file.
 * INVARIANT: a test checks that no command gives these options another meaning.
 */
import type { CommandSpec, OptionSpec } from '../command.js'

export const formatOption = (fallback: string): OptionSpec => ({
  flags: '-f, --format <name>',
  description: 'form of the output',
  choices: ['table', 'json', 'yaml'],
  defaultText: fallback,
})

export const outputOption: OptionSpec = {
  flags: '-o, --output <file>',
  description: 'write to this file instead of standard output',
}

/** For a command that prints a report or a table to people and the same data to programs. */
export const dataOptions: readonly OptionSpec[] = [formatOption('table'), outputOption]

export const jsonOption: OptionSpec = { flags: '--json', description: 'short for --format json' }

/** With `--json` another report may go to a file: `--json --format sarif=out.sarif`. */
const jsonOptionFor = ({ repeatable }: OptionSpec): OptionSpec =>
  repeatable === true ? jsonOption : { ...jsonOption, conflicts: ['format'] }

export const isFormatOption = ({ flags }: OptionSpec): boolean => flags === '-f, --format <name>'

export const isOutputOption = ({ flags }: OptionSpec): boolean => flags === outputOption.flags

/** Adds `--json` after every `--format` that has it. */
export function withJsonOption(spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    ...(spec.options === undefined
      ? {}
      : {
          options: spec.options.flatMap((option) =>
            isFormatOption(option) && option.choices?.includes('json') === true
              ? [option, jsonOptionFor(option)]
              : [option],
          ),
        }),
    ...(spec.subcommands === undefined ? {} : { subcommands: spec.subcommands.map(withJsonOption) }),
  }
}
