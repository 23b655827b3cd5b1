/** Options of every command that shows records. */
import type { OptionSpec } from '../command.js'

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
