/**
 * A stored file as the body of an answer, whole or one range of it (RFC 9110, 14). What comes from users is never run where the
 * API is: its type is not guessed at, it has no scripts, no origin, and no cache keeps it.
 */
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-store.js'
import { notFound, Refusal } from '../errors.js'
import type { ServedFile } from '../operation/served-file.js'

/** @throws Refusal 404 when the bytes are gone; 416 for a range that the file does not have. */
export async function serveFile(file: ServedFile, rangeHeader: string | null): Promise<Response> {
  const range = rangeOf(rangeHeader, file.bytes)
  if (range === 'outside') {
    throw new Refusal('RANGE_NOT_SATISFIABLE', `the file has ${file.bytes} bytes`, {
      headers: { 'content-range': `bytes */${file.bytes}` },
    })
  }
  const content = await file.open(range ?? undefined)
  if (content === null) throw notFound('File')
  const length = range === null ? file.bytes : range.last - range.first + 1
  return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, {
    status: range === null ? 200 : 206,
    headers: {
      'content-type': file.media,
      'content-length': String(length),
      'content-disposition': contentDisposition(file),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      ...(range === null ? {} : { 'content-range': `bytes ${range.first}-${range.last}/${file.bytes}` }),
      ...file.headers,
    },
  })
}

/**
 * The one range that is asked for. Null, and so the whole file, for several and for what is not a range: a server ignores those.
 * `outside` for one in which the file has no byte.
 */
export function rangeOf(header: string | null, bytes: number): ByteRange | 'outside' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const wanted = Math.min(Number(to), bytes)
    return wanted === 0 ? 'outside' : { first: bytes - wanted, last: bytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  // The end before the beginning is not a range, whatever the file.
  if (to !== '' && Number(to) < first) return null
  return first <= last ? { first, last } : 'outside'
}

/** RFC 6266: a name in ASCII for old readers, and the whole name as RFC 5987 writes it. */
export function contentDisposition({ fileName, isInline }: Pick<ServedFile, 'fileName' | 'isInline'>): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(fileName.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isInline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${whole}`
}
