/** Specification of `plumbline completion`. */
import type { CommandSpec } from '../command.js'

export const completionCommand: CommandSpec = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  description:
    'Prints a script that completes commands, options and their values in bash, zsh or fish, and the names of rules, ' +
    'policies, pipelines, templates and plugins: the script asks the server where you are signed in, waits at most 1.5 s, keeps the ' +
    'names for a minute, and offers none when anything fails.',
  arguments: [{ syntax: '[shell]', description: 'the shell to write for', choices: ['bash', 'zsh', 'fish'] }],
  options: [
    {
      flags: '--names <kind>',
      description: 'print the names of records of this kind instead, as the scripts ask for them',
    },
  ],
  examples: [
    { command: 'source <(plumbline completion bash)', explanation: 'complete in this bash session' },
    {
      command: 'plumbline completion zsh > ~/.zsh/completions/_plumbline',
      explanation: 'install for every zsh session; the folder must be in fpath',
    },
    {
      command: 'plumbline completion fish > ~/.config/fish/completions/plumbline.fish',
      explanation: 'install for every fish session',
    },
  ],
  load: () => import('./run.js'),
}
