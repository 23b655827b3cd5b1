/**
 * Reads files of any size line by line, in constant memory, and small ones whole.
 * INVARIANT: a path that the user named and that cannot be read is a usage error, never "nothing to check".
 */
import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { type Io, NotDoneError, UsageError } from '../command.js'
import { readBytes, readStream, UnreadableError } from '../input/read-bytes.js'
import { printable } from '../program/printable.js'

const CHUNK_BYTES = 1 << 20
/**
 * No row or manifest comes near this size. A file without line feeds, or with endless nesting, must not fill the
 * memory.
 */
const LINE_BYTES_MAX = 8 << 20
/** Parsed rows take about three times as much memory, and Node has 2 GiB on a small machine. */
const KEPT_BYTES_MAX = 512 << 20
/** Small files: keys, checkpoints. */
const TEXT_BYTES_MAX = 16 << 20

export interface LineSource {
  readonly lines: AsyncIterable<Lines>
  /** Null for a pipe. */
  readonly bytesTotal: number | null
}

export interface Lines {
  readonly texts: readonly string[]
  /** Whether the last of `texts` ended with the input instead of a line feed. */
  readonly isCut: boolean
  readonly bytesDone: number
  /** Whether a line was too long for a log. Nothing follows it. */
  readonly isTooLong: boolean
}

/** `-` is stdin. */
export function openLines(path: string, io: Io): LineSource {
  if (path === '-') return { lines: readLines(io.stdin), bytesTotal: null }
  const file = resolve(io.cwd, path)
  const bytesTotal = sizeOf(file, path)
  return { lines: readLines(createReadStream(file, { highWaterMark: CHUNK_BYTES })), bytesTotal }
}

/** For commands that keep every line in memory. @throws UsageError for more bytes than that takes well. */
export async function* keptLines(path: string, io: Io, bytesMax: number = KEPT_BYTES_MAX): AsyncGenerator<Lines> {
  for await (const lines of openLines(path, io).lines) {
    if (lines.bytesDone > bytesMax)
      throw new UsageError(`\`${path}\` has more than ${bytesMax} bytes, which this command keeps in memory`)
    yield lines
  }
}

/** The whole text of a small file, or of stdin. @throws UsageError when it cannot be read, or has too many bytes. */
export async function readText(path: string, io: Io, bytesMax: number = TEXT_BYTES_MAX): Promise<string> {
  const file = resolve(io.cwd, path)
  if (path !== '-') sizeOf(file, path)
  try {
    return (path === '-' ? await readStream(io.stdin, bytesMax) : readBytes(file, bytesMax)).toString('utf8')
  } catch (error) {
    if (error instanceof UnreadableError) throw new UsageError(`\`${path}\`: ${error.message}`)
    throw unreadable(path, error)
  }
}

/** A checkpoint as a file: editors and shells add empty lines at its end, which no signature covers. */
export async function readCheckpoint(path: string, io: Io): Promise<string> {
  const text = await readText(path, io)
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x0a) end--
  return `${text.slice(0, end)}\n`
}

async function* readLines(stream: Readable): AsyncGenerator<Lines> {
  let rest: Buffer[] = []
  let restBytes = 0
  let bytesDone = 0
  let isFirst = true
  for await (const data of stream) {
    const chunk = typeof data === 'string' ? Buffer.from(data) : (data as Buffer)
    bytesDone += chunk.length
    const end = chunk.lastIndexOf(0x0a)
    if (end < 0) {
      rest.push(chunk)
      restBytes += chunk.length
      if (restBytes <= LINE_BYTES_MAX) continue
      yield { texts: [], isCut: false, bytesDone, isTooLong: true }
      return
    }
    const text = Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8')
    const clean = isFirst ? beginning(text) : text
    yield { texts: clean.split('\n'), isCut: false, bytesDone, isTooLong: false }
    isFirst = false
    rest = [chunk.subarray(end + 1)]
    restBytes = chunk.length - end - 1
  }
  const last = Buffer.concat(rest).toString('utf8')
  if (last !== '') yield { texts: [isFirst ? beginning(last) : last], isCut: true, bytesDone, isTooLong: false }
}

/**
 * @throws NotDoneError if the file holds an error of the server. A download without `curl -f` saves the error as the
 * file.
 */
function beginning(text: string): string {
  const own = text.replace(/^\ufeff/, '')
  if (!own.startsWith('{"success":false')) return own
  let answer: unknown
  try {
    answer = JSON.parse(own)
  } catch {
    return own
  }
  const { code, message } = answer as Readonly<Record<string, unknown>>
  throw new NotDoneError(
    `this file holds an error of the server, not the data: ${printable(String(message))} (${printable(String(code))})`,
    'fetch it again; `curl -f` writes no file when the server answers with an error',
  )
}

function sizeOf(file: string, path: string): number {
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw new UsageError(`\`${path}\` is a folder`, 'name a file, or - for stdin')
    return stats.size
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): UsageError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  return new UsageError(code === 'ENOENT' ? `there is no file \`${path}\`` : `\`${path}\` cannot be read (${code})`)
}
