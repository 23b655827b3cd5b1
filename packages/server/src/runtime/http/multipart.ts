/**
 * Reads `multipart/form-data` (RFC 7578) as it arrives, one part after the other. The content of a part is passed on in
 * pieces; at most one boundary and the current chunk are held back.
 */
import { invalidField, type Refusal } from '../errors.js'
import { tooLarge } from './body.js'

export interface Part {
  /** The form field. */
  readonly name: string
  /** Null for a text field. */
  readonly filename: string | null
  /** Lower case, without parameters. */
  readonly contentType: string
  /** Skipped when the consumer does not read it. A consumer that begins must read to the end. */
  readonly content: AsyncIterable<Uint8Array>
}

const PART_HEADERS_BYTES_MAX = 8192
const PARTS_MAX = 128

/** The boundary that `content-type` names, or null. */
export function boundaryOf(headers: Headers): string | null {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(headers.get('content-type') ?? '') ?? []
  return quoted ?? plain ?? null
}

const malformed = (what: string): Refusal => invalidField('/body', `is not multipart/form-data: ${what}`, 'multipart')

/** The body with a little look-ahead. */
class Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #bytesMax: number
  #held: Buffer = Buffer.alloc(0)
  #bytes = 0
  #ended = false

  readonly #late: AbortSignal | undefined

  constructor(body: ReadableStream<Uint8Array>, bytesMax: number, late: AbortSignal | undefined) {
    this.#reader = body.getReader()
    this.#bytesMax = bytesMax
    this.#late = late
    // A pending read then ends.
    late?.addEventListener('abort', () => void this.cancel(), { once: true })
  }

  /** @throws The reason of `late`; Refusal 400 when the client disconnects before the end. */
  async #read(): Promise<Uint8Array | null> {
    const { value = null } = await this.#reader.read().catch(() => {
      throw malformed('it broke off')
    })
    this.#late?.throwIfAborted()
    return value
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false
    const value = await this.#read()
    if (value === null) {
      this.#ended = true
      return false
    }
    this.#bytes += value.byteLength
    if (this.#bytes > this.#bytesMax) throw tooLarge(this.#bytesMax)
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value])
    return true
  }

  /** Takes everything before the mark, and the mark. */
  async takeUntil(mark: Buffer, bytesMax: number): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      if (at !== -1 && at <= bytesMax) {
        const taken = this.#held.subarray(0, at)
        this.#held = this.#held.subarray(at + mark.length)
        return taken
      }
      if (this.#held.length > bytesMax) throw malformed('a header is too long')
      if (!(await this.#more())) throw malformed('it ends early')
    }
  }

  /** Takes so many bytes. */
  async take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) if (!(await this.#more())) throw malformed('it ends early')
    const taken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return taken
  }

  /** Passes on what is before the mark, and consumes the mark. */
  async *streamUntil(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      if (at !== -1) {
        const last = this.#held.subarray(0, at)
        this.#held = this.#held.subarray(at + mark.length)
        if (last.length > 0) yield last
        return
      }
      // The end of the buffer may be the beginning of the mark.
      const sure = this.#held.length - (mark.length - 1)
      if (sure > 0) {
        const piece = this.#held.subarray(0, sure)
        this.#held = this.#held.subarray(sure)
        yield piece
      }
      if (!(await this.#more())) throw malformed('it ends early')
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel().catch(() => undefined)
  }
}

/** @param late Aborted when the body has taken too long. Its reason is thrown then. */
export async function* readMultipart(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  bytesMax: number,
  late?: AbortSignal,
): AsyncGenerator<Part> {
  const source = new Source(body, bytesMax, late)
  try {
    // A preamble before the first boundary is allowed and means nothing.
    await source.takeUntil(Buffer.from(`--${boundary}`), PART_HEADERS_BYTES_MAX)
    const mark = Buffer.from(`\r\n--${boundary}`)
    for (let parts = 0; ; parts++) {
      const next = (await source.take(2)).toString('latin1')
      if (next === '--') return
      if (next !== '\r\n') throw malformed('a boundary is followed by something else')
      if (parts >= PARTS_MAX) throw malformed('it has too many parts')
      const part = headersOf((await source.takeUntil(Buffer.from('\r\n\r\n'), PART_HEADERS_BYTES_MAX)).toString('utf8'))
      const content = source.streamUntil(mark)
      yield { ...part, content }
      // Skips what the consumer of the part did not read.
      for (;;) if ((await content.next()).done) break
    }
  } finally {
    await source.cancel()
  }
}

function headersOf(text: string): Omit<Part, 'content'> {
  const headers = new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const name = parameter(disposition, 'name')
  if (!/^form-data\b/i.test(disposition) || name === null || name === '') throw malformed('a part has no name')
  const type = headers.get('content-type') ?? 'text/plain'
  return {
    name,
    filename: parameter(disposition, 'filename'),
    contentType: (type.split(';')[0] ?? '').trim().toLowerCase(),
  }
}

/** A quoted parameter; browsers escape quotes and line breaks by percent signs. */
function parameter(header: string, name: string): string | null {
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(header)?.[1]
  return value === undefined ? null : value.replaceAll('%22', '"').replaceAll(/%0[DA]/gi, ' ')
}
