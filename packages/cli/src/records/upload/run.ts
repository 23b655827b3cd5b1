/** `plumbline plugins upload` */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { flag, text, texts } from '../../audit/options.js'
import { type CommandRun, ExitCode, type Invocation, type Io, NotDoneError, UsageError } from '../../command.js'
import { createProgress, type Progress } from '../../program/progress.js'
import { write } from '../../program/write.js'
import { openSession, type Reply, replyOf, type Session, telling } from '../../remote/session.js'
import { printable, valueText } from '../../report/reporter.js'
import type { JsonObject } from '../resource.js'
import { showRecord } from '../show.js'
import { zipOf } from './archive.js'
import { listFolder } from './folder.js'
import { type FormFile, formOf } from './form.js'

const MEBIBYTE = 1 << 20
const ATTEMPTS = 3
const PAUSE_MS = 200
const PAUSE_MS_MAX = 30_000
const TRANSIENT = new Set([429, 502, 503, 504])

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const progress = createProgress(io, 'MiB', flag(invocation, 'quiet'))
    const archive = await archiveOf(invocation, io, progress)
    const reply = await uploadTried(session, requestOf(invocation), archive).finally(() => progress.clear())
    await showRecord(invocation, io, reply.data)
    if (!flag(invocation, 'quiet')) await tell(reply, io)
    return ExitCode.clean
  })

interface UploadRequest {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

function requestOf(invocation: Invocation): UploadRequest {
  const access = text(invocation, 'access')
  const lifecycle = text(invocation, 'lifecycle')
  return {
    path: `/api/plugins${flag(invocation, 'replace') ? '?replace=true' : ''}`,
    fields: {
      ...(access === undefined ? {} : { accessModifier: access }),
      ...(flag(invocation, 'setDefault') ? { setDefault: 'true' } : {}),
      ...(lifecycle === undefined ? {} : { lifecycle }),
    },
  }
}

/** Makes the file part anew for each try. */
type Archive = () => FormFile

async function archiveOf(invocation: Invocation, io: Io, progress: Progress): Promise<Archive> {
  const path = resolve(io.cwd, String(invocation.arguments[0]))
  const found = await stat(path).catch(() => null)
  if (found === null) throw new UsageError(`\`${path}\` does not exist`)
  const isFolder = found.isDirectory()
  const files = isFolder ? await listFolder(path, texts(invocation, 'exclude')) : null
  const bytesTotal = files === null ? found.size : files.reduce((sum, { bytes }) => sum + bytes, 0)
  const total = Math.ceil(bytesTotal / MEBIBYTE)
  return () => {
    let bytes = 0
    const read = (more: number) => {
      bytes += more
      progress.update(Math.floor(bytes / MEBIBYTE), total)
    }
    return {
      part: 'plugin',
      name: isFolder ? `${basename(path) || 'plugin'}.zip` : basename(path),
      contentType: 'application/zip',
      content: files === null ? fileContent(path, read) : zipOf(files, read),
      bytes: isFolder ? null : found.size,
    }
  }
}

async function* fileContent(path: string, read: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) {
    read((chunk as Uint8Array).length)
    yield chunk as Uint8Array
  }
}

/** Under one key: what arrived is not done twice. */
async function uploadTried(session: Session, request: UploadRequest, archive: Archive): Promise<Reply<JsonObject>> {
  const key = randomUUID()
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS
    let waitMs = PAUSE_MS * 2 ** (attempt - 1)
    try {
      const response = await uploadOnce(session, request, archive(), key)
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (Number.isFinite(seconds)) waitMs = seconds * 1000
      if (isLast || !TRANSIENT.has(response.status) || waitMs > PAUSE_MS_MAX) return await replyOf(response)
      await response.body?.cancel()
    } catch (error) {
      if (isLast || !(error instanceof NotDoneError)) throw error
    }
    await sleep(waitMs)
  }
}

function uploadOnce(session: Session, { path, fields }: UploadRequest, file: FormFile, key: string): Promise<Response> {
  const { contentType, contentLength, body } = formOf(fields, file)
  return session.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'idempotency-key': key,
      ...(contentLength === null ? {} : { 'content-length': String(contentLength) }),
    },
    body,
    duplex: 'half',
  } as RequestInit)
}

/** Warnings, and where the build is to be watched. */
async function tell({ status, data }: Reply<JsonObject>, io: Io): Promise<void> {
  const warnings = [data.warnings, data.complianceWarnings].flatMap((list) => (Array.isArray(list) ? list : []))
  for (const warning of warnings) {
    const { message, ruleName, code } = warning as { message?: string; ruleName?: string; code?: string }
    await write(
      io.stderr,
      `warning: ${printable(`${ruleName ?? code ?? ''} ${message ?? valueText(warning)}`.trim())}\n`,
    )
  }
  if (status === 202)
    await write(io.stderr, `it is built now: \`plumbline plugins build-logs ${String(data.jobId)} --follow\`\n`)
}
