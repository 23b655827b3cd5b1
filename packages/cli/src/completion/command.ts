/** Specification of `plumbline completion`. */
import type { CommandSpec } from '../command.js'

export const completionCommand: CommandSpec = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  description: 'Prints a script that completes commands, options and their values in bash, zsh or fish.',
  arguments: [{ syntax: '<shell>', description: 'the shell to write for', choices: ['bash', 'zsh', 'fish'] }],
  examples: [
    { command: 'source <(plumbline completion bash)', explanation: 'complete in this bash session' },
    {
      command: 'plumbline completion zsh > ~/.zsh/completions/_plumbline',
      explanation: 'install for every zsh session; the folder stands in fpath',
    },
    {
      command: 'plumbline completion fish > ~/.config/fish/completions/plumbline.fish',
      explanation: 'install for every fish session',
    },
  ],
  load: () => import('./run.js'),
}
