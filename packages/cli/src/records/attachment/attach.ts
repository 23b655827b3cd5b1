/** `plumbline messages attach` */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { type CommandRun, ExitCode, UsageError } from '../../command.js'
import { flag, text } from '../../program/invocation.js'
import { createProgress } from '../../program/progress.js'
import { openSession, replyOf, telling } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'
import { showRecord } from '../show.js'
import { formOf } from '../upload/form.js'

const KIBIBYTE = 1024

/** The types that the server accepts. The server also checks the bytes against the type. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/plain',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
  '.tgz': 'application/gzip',
  '.tar': 'application/x-tar',
}

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const given = String(invocation.arguments[0])
    const path = resolve(io.cwd, given)
    const found = await stat(path).catch(() => null)
    if (found === null || !found.isFile()) throw new UsageError(`\`${given}\` is not a file that can be read`)
    const session = openSession(invocation, io)
    const progress = createProgress(io, 'KiB', flag(invocation, 'quiet'))
    async function* content(): AsyncGenerator<Uint8Array> {
      let bytes = 0
      for await (const chunk of createReadStream(path)) {
        bytes += (chunk as Uint8Array).length
        progress.update(Math.floor(bytes / KIBIBYTE), Math.ceil((found?.size ?? 0) / KIBIBYTE))
        yield chunk as Uint8Array
      }
    }
    const { contentType, contentLength, body } = formOf(
      {},
      {
        part: 'file',
        name: basename(path),
        contentType: text(invocation, 'type') ?? TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
        content: content(),
        bytes: found.size,
      },
    )
    const sending = session.fetch('/messages/attachments', {
      method: 'POST',
      headers: { 'content-type': contentType, 'content-length': String(contentLength) },
      body,
      duplex: 'half',
    } as RequestInit)
    const reply = await replyOf<{ attachment: JsonObject }>(await sending.finally(() => progress.clear()))
    await showRecord(invocation, io, reply.data.attachment)
    return ExitCode.clean
  })
