/** `plumbline registry init` */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { readFileText } from '../input/read-bytes.js'
import { argument, text } from '../program/invocation.js'
import { print } from '../remote/table.js'
import { onHost } from './load-server.js'

/**
 * The file that every run writes again, so that it includes a new key. Other files are kept, because an operator may
 * have changed them.
 */
const REWRITTEN = 'certificates.pem'
const LISTEN = /^(?:[A-Za-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/

/** The file that holds new keys, for the environment of the server. */
const KEYS_FILE = 'token-keys.env'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, config) => {
    const folder = resolve(io.cwd, argument(invocation, 0))
    const listen = text(invocation, 'listen') ?? ''
    if (!LISTEN.test(listen)) throw new UsageError('--listen is not an address', 'write one such as 127.0.0.1:5000')
    const publicUrl = text(invocation, 'publicUrl')
    if (publicUrl !== undefined && !/^https?:\/\/[^\s"]+$/.test(publicUrl)) {
      throw new UsageError('--public-url is not an address', 'write one such as https://plumbline.example')
    }
    const madeKeys = keysIn(join(folder, KEYS_FILE))
    const made = server.registryFiles(config, {
      folder,
      listen,
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(madeKeys === undefined ? {} : { madeKeys }),
    })
    mkdirSync(join(folder, 'storage'), { recursive: true })
    const rows: string[][] = []
    for (const [name, content] of Object.entries(made.files)) {
      const path = join(folder, name)
      const isKept = name !== REWRITTEN && existsSync(path)
      const mode = made.secret.includes(name) ? 0o600 : 0o644
      if (!isKept) writeFileSync(path, content, { mode })
      if (!isKept) chmodSync(path, mode)
      rows.push([isKept ? 'kept' : 'written', path])
    }
    for (const [name, value] of Object.entries(made.settings)) rows.push(['set', `${name}=${value}`])
    if (made.newKeys !== null) rows.push(['set', `the lines of ${join(folder, made.newKeys)}`])
    await print(invocation, io, { folder, files: Object.keys(made.files), settings: made.settings }, rows)
    return ExitCode.clean
  })

/** The keys that an earlier run made. */
const keysIn = (path: string): string | undefined =>
  existsSync(path) ? /^REGISTRY_TOKEN_KEYS=(\S+)$/m.exec(readFileText(path))?.[1] : undefined
