/**
 * Options that every command understands, before or after its name.
 * INVARIANT: no command declares an option with one of these names.
 */
import type { OptionSpec } from '../command.js'

export const globalOptions: readonly OptionSpec[] = [
  { flags: '--config <file>', description: 'configuration file to use instead of the discovered one' },
  { flags: '--color', description: 'colour the output even when it is not a terminal' },
  { flags: '--no-color', description: 'never colour the output' },
  { flags: '-q, --quiet', description: 'keep stderr to errors: no notes, warnings or progress' },
]
