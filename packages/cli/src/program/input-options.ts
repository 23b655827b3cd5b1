/** Options that say what a command reads and how. Commands that read the same thing use the same option. */

import { VOCABULARY } from '../api-facts.js'
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
  choices: VOCABULARY.target,
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
