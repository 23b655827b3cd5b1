/**
 * Sends a stored file as the body of an answer, whole or one range of it (RFC 9110, 14). Content of users must never
 * run in the origin of the API: browsers do not guess its type, it gets no scripts and no origin, and caches do not
 * keep it.
 */
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-store.js'
import { notFound, Refusal } from '../errors.js'
import type { ServedFile } from '../operation/served-file.js'

/** @throws Refusal 404 when the bytes do not exist; 416 for a range outside the file. */
export async function serveFile(file: ServedFile, rangeHeader: string | null): Promise<Response> {
  const range = rangeOf(rangeHeader, file.bytes)
  if (range === 'outside') {
    throw new Refusal(
      'RANGE_NOT_SATISFIABLE',
      `\`Range\` contains no byte of the file, which has ${file.bytes} bytes`,
      {
        headers: { 'content-range': `bytes */${file.bytes}` },
      },
    )
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
 * Returns the one range that the header asks for. Null, and so the whole file, for several ranges and for invalid ones,
 * which a server ignores. `outside` for a range in which the file has no byte.
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
  // A range whose end is before its beginning is invalid, whatever the file is.
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
