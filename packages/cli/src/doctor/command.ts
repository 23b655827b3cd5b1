/** Specification of `plumbline doctor`. */
import type { CommandSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'
import { serverOptions } from '../remote/options.js'

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'say what is installed, what is configured and what is wrong',
  description:
    'Looks at versions, git, the configuration with the origin of each value, rules, exemptions, the baseline, and the ' +
    'proxy and certificate settings. Exits 2 when something has to be fixed.',
  options: [
    {
      flags: '--server',
      description: 'check the server of this machine instead: its settings, and whether it is ready',
    },
    {
      flags: '--events',
      description:
        'check the events of pipelines instead: whether they arrive, and which forwarder dropped events, restarted or stopped sending',
      conflicts: ['server'],
    },
    {
      flags: '--builders',
      description: 'check the builders of images instead: whether one works, and why others do not',
      conflicts: ['server', 'events'],
    },
    ...dataOptions,
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline doctor', explanation: 'when something does not work' },
    { command: 'plumbline doctor --server', explanation: 'when the server does not start, or is not ready' },
    { command: 'plumbline doctor --events', explanation: 'when a report has no number' },
    { command: 'plumbline doctor --builders', explanation: 'when builds wait' },
    { command: 'plumbline doctor --json', explanation: 'to attach to a report' },
  ],
  load: () => import('./run.js'),
}
