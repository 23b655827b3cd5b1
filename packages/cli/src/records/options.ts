/** Options of every command that shows records. */
import type { OptionSpec } from '../command.js'
import type { Flag } from './resource.js'

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

/** Without what says how their values are sent. */
export const optionsOf = (flags: readonly Flag[] = []): OptionSpec[] =>
  flags.map(
    ({ sends: _sends, isPairs: _isPairs, areNumbers: _areNumbers, isInstant: _isInstant, value: _value, ...option }) =>
      option,
  )
