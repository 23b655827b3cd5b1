/** Sends the folder or archive that the command line names, with the fields that its options give. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ApiError } from '@plumbline/client'
import { type Invocation, type Io, UsageError } from '../../command.js'
import { flag, text, texts } from '../../program/invocation.js'
import { printable } from '../../program/printable.js'
import { createProgress, type Progress } from '../../program/progress.js'
import { write } from '../../program/write.js'
import { refusalError, type Typed } from '../../remote/refusal.js'
import type { Reply, Session } from '../../remote/session.js'
import { valueText } from '../../report/reporter.js'
import { pairsOf } from '../pairs.js'
import type { JsonObject } from '../resource.js'
import { typedAs } from '../typed.js'
import { zipOf } from './archive.js'
import { listFolder } from './folder.js'
import { type Archive, sendArchive, type UploadRequest } from './send.js'
import { violationPlaces } from './violation-places.js'

const MEBIBYTE = 1 << 20

const OPTIONS = typedAs({
  'body.accessModifier': '--access',
  'body.setDefault': '--set-default',
  'body.lifecycle': '--lifecycle',
  'body.criticality': '--criticality',
  'body.labels': '--label',
  'body.links': '--link',
  'query.replace': '--replace',
})

/** A fault in the archive names its file, and the field in it. */
const TYPED: Typed = (part, steps) => {
  const [field, file] = steps
  if (part !== 'body' || field !== 'plugin') return OPTIONS(part, steps)
  return file === undefined ? 'the file' : [file, ...steps.slice(2)].join(' ')
}

/** @throws CommandError with the refusal of the server, and the positions of violations in the folder. */
export async function upload(invocation: Invocation, io: Io, session: Session): Promise<Reply<JsonObject>> {
  const progress = createProgress(io, 'MiB', flag(invocation, 'quiet'))
  const archive = await archiveOf(invocation, io, progress)
  return sendArchive(session, requestOf(invocation), archive)
    .catch(async (error: unknown) => {
      throw error instanceof ApiError ? refusalError(error, await violationPlaces(invocation, io), TYPED) : error
    })
    .finally(() => progress.clear())
}

function requestOf(invocation: Invocation): UploadRequest {
  const access = text(invocation, 'access')
  const lifecycle = text(invocation, 'lifecycle')
  const criticality = text(invocation, 'criticality')
  const labels = pairsOf(texts(invocation, 'label'))
  const links = pairsOf(texts(invocation, 'link')).map(([title, url]) => ({ title, url }))
  return {
    path: `/plugins${flag(invocation, 'replace') ? '?replace=true' : ''}`,
    fields: {
      ...(access === undefined ? {} : { accessModifier: access }),
      ...(flag(invocation, 'setDefault') ? { setDefault: 'true' } : {}),
      ...(lifecycle === undefined ? {} : { lifecycle }),
      ...(criticality === undefined ? {} : { criticality }),
      ...(labels.length === 0 ? {} : { labels: JSON.stringify(Object.fromEntries(labels)) }),
      ...(links.length === 0 ? {} : { links: JSON.stringify(links) }),
    },
  }
}

async function archiveOf(invocation: Invocation, io: Io, progress: Progress): Promise<Archive> {
  const path = resolve(io.cwd, String(invocation.arguments[0]))
  const found = await stat(path).catch(() => null)
  if (found === null) throw new UsageError(`\`${path}\` does not exist`)
  const isFolder = found.isDirectory()
  if (!isFolder && !found.isFile()) throw new UsageError(`\`${path}\` is neither a file nor a folder`)
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

/** Prints the warnings of the server about an accepted upload. */
export async function tellWarnings({ data }: Reply<JsonObject>, io: Io): Promise<void> {
  const warnings = [data.warnings, data.complianceWarnings].flatMap((list) => (Array.isArray(list) ? list : []))
  for (const warning of warnings) {
    const { message, ruleName, code } = warning as { message?: string; ruleName?: string; code?: string }
    await write(
      io.stderr,
      `warning: ${printable(`${ruleName ?? code ?? ''} ${message ?? valueText(warning)}`.trim())}\n`,
    )
  }
}
