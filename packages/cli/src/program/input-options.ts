/** Options that say what is read, and as what: the commands that read the same thing call it the same. */
import type { OptionSpec } from '../command.js'

export const rulesOption: OptionSpec = {
  flags: '-r, --rules <path>',
  description: 'rule file, folder or glob',
  repeatable: true,
  defaultText: 'from the configuration',
}

export const targetOption: OptionSpec = {
  flags: '-t, --target <target>',
  description: 'what the files describe',
  choices: ['plugin', 'pipeline'],
  defaultText: 'guessed from the content of each entity',
}

export const exemptionsOption: OptionSpec = {
  flags: '--exemptions <file>',
  description: 'file of exemptions',
  repeatable: true,
}

export const rawOption: OptionSpec = {
  flags: '--raw',
  description: 'evaluate files as written, without projection and aliases',
}
