/** `plumbline messages download` */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CommandRun, ExitCode, NotDoneError, UsageError } from '../../command.js'
import { flag, text } from '../../program/invocation.js'
import { printable } from '../../program/printable.js'
import { write } from '../../program/write.js'
import { openSession, replyOf, telling } from '../../remote/session.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const id = String(invocation.arguments[0])
    const session = openSession(invocation, io)
    const thumb = flag(invocation, 'thumb') ? '?thumb=1' : ''
    const response = await session.fetch(`/messages/attachments/${encodeURIComponent(id)}${thumb}`)
    if (!response.ok || response.body === null) await replyOf(response)
    const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    const output = text(invocation, 'output')
    if (output === '-') {
      for await (const chunk of content) await write(io.stdout, chunk)
      return ExitCode.clean
    }
    const path = resolve(io.cwd, output ?? nameOf(response.headers.get('content-disposition')))
    let isOurs = false
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    file.once('open', () => {
      isOurs = true
    })
    try {
      await pipeline(content, file)
    } catch (error) {
      // Removes an incomplete file. A file that existed before is not touched.
      if (isOurs) await rm(path, { force: true })
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        throw new UsageError(`\`${printable(path)}\` is there already`, 'name another file with --output')
      }
      throw new NotDoneError(`the attachment could not be saved: ${(error as Error).message}`)
    }
    if (!flag(invocation, 'quiet')) await write(io.stderr, `saved ${printable(path)}\n`)
    return ExitCode.clean
  })

/** The name that the sender gave, without any folder or leading dot: the sender may be hostile. */
function nameOf(disposition: string | null): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '') ?? []
  const name = basename(decodeURIComponent(encoded ?? '').replaceAll('\\', '/'))
    .replaceAll(/\p{Cc}/gu, '_')
    .replace(/^\.+/, '')
  return name === '' ? 'attachment' : name
}
