/** `plumbline restore` */
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { readVerifierKeys } from '../audit/keys.js'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, flag, texts } from '../program/invocation.js'
import { print } from '../remote/table.js'
import { onHost } from './load-server.js'
import { passphraseIfGiven } from './passphrase.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, options) => {
    const config = server.loadConfig({ ...options, createKeys: false })
    if (!config.ok)
      throw new UsageError(
        'the settings of the server are wrong',
        undefined,
        config.issues.map(({ message }) => message),
      )
    const keys = await readVerifierKeys(texts(invocation, 'key'), io)
    const takesKeys = invocation.options.keys !== false
    const allowsUnproven = flag(invocation, 'unverified')
    const asks = takesKeys || (keys.length === 0 && !allowsUnproven)
    const outsideSize = invocation.options.outsideSize
    const manifest = await server
      .restoreBackup({
        settings: config.settings,
        file: resolve(io.cwd, argument(invocation, 0)),
        proofs: { passphrase: () => passphraseIfGiven(io, { asks }), keys },
        takesKeys,
        allowsUnproven,
        user: userInfo().username,
        outsideSize: typeof outsideSize === 'number' ? outsideSize : null,
        clock: { now: () => io.now().getTime() },
      })
      .catch((error: unknown) => {
        throw new UsageError(error instanceof Error ? error.message : String(error))
      })
    await print(invocation, io, manifest, [[`restored what was saved at ${manifest.createdAt}`]])
    return ExitCode.clean
  })
