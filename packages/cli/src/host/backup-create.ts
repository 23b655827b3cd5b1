/** `plumbline backup create` */
import { resolve } from 'node:path'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument } from '../program/invocation.js'
import { print } from '../remote/table.js'
import { onHost } from './load-server.js'
import { passphrase } from './passphrase.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, options) => {
    const config = server.loadConfig({ ...options, createKeys: false })
    if (!config.ok)
      throw new UsageError(
        'the settings of the server are wrong',
        undefined,
        config.issues.map(({ message }) => message),
      )
    const manifest = await server
      .createBackup({
        settings: config.settings,
        sources: config.sources,
        file: resolve(io.cwd, argument(invocation, 0)),
        passphrase: await passphrase(invocation, io),
        nowMs: io.now().getTime(),
      })
      .catch(telling)
    await print(invocation, io, manifest, [
      ['made', manifest.createdAt],
      ['database', `${manifest.database}, schema ${manifest.schemaVersion}`],
      ['keys', manifest.hasKeys ? 'encrypted to the passphrase' : 'left out'],
      ['bytes', String(manifest.entries.reduce((sum, { bytes }) => sum + bytes, 0))],
    ])
    return ExitCode.clean
  })

function telling(error: unknown): never {
  throw new UsageError(error instanceof Error ? error.message : String(error))
}
