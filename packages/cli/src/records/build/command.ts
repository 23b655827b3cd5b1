/** Specification of `plumbline plugins build`. */
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'
import { uploadOptions } from '../upload/command.js'

export const buildCommand: CommandSpec = {
  name: 'build',
  summary: 'upload a plugin and follow its build, or show the state of a build',
  description:
    'A folder or a zip is uploaded as by `upload`; the id of a build names one that is there. With --watch phases and log go to standard ' +
    'error as they are written, and the build to standard output at its end. Exits 0 when the plugin is ready, 1 when the build failed, was ' +
    'cancelled or was blocked, with the violations, and 3 when the command was cut off before the end.',
  arguments: [{ syntax: '<source>', description: 'folder, zip file, or id of a build' }],
  options: [
    { flags: '-w, --watch', description: 'follow until the build ends' },
    ...uploadOptions,
    formatOption('yaml'),
    outputOption,
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline plugins build ./node-build --watch', explanation: 'from a folder to a plugin that is ready' },
    { command: 'plumbline plugins build 0190…', explanation: 'its state, attempts and last error' },
    {
      command: 'plumbline plugins build node-build.zip --watch --json',
      explanation: 'for a program: the build as JSON, with its violations',
    },
  ],
  load: () => import('./run.js'),
}
