/** Specification of `plumbline init`. */
import type { CommandSpec } from '../command.js'
import { ciSystems } from './ci-systems.js'

export const initCommand: CommandSpec = {
  name: 'init',
  summary: 'write a configuration, a starter rule set with tests, and a CI file',
  description:
    'Writes plumbline.config.yaml, starter rules and their tests under compliance/, and a CI file. It looks for ' +
    'plugins and pipelines in the folder and names them in the configuration; where it finds none, it writes an example of ' +
    'each. Files that exist are kept. The rules pass `plumbline test` and `plumbline lint`, the examples `plumbline check`.',
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
