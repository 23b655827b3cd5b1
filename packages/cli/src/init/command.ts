/** Specification of `plumbline init`. */
import type { CommandSpec } from '../command.js'

const ciSystems = ['github', 'gitlab', 'none'] as const
export type CiSystem = (typeof ciSystems)[number]

export const initCommand: CommandSpec = {
  name: 'init',
  summary: 'write a configuration, a starter rule set with tests, and a CI file',
  description:
    'Writes plumbline.config.yaml, starter rules and their tests under compliance/, and a CI file. Where there are no ' +
    'plugins or pipelines yet, an example of each. Files that exist are kept. What it writes passes ' +
    '`plumbline check`, `plumbline test` and `plumbline lint`.',
  arguments: [{ syntax: '[folder]', description: 'where to write; the working folder by default' }],
  options: [
    {
      flags: '--ci <system>',
      description: 'which CI file to write',
      choices: ciSystems,
      defaultText: 'gitlab next to a .gitlab-ci.yml, else github',
    },
    { flags: '--force', description: 'overwrite files that exist' },
    { flags: '--dry-run', description: 'only list what would be written' },
  ],
  examples: [
    { command: 'plumbline init', explanation: 'start in this repository' },
    { command: 'plumbline init --dry-run', explanation: 'see what would be written' },
    { command: 'plumbline init services/shop --ci none', explanation: 'start in a folder, without a CI file' },
  ],
  load: () => import('./run.js'),
}
